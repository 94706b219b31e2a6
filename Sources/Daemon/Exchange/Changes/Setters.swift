import Layout
import Routing
import Server
import TouchModel

/// By which rights programs have set something of the layout and of recognizers. Rules L6 and F7.
///
/// What was set through an attachment goes with it; what was set by a rule's right goes with the
/// client that has set it, and when the rule no longer gives it; what the control socket has set
/// stays. What was set is with the layout's editor: ``LayoutTransactions``.
struct Setters: Sendable {
  /// Some of the rights by which something was set.
  struct Rights: Sendable {
    /// The attachments through which something was set.
    fileprivate(set) var attachments: Set<AttachmentID> = []
    /// Those who had set something by a rule's right.
    fileprivate(set) var numbers: Set<UInt32> = []

    /// Whether there is nothing.
    var isEmpty: Bool { attachments.isEmpty && numbers.isEmpty }

    /// Takes in others too.
    mutating func formUnion(_ other: Rights) {
      attachments.formUnion(other.attachments)
      numbers.formUnion(other.numbers)
    }

    /// Whether something was set by one of them.
    func contains(_ setter: LayoutSetter) -> Bool {
      switch setter {
      case .administrator: false
      case .attachment(let number): attachments.contains(AttachmentID(number))
      case .named(let number, _): numbers.contains(number)
      }
    }
  }

  /// The attachments through which something was set.
  private var attachments: [ClientID: Set<AttachmentID>] = [:]
  /// The numbers of those who have set something by a rule's right.
  private(set) var numbers: [ClientID: UInt32] = [:]
  private var lastNumber: UInt32 = 0

  /// The last that there is: a daemon takes no larger one from the daemon before.
  static let mostNumber = UInt32.max / 2

  /// The number of the control socket, as an administrator.
  static let control: UInt32 = 0

  /// Who a program is that changes something by a right.
  mutating func setter(_ right: AccessPolicy.Right, of program: ConnectedProgram)
    -> LayoutSetter
  {
    switch right {
    case .control: return .administrator(Self.control)
    case .attachment(let attachment):
      note(attachment, of: program.client)
      return .attachment(attachment.rawValue)
    case .window(let attachment): return .attachment(attachment.rawValue)
    case .rule(let names): return .named(number(of: program.client), within: names)
    }
  }

  /// Takes note that something is set through an attachment.
  mutating func note(_ attachment: AttachmentID, of client: ClientID) {
    attachments[client, default: []].insert(attachment)
  }

  /// What a client is called that sets something by a rule's right.
  mutating func number(of client: ClientID) -> UInt32 {
    if let number = numbers[client] { return number }
    // One that connects and sets something all the time gets to the last number within days. What
    // the first ones have set is long gone then, but for those who are still there.
    repeat {
      lastNumber = lastNumber % Self.mostNumber + 1
    } while numbers.values.contains(lastNumber)
    numbers[client] = lastNumber
    return lastNumber
  }

  /// Takes in what became of these while a thread had them. Some may have ended meanwhile.
  mutating func take(_ later: Setters) {
    attachments.merge(later.attachments) { $0.union($1) }
    numbers.merge(later.numbers) { $1 }
    lastNumber = later.lastNumber
  }

  /// The programs that have set something through attachments, or by a rule's right, beside some
  /// that are known.
  func programs(
    beside known: [ClientID: ConnectedProgram], _ program: (ClientID) -> ConnectedProgram?
  ) -> [ClientID: ConnectedProgram] {
    var programs = known
    for client in attachments.keys where programs[client] == nil {
      programs[client] = program(client)
    }
    for client in numbers.keys where programs[client] == nil { programs[client] = program(client) }
    return programs
  }

  /// Those who have set something by a rule's right, by what they are called.
  var clientsByNumber: [UInt32: ClientID] {
    Dictionary(numbers.map { ($1, $0) }) { first, _ in first }
  }

  /// What the views of some clients, a user's, may cost a lookup, by whatever right they set them.
  func lookupBudget(_ limit: Int, of clients: [ClientID]) -> LookupBudget {
    let theirs = Rights(
      attachments: Set(clients.flatMap { attachments[$0] ?? [] }),
      numbers: Set(clients.compactMap { numbers[$0] }))
    return LookupBudget(of: limit, for: theirs.contains)
  }

  // MARK: - Ends of rights

  /// Whether a client has set something, by whatever right.
  func hasSet(_ client: ClientID) -> Bool { attachments[client] != nil || numbers[client] != nil }

  /// Takes note that attachments of a client have ended, or that it is gone.
  ///
  /// - Parameter ended: Nil where it is gone.
  mutating func forget(_ ended: [AttachmentID]? = nil, of client: ClientID) -> Rights {
    var ends = Rights()
    if ended == nil, let number = numbers.removeValue(forKey: client) { ends.numbers = [number] }
    guard let all = attachments[client] else { return ends }
    ends.attachments = ended.map { all.intersection($0) } ?? all
    let rest = all.subtracting(ends.attachments)
    attachments[client] = rest.isEmpty ? nil : rest
    return ends
  }

  /// Forgets the attachments that have ended for another reason than their client's wish.
  @discardableResult
  mutating func forget(where isOver: (AttachmentID) -> Bool) -> Rights {
    var ends = Rights()
    for (client, ids) in attachments {
      let gone = ids.filter(isOver)
      if gone.isEmpty { continue }
      ends.attachments.formUnion(gone)
      let rest = ids.subtracting(gone)
      attachments[client] = rest.isEmpty ? nil : rest
    }
    return ends
  }

  // MARK: - Handover

  /// Takes note of what the daemon before has left: who has set something by a rule's right.
  mutating func resume(_ numbers: [ClientID: UInt32], where setters: [LayoutSetter]) {
    self.numbers = numbers
    lastNumber = setters.reduce(numbers.values.max() ?? 0) { last, setter in
      if case .named(let number, _) = setter { max(last, number) } else { last }
    }
  }

  /// Takes note of whose the attachments are that the daemon before has left, where something was
  /// set or added through them.
  mutating func resume(_ all: [Attachment], where setters: [LayoutSetter]) {
    let numbers = Set(
      setters.compactMap { setter in
        if case .attachment(let number) = setter { number } else { nil }
      })
    for attachment in all where numbers.contains(attachment.id.rawValue) {
      note(attachment.id, of: attachment.client)
    }
  }
}
