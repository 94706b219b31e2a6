import TestSupport
import Testing
import TouchClient
import TouchModel

/// The vectors, through TouchConnection and so through the C library.
@Suite("Vectors")
struct VectorTests {
  @Test("there are vectors")
  func vectorsExist() {
    #expect(Vector.all.count > 35)
  }

  @Test("a client makes of the daemon's bytes what the vector says", arguments: Vector.all)
  func whole(_ vector: Vector) throws {
    try run(vector) { peer, connection, bytes in
      try peer.send(bytes)
      try connection.dispatchOnce()
    }
  }

  @Test("it makes the same of them when they come one at a time", arguments: Vector.all)
  func bytewise(_ vector: Vector) throws {
    try run(vector) { peer, connection, bytes in
      for byte in bytes {
        guard !connection.hasEnded else { return }
        try peer.send([byte])
        try connection.dispatchOnce()
      }
    }
  }

  private func run(
    _ vector: Vector, deliver: (Peer, RecordingConnection, ArraySlice<UInt8>) throws -> Void
  ) throws {
    let peer = try Peer()
    let connection = try RecordingConnection(path: peer.path, name: "vectors")
    try peer.accept()
    var sent = 0
    var requests: [UInt8] = []
    for step in vector.steps {
      switch step {
      case .send(let count):
        try deliver(peer, connection, vector.bytes[sent..<(sent + count)])
        sent += count
      case .call(let words, let serial):
        #expect(try connection.call(words) == serial, "\(words)")
      case .event(let expected):
        if connection.lines.isEmpty { try connection.finish(peer) { requests += peer.receive() } }
        let found = connection.lines.isEmpty ? "nothing" : connection.lines.removeFirst()
        #expect(found == expected)
      case .end(let kind):
        try connection.finish(peer) { requests += peer.receive() }
        #expect(connection.end == kind)
      }
    }
    #expect(connection.lines.isEmpty)
    #expect(sent == vector.bytes.count)
    #expect(requests == vector.requests)
  }
}

/// A connection that keeps what it is told, as the vectors write it.
private final class RecordingConnection {
  private let connection: TouchConnection
  /// What it was told and nobody compared yet.
  var lines: [String] = []
  /// How it ended, in the vectors' words.
  var end: String?
  var hasEnded: Bool { end != nil }

  init(path: String, name: String) throws {
    connection = try TouchConnection(path: path, name: name)
  }

  func dispatchOnce() throws {
    guard !hasEnded else { return }
    do {
      try connection.dispatch { lines.append($0.lines) }
    } catch {
      switch error.kind {
      case .ended: end = "reset"
      case .malformed: end = "malformed"
      case .version: end = "version"
      default: throw error
      }
      #expect(error.description.contains("touchrouted"))
    }
  }

  /// Lets the peer go, once what was asked of it has been kept.
  func finish(_ peer: Peer, keep: () -> Void) throws {
    guard !hasEnded else { return keep() }
    keep()
    peer.disconnect()
    try dispatchOnce()
  }

  func call(_ words: [String]) throws -> UInt32 {
    func value(_ index: Int) -> UInt32 {
      UInt32(words[index].split(separator: "=").last ?? "") ?? 0
    }
    func path() -> String { String(words[1].dropFirst().dropLast()) }
    switch words[0] {
    case "attach":
      return try connection.attach(
        to: path(), handles: TouchPhases(rawValue: UInt16(value(2))),
        passes: TouchPhases(rawValue: UInt16(value(3))), options: AttachOptions(rawValue: value(4))
      ).rawValue
    case "detach": return try connection.detach(AttachmentID(value(1)))?.rawValue ?? 0
    case "add_gesture":
      return try connection.addGesture(
        try GestureRecognizer(words: words), to: AttachmentID(value(1))
      ).rawValue
    case "remove_gesture":
      return try connection.removeGesture(GestureID(value(1)))?.rawValue ?? 0
    case "enable_gesture":
      return try connection.enableGesture(GestureID(value(1)), value(2) == 1)?.rawValue ?? 0
    case "accept":
      try connection.accept(TouchID(UInt64(value(2))), for: AttachmentID(value(1)))
      return 0
    case "decline":
      try connection.decline(TouchID(UInt64(value(2))), for: AttachmentID(value(1)))
      return 0
    case "change_views":
      return try connection.changeViews(
        words.dropFirst(2).map(ViewStep.init(words:)), in: AttachmentID(value(1))
      ).rawValue
    case "set": return try connection.set(words.dropFirst().map(ViewChange.init(words:))).rawValue
    case "inject":
      let contacts = try words.dropFirst(2).map(InjectedContact.init(words:))
      return try connection.inject(contacts, screen: value(1)).rawValue
    case "cancel":
      return try connection.cancel(value(1) == 0 ? nil : TouchID(UInt64(value(1)))).rawValue
    case "ungrab": return try connection.ungrab(DeviceID(value(1))).rawValue
    case "describe":
      return try connection.describe(path(), first: value(2), count: value(3)).rawValue
    case "ping": return try connection.ping().rawValue
    case "status": return try connection.status().rawValue
    case "observe":
      let serial =
        try value(1) == 2
        ? connection.observeChanges()
        : value(1) == 4 ? connection.observeHealth() : connection.observe(value(1) == 1)
      return serial?.rawValue ?? 0
    case "reload": return try connection.reload().rawValue
    default: throw Peer.Failure(description: "the vectors know no request \(words)")
    }
  }
}

extension ViewChange {
  /// A change as the vectors write it: `home/list:bounds_origin=0,120`, and behind semicolons its
  /// words and its points.
  fileprivate init(words: String) throws {
    let parts = words.split(separator: ":")
    let property = parts[1].split(separator: "=", omittingEmptySubsequences: false)
    let value = property[1].split(separator: ";", omittingEmptySubsequences: false)
    let n = value[0].split(separator: ",").compactMap { Double($0) }
    let text = value.count > 1 ? String(value[1]) : ""
    let change: Property =
      switch property[0] {
      case "hidden": .hidden(n[0] == 1)
      case "alpha": .alpha(n[0])
      case "interaction": .interaction(n[0] == 1)
      case "frame": .frame(Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
      case "bounds_origin": .boundsOrigin(Point(x: n[0], y: n[1]))
      case "transform":
        .transform(AffineTransform(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5]))
      case "order": .order(Int(n[0]))
      case "configured": .configured
      case "outset": .outset(Outset(top: n[0], left: n[1], bottom: n[2], right: n[3]))
      case "shape": .shape(try Self.shape(n, value))
      case "inside":
        .inside([.bounds, .always, .never, .children(names(text))][Int(n[0])])
      case "hit":
        .hit(
          [.standard, .itself, .none, .passThrough, .redirect(text), .first(text)][Int(n[0])])
      case "secure": .secure(n[0] == 1)
      case "exclusive_touch": .exclusiveTouch(n[0] == 1)
      case "multiple_touch": .multipleTouch(n[0] == 1)
      case "level": .level(Int(n[0]))
      case "enabled": .enabled(n[0] == 1)
      default: throw Peer.Failure(description: "the vectors know no change \(words)")
      }
    self.init(String(parts[0]), change)
    func names(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
  }

  private static func shape(_ n: [Double], _ value: [Substring]) throws -> Shape {
    switch n[0] {
    case 0: return .rect
    case 1: return .ellipse
    case 2: return .rounded(radius: n[1])
    default:
      let corners = try #require(value.last).split(separator: ",").compactMap { Double($0) }
      return .polygon(
        stride(from: 0, to: corners.count, by: 2).map { Point(x: corners[$0], y: corners[$0 + 1]) })
    }
  }
}

extension ViewStep {
  /// A step as the vectors write it: `add:row-1@pages:frame=0,0,480,40:hidden=1`.
  fileprivate init(words: String) throws {
    let parts = words.split(separator: ":", omittingEmptySubsequences: false)
    let properties = try parts.dropFirst(2).map { try ViewChange(words: "it:\($0)").property }
    switch parts[0] {
    case "add":
      let path = parts[1].split(separator: "@")
      let names = path[0].split(separator: "/")
      guard case .frame(let frame) = properties.first else {
        throw Peer.Failure(description: "the vectors know no such step \(words)")
      }
      var view = Subview(
        String(try #require(names.last)), frame: frame,
        controller: path.count > 1 ? String(path[1]) : nil)
      view.properties = Array(properties.dropFirst())
      self = .add(view, to: names.dropLast().joined(separator: "/"))
    case "remove": self = .remove(String(parts[1]))
    default: self = .change(String(parts[1]), properties)
    }
  }
}

extension InjectedContact {
  /// A contact as the vectors write it: `7:moved=401,2`.
  fileprivate init(words: String) throws {
    let parts = words.split(separator: ":")
    let change = parts[1].split(separator: "=", omittingEmptySubsequences: false)
    let n = change[1].split(separator: ",").compactMap { Double($0) }
    let slot = try #require(Int32(parts[0]))
    switch change[0] {
    case "began": self.init(slot: slot, .began(Point(x: n[0], y: n[1])))
    case "moved": self.init(slot: slot, .moved(Point(x: n[0], y: n[1])))
    case "ended": self.init(slot: slot, .ended)
    case "cancelled": self.init(slot: slot, .cancelled)
    default: throw Peer.Failure(description: "the vectors know no contact \(words)")
    }
  }
}

extension GestureRecognizer {
  /// A recognizer as the vectors write it: `add_gesture 2 pages kind=3 direction=5`.
  fileprivate init(words: [String]) throws {
    var values: [Substring: Substring] = [:]
    for word in words.dropFirst(3) where word.contains("=") {
      let parts = word.split(separator: "=", maxSplits: 1)
      values[parts[0]] = parts[1]
    }
    func number(_ key: Substring) -> Int? { values[key].flatMap { Int($0) } }
    let kind = try #require(number("kind").flatMap { Gesture.Kind(rawValue: UInt8($0)) })
    self.init(kind, words[2])
    direction = number("direction").flatMap { Gesture.Direction(rawValue: UInt8($0)) } ?? .any
    taps = number("taps")
    if let fewest = number("fewest"), let most = number("most") { touches = fewest...most }
    options = Options(rawValue: UInt16(number("flags") ?? 0))
    durationMilliseconds = number("duration")
    slop = values["slop"].flatMap { Double($0) }
    responder = values["to"].map(String.init)
    after = values["after"].map { [String($0)] } ?? []
    feedback = values["feedback"].map(String.init)
  }
}
