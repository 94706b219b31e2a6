import Layout
import Routing
import Server
import TouchModel

/// By which rights programs have set something of the layout and of recognisers. Rules L6 and F7.
///
/// What was set through an attachment goes with it; what was set by a rule's right goes when the
/// rule no longer gives it; what the control socket has set stays. What was set is with the
/// layout's editor: ``LayoutDesk``.
struct Setters: Sendable {
  /// The attachments through which something was set.
  private var attachments: [ClientID: Set<AttachmentID>] = [:]
  /// Those who have set something by a rule's right, numbered from 1.
  private(set) var users: [Handover.User] = []

  /// The lasting setter that the control socket is.
  static let control: UInt32 = 0

  /// Who a program is that changes something by a right.
  mutating func setter(_ right: AccessPolicy.Right, of program: ConnectedProgram)
    -> LayoutSetter
  {
    switch right {
    case .control: return .lasting(Self.control)
    case .attachment(let attachment):
      note(attachment, of: program.client)
      return .passing(attachment.rawValue)
    case .rule:
      let user = Handover.User(user: program.user, groups: program.groups)
      if let index = users.firstIndex(of: user) { return .lasting(UInt32(index + 1)) }
      users.append(user)
      return .lasting(UInt32(users.count))
    }
  }

  /// Takes note that something is set through an attachment.
  mutating func note(_ attachment: AttachmentID, of client: ClientID) {
    attachments[client, default: []].insert(attachment)
  }

  /// Takes in what became of these while a thread had them. Attachments may have ended meanwhile.
  mutating func take(_ later: Setters) {
    users = later.users
    attachments.merge(later.attachments) { $0.union($1) }
  }

  /// The programs that have set something through attachments.
  var clients: Dictionary<ClientID, Set<AttachmentID>>.Keys { attachments.keys }

  /// What the views of a user's programs may cost a lookup, by whatever right they set them.
  func lookupBudget(_ limit: Int, of user: UInt32, _ clients: [ClientID]) -> LookupBudget {
    let passing = Set(clients.flatMap { attachments[$0] ?? [] }.map(\.rawValue))
    let lasting = Set(users.indices.filter { users[$0].user == user }.map { UInt32($0 + 1) })
    return LookupBudget(of: limit) { setter in
      switch setter {
      case .passing(let number): passing.contains(number)
      case .lasting(let number): lasting.contains(number)
      }
    }
  }

  // MARK: - Ends of rights

  /// Takes note that attachments have ended, of one client or all that it had.
  ///
  /// - Returns: Those through which something was set.
  mutating func forget(_ ended: [AttachmentID]? = nil, of client: ClientID) -> Set<AttachmentID> {
    guard let all = attachments[client] else { return [] }
    let over = ended.map { all.intersection($0) } ?? all
    let rest = all.subtracting(over)
    attachments[client] = rest.isEmpty ? nil : rest
    return over
  }

  /// Forgets the attachments that have ended for another reason than their client's wish.
  ///
  /// - Returns: Those.
  @discardableResult
  mutating func forget(where isOver: (AttachmentID) -> Bool) -> Set<AttachmentID> {
    var over: Set<AttachmentID> = []
    for (client, ids) in attachments {
      let gone = ids.filter(isOver)
      if gone.isEmpty { continue }
      over.formUnion(gone)
      let rest = ids.subtracting(gone)
      attachments[client] = rest.isEmpty ? nil : rest
    }
    return over
  }

  /// Whether a setter's right to change the view or recogniser of a path is no more.
  ///
  /// - Parameters:
  ///   - rule: Whether a rule gives a user the right to change it.
  ///   - attachment: Whether an attachment is still there, and its client may change it through
  ///     that.
  func isOver(
    _ setter: LayoutSetter, _ path: String, rule: (Handover.User, String) -> Bool,
    attachment: (AttachmentID, String) -> Bool
  ) -> Bool {
    switch setter {
    case .lasting(Self.control): false
    case .lasting(let number):
      !users.indices.contains(Int(number) - 1) || !rule(users[Int(number) - 1], path)
    case .passing(let number): !attachment(AttachmentID(number), path)
    }
  }

  // MARK: - Handover

  /// Takes note of what the daemon before has left, before it is set again.
  mutating func resume(_ users: [Handover.User]) { self.users = users }

  /// Takes note of whose the attachments are that the daemon before has left, where something was
  /// set or added through them.
  mutating func resume(_ all: [Attachment], where setters: [LayoutSetter]) {
    let numbers = Set(
      setters.compactMap { setter in
        if case .passing(let number) = setter { number } else { nil }
      })
    for attachment in all where numbers.contains(attachment.id.rawValue) {
      note(attachment.id, of: attachment.client)
    }
  }
}
