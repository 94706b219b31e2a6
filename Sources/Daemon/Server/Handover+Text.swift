import CTouchroute
import Layout
import Routing
import TouchModel

/// The text: a line that says what it is, one of numbers, one for what each user has used of these,
/// one for each screen that is not on and for each lock, one for each view that a program has
/// added, which those of its properties follow, one for each change of the layout, and one for each
/// client, which that of its number as a setter follows, and those of its attachments, each with
/// what the client was told of others in that window, and with the recognizers that it has added.
extension Handover {
  private static let title = "touchroute handover 5"

  /// All of it.
  public var text: String {
    var lines = [
      Self.title,
      "numbers \(nextTouch) \(numbers.sequence) \(numbers.attachment) \(numbers.generation) "
        + "\(numbers.recognizer)",
    ]
    lines += usedLines
    lines += screens.map { "screen \($0.state.rawValue) \($0.name)" }
    lines += locks.map(\.line)
    for view in views {
      lines.append(view.line)
      lines += view.view.properties.given.map { "property\($0.text)" }
    }
    lines += changes.map(\.line)
    for client in clients {
      lines.append(
        "client \(client.cookie) \(client.socket.rawValue) \(client.version) "
          + "\(client.observing.rawValue) \(hexadecimal(client.received)) \(client.sent) "
          + "\(hexadecimal(client.unsent)) \(hexadecimal(Array(client.name.utf8)))")
      if let slot = client.slot { lines.append("slot \(slot)") }
      if let setter = client.setter { lines.append("setter \(setter)") }
      for hold in client.attachments {
        lines.append(
          "attachment \(hold.id.rawValue) \(hold.request.handles.rawValue) "
            + "\(hold.request.passes.rawValue) \(hold.flags) "
            + hold.request.path)
        lines += hold.believed.map(\.line)
        lines += hold.gestures.map { "gesture \($0.number) \(hexadecimal($0.request.message))" }
      }
      lines += client.screenLines
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the text; nil where it is of another version, or no such text.
  public init?(text: String) {
    var lines = text.split(separator: "\n")[...]
    guard lines.popFirst() == Self.title[...], let first = lines.popFirst(),
      let numbers = Fields(first, kind: "numbers", count: 5), let touch = numbers[0, UInt64.self],
      let sequence = numbers[1, UInt64.self], let attachment = numbers[2, UInt32.self],
      let generation = numbers[3, UInt32.self], let recognizer = numbers[4, UInt32.self],
      // No daemon lives to count so far; what does would soon trap.
      touch <= UInt64.max / 2, sequence <= UInt64.max / 2
    else { return nil }
    self.init(
      nextTouch: touch,
      numbers: Router.Numbers(
        sequence: sequence, attachment: attachment, generation: generation,
        recognizer: recognizer))
    for line in lines {
      if let fields = Fields(line, kind: "client", count: 8), let client = Client(fields) {
        clients.append(client)
      } else if let fields = Fields(line, kind: "attachment", count: 5), !clients.isEmpty,
        let hold = Hold(fields)
      {
        clients[clients.count - 1].attachments.append(hold)
      } else if let fields = Fields(line, kind: "holder", count: 6),
        let id = clients.last?.attachments.last?.id,
        let notice = HolderNotice(fields, window: id)
      {
        let last = clients[clients.count - 1].attachments.count - 1
        clients[clients.count - 1].attachments[last].believed.append(notice)
      } else if addGesture(line) || addView(line) || addSlot(line) || addSetter(line)
        || addScreen(line) || addIdle(line) || addUsed(line)
      {
        continue
      } else if let change = SetChange(line: line) {
        changes.append(change)
      } else {
        return nil
      }
    }
    guard hasOwnAttachments else { return nil }
  }

  private var usedLines: [String] {
    Set(usedAttachments.keys).union(usedGestures.keys).sorted().map { user in
      "used \(user) \(usedAttachments[user] ?? 0) \(usedGestures[user] ?? 0)"
    }
  }

  /// Takes in what a user has used of the numbers; false where the line is of none.
  private mutating func addUsed(_ line: Substring) -> Bool {
    guard let fields = Fields(line, kind: "used", count: 3), let user = fields[0, UInt32.self],
      let attachments = fields[1, UInt32.self], let gestures = fields[2, UInt32.self]
    else { return false }
    usedAttachments[user] = attachments == 0 ? nil : Int(attachments)
    usedGestures[user] = gestures == 0 ? nil : Int(gestures)
    return true
  }

  /// Takes in the slot of the latest client's session; false where the line is of none.
  private mutating func addSlot(_ line: Substring) -> Bool {
    guard let fields = Fields(line, kind: "slot", count: 1), let slot = fields[0, UInt32.self],
      !clients.isEmpty
    else { return false }
    clients[clients.count - 1].slot = slot
    return true
  }

  /// Takes in what the latest client is called as a setter; false where the line is of none.
  private mutating func addSetter(_ line: Substring) -> Bool {
    guard let fields = Fields(line, kind: "setter", count: 1),
      let setter = fields[0, UInt32.self], setter <= UInt32.max / 2, !clients.isEmpty
    else { return false }
    clients[clients.count - 1].setter = setter
    return true
  }

  /// Takes in a screen, or what the latest client has to do with one; false where the line is of
  /// none.
  private mutating func addScreen(_ line: Substring) -> Bool {
    if let fields = Fields(line, kind: "screen", count: 2),
      let state = fields[0, UInt16.self].flatMap(TouchModel.ScreenState.init(rawValue:))
    {
      screens.append(ScreenState(name: String(fields.words[1]), state: state))
      return true
    }
    if let lock = Lock(line: line) {
      locks.append(lock)
      return true
    }
    guard !clients.isEmpty else { return false }
    if line == "watches screens" {
      clients[clients.count - 1].watchesScreens = true
    } else if let fields = Fields(line, kind: "blanks", count: 1) {
      clients[clients.count - 1].blanks.append(String(fields.words[0]))
    } else if let fields = Fields(line, kind: "locks", count: 1) {
      clients[clients.count - 1].locks.append(String(fields.words[0]))
    } else if let fields = Fields(line, kind: "feedback", count: 1) {
      clients[clients.count - 1].feedbackScreens.append(String(fields.words[0]))
    } else {
      return false
    }
    return true
  }

  /// Takes in what the latest client watches for idleness, or inhibits; false where the line is of
  /// none.
  private mutating func addIdle(_ line: Substring) -> Bool {
    guard !clients.isEmpty else { return false }
    if let fields = Fields(line, kind: "idle", count: 5), let watch = IdleWatch(fields) {
      clients[clients.count - 1].watches.append(watch)
    } else if let fields = Fields(line, kind: "inhibits", count: 1),
      let attachment = fields[0, UInt32.self]
    {
      clients[clients.count - 1].inhibiting.append(AttachmentID(attachment))
    } else {
      return false
    }
    return true
  }

  /// Takes in a view, or a property of the latest one; false where the line is of none.
  private mutating func addView(_ line: Substring) -> Bool {
    if let view = AddedView(line: line) {
      views.append(view)
      return true
    }
    guard let property = ViewChange.Property(line: line), !views.isEmpty else { return false }
    views[views.count - 1].view.properties.take(property)
    return true
  }

  /// Takes in a recognizer of the latest attachment; false where the line is of none.
  private mutating func addGesture(_ line: Substring) -> Bool {
    guard let fields = Fields(line, kind: "gesture", count: 2),
      let id = clients.last?.attachments.last?.id,
      let gesture = Handover.HeldGesture(fields, of: id), gesture.number < numbers.recognizer
    else { return false }
    let last = clients[clients.count - 1].attachments.count - 1
    clients[clients.count - 1].attachments[last].gestures.append(gesture)
    return true
  }

  /// Whether every attachment has a number of its own, which the next one will not have.
  private var hasOwnAttachments: Bool {
    let ids = clients.flatMap(\.attachments).map(\.id.rawValue)
    return Set(ids).count == ids.count && ids.allSatisfy { $0 < numbers.attachment }
  }
}

/// The words of a line after the first, which says of what it is.
private struct Fields {
  let words: [Substring]

  init?(_ line: Substring, kind: String, count: Int) {
    let words = line.split(separator: " ")
    guard words.count == count + 1, words[0] == kind[...] else { return nil }
    self.words = Array(words.dropFirst())
  }

  subscript<Number: FixedWidthInteger>(index: Int, type: Number.Type) -> Number? {
    Number(words[index])
  }

  /// The bytes that `hexadecimal(_:)` wrote.
  func bytes(_ index: Int) -> [UInt8]? {
    let digits = Array(words[index].utf8)
    if digits == [UInt8(ascii: "-")] { return [] }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digit(digits[index]), let low = digit(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  if bytes.isEmpty { return "-" }
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

extension Handover.Client {
  fileprivate init?(_ fields: Fields) {
    guard let cookie = fields[0, UInt64.self],
      let socket = SocketKind(rawValue: String(fields.words[1])),
      let version = fields[2, UInt32.self],
      let observing = fields[3, UInt8.self].flatMap(Observing.init),
      let received = fields.bytes(4), received.count <= RequestDecoder.capacity,
      let sent = fields[5, Int.self], let unsent = fields.bytes(6), Self.goesOn(unsent, sent),
      let name = fields.bytes(7), name.isEmpty == (version == 0),
      name.count <= TOUCHROUTE_MAX_NAME
    else { return nil }
    self.init(
      cookie: cookie, socket: socket, name: String(decoding: name, as: UTF8.self),
      version: version, observing: observing, received: received, unsent: unsent, sent: sent)
  }

  /// Whether a queue can go on with these bytes: whole messages, the first of them not all sent.
  private static func goesOn(_ unsent: [UInt8], _ sent: Int) -> Bool {
    guard !unsent.isEmpty else { return sent == 0 }
    return unsent.withUnsafeBytes { bytes in
      var start = 0
      while bytes.count - start >= MemoryLayout<touchroute_header>.size {
        let header = bytes.loadUnaligned(fromByteOffset: start, as: touchroute_header.self)
        let size = Int(header.size)
        guard (8...Int(TOUCHROUTE_MAX_MESSAGE)) ~= size, size % 8 == 0,
          start > 0 || (0..<size) ~= sent
        else { return false }
        start += size
      }
      return start == bytes.count
    }
  }
}

extension Handover.Client {
  /// What it has to do with screens and idleness.
  fileprivate var screenLines: [String] {
    var lines = blanks.map { "blanks \($0)" }
    lines += locks.map { "locks \($0)" }
    lines += feedbackScreens.map { "feedback \($0)" }
    if watchesScreens { lines.append("watches screens") }
    lines += watches.map(\.line)
    lines += inhibiting.map { "inhibits \($0.rawValue)" }
    return lines
  }
}

extension Handover.Lock {
  /// The exceptions come last: they are as many as there are.
  fileprivate var line: String {
    (["lock \(request.milliseconds) \(request.exit.rawValue) \(screen)"] + request.exceptions)
      .joined(separator: " ")
  }

  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count >= 4, words[0] == "lock", let time = UInt64(words[1]),
      let exit = UInt16(words[2]).map(TouchLocks.Exit.init(rawValue:)), exit.isSubset(of: .all)
    else { return nil }
    self.init(
      screen: String(words[3]),
      request: TouchLocks.Request(
        milliseconds: time, exceptions: words[4...].map(String.init), exit: exit))
  }
}

extension Handover.IdleWatch {
  fileprivate var line: String {
    let flags = [request.ignoresInhibitors, request.ignoresInjected, isIdle].map { $0 ? "1" : "0" }
    let (scope, name) =
      switch request.scope {
      case .seat: ("seat", "-")
      case .screen(let name): ("screen", name)
      case .window(let name): ("window", name)
      }
    return "idle \(number) \(request.milliseconds) \(flags.joined()) \(scope) \(name)"
  }

  fileprivate init?(_ fields: Fields) {
    let flags = Array(fields.words[2])
    guard let number = fields[0, UInt32.self], let time = fields[1, UInt64.self],
      IdleWatches.Request.range.contains(time), flags.count == 3,
      flags.allSatisfy({ $0 == "0" || $0 == "1" })
    else { return nil }
    let name = String(fields.words[4])
    let scope: IdleWatches.Scope
    switch fields.words[3] {
    case "seat": scope = .seat
    case "screen": scope = .screen(name)
    case "window": scope = .window(name)
    default: return nil
    }
    self.init(
      number: number,
      request: IdleWatches.Request(
        scope: scope, milliseconds: time, ignoresInhibitors: flags[0] == "1",
        ignoresInjected: flags[1] == "1"), isIdle: flags[2] == "1")
  }
}

extension Handover.Hold {
  fileprivate init?(_ fields: Fields) {
    guard let id = fields[0, UInt32.self], let handles = fields[1, UInt16.self],
      let passes = fields[2, UInt16.self], let flags = fields[3, UInt8.self], flags < 16,
      // Who is in line has asked to wait.
      flags & 4 == 0 || flags & 2 != 0
    else { return nil }
    self.init(
      id: AttachmentID(id),
      request: AttachRequest(
        path: String(fields.words[4]), handles: TouchPhases(rawValue: handles),
        passes: TouchPhases(rawValue: passes), wantsHistory: flags & 1 != 0,
        waits: flags & 2 != 0, handlesGestures: flags & 8 != 0),
      isWaiting: flags & 4 != 0)
  }

  /// 1: it wants the samples of merged moves; 2: it waits when it must; 4: it is in line; 8: it
  /// handles gestures.
  fileprivate var flags: UInt8 {
    (request.wantsHistory ? 1 : 0) | (request.waits ? 2 : 0) | (isWaiting ? 4 : 0)
      | (request.handlesGestures ? 8 : 0)
  }
}

extension Handover.HeldGesture {
  fileprivate init?(_ fields: Fields, of attachment: AttachmentID) {
    guard let number = fields[0, UInt32.self], let message = fields.bytes(1),
      let request = GestureRequest(message: message, with: attachment)
    else { return nil }
    self.init(number: number, request: request)
  }
}

extension HolderNotice {
  fileprivate var line: String {
    "holder \(holder.pid) \(holder.uid) \(holder.handles.rawValue) \(holder.passes.rawValue) "
      + "\(hexadecimal(Array(holder.name.utf8))) \(path)"
  }

  fileprivate init?(_ fields: Fields, window: AttachmentID) {
    guard let pid = fields[0, Int32.self], let uid = fields[1, UInt32.self],
      let handles = fields[2, UInt16.self], let passes = fields[3, UInt16.self],
      let name = fields.bytes(4), name.count <= TOUCHROUTE_MAX_NAME
    else { return nil }
    let holder = Holder(
      pid: pid, uid: uid, name: String(decoding: name, as: UTF8.self),
      handles: TouchPhases(rawValue: handles), passes: TouchPhases(rawValue: passes))
    self.init(window: window, path: String(fields.words[5]), isHeld: true, holder: holder)
  }
}

extension AddedView {
  fileprivate var line: String {
    "view \(setter.words) \(view.path) @\(view.properties.controller ?? "")"
  }

  fileprivate init?(line: Substring) {
    guard let fields = Fields(line, kind: "view", count: 4), let number = fields[1, UInt32.self],
      let setter = LayoutSetter(fields.words[0], number), fields.words[3].hasPrefix("@")
    else { return nil }
    var properties = ViewProperties(frame: FrameDescription(.zero))
    let controller = fields.words[3].dropFirst()
    properties.controller = controller.isEmpty ? nil : String(controller)
    self.init(
      LayoutDescription.View(path: String(fields.words[2]), properties: properties), by: setter)
  }
}

extension SetChange {
  fileprivate var line: String { "set \(setter.words) \(change.path)\(change.property.text)" }

  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ", maxSplits: 4)
    guard words.count == 5, words[0] == "set", let number = UInt32(words[2]),
      let setter = LayoutSetter(words[1], number),
      let property = ViewChange.Property(text: words[4])
    else { return nil }
    self.init(ViewChange(String(words[3]), property), by: setter)
  }
}

extension ViewChange.Property {
  /// Its name, numbers and words, behind a blank each.
  fileprivate var text: String {
    let numbers = values + points.flatMap { [$0.x, $0.y] }
    let text = kind.hasWords ? " :\(words)" : ""
    return " \(name)" + numbers.map { " \($0)" }.joined() + text
  }

  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0] == "property" else { return nil }
    self.init(text: words[1])
  }

  fileprivate init?(text line: Substring) {
    // No number and no name has a colon; what follows one may have blanks. By bytes: a label may
    // begin with an accent, which is one character with the colon.
    let colon = line.utf8.firstIndex(of: UInt8(ascii: ":"))
    let text = colon.map { String(line[line.utf8.index(after: $0)...]) }
    let words = line[..<(colon ?? line.endIndex)].split(separator: " ")
    guard let name = words.first, let kind = Kind.allCases.first(where: { $0.name == name }),
      case let numbers = words[1...].compactMap({ Double($0) }), numbers.count == words.count - 1,
      kind.hasWords == (text != nil), let points = Self.points(numbers.dropFirst(kind.valueCount)),
      let property = try? ViewChange.Property(
        kind, Array(numbers.prefix(kind.valueCount)), words: text ?? "", points: points)
    else { return nil }
    self = property
  }

  /// Points of two numbers each; nil where one is left over.
  private static func points(_ numbers: ArraySlice<Double>) -> [Point]? {
    guard numbers.count.isMultiple(of: 2) else { return nil }
    return stride(from: numbers.startIndex, to: numbers.endIndex, by: 2).map {
      Point(x: numbers[$0], y: numbers[$0 + 1])
    }
  }
}

extension LayoutSetter {
  fileprivate var words: String {
    switch self {
    case .administrator(let number): "lasting \(number)"
    case .attachment(let number): "passing \(number)"
    case .named(let number, let names): "named/\(names) \(number)"
    }
  }

  fileprivate init?(_ kind: Substring, _ number: UInt32) {
    if kind == "lasting" {
      self = .administrator(number)
    } else if kind == "passing" {
      self = .attachment(number)
    } else if kind.hasPrefix("named/"), let names = UInt16(kind.dropFirst("named/".count)),
      number <= UInt32.max / 2
    {
      self = .named(number, within: names)
    } else {
      return nil
    }
  }
}
