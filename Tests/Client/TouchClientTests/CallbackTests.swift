import CTouchroute
import Glibc
import Testing

/// What the C library promises of its callbacks, where TouchConnection makes no use of it.
@Suite("Callbacks of the C library")
struct CallbackTests {
  /// What a callback tells its test.
  private final class Notes {
    var values: [CInt] = []
    var text = ""
  }

  private static func notes(_ data: UnsafeMutableRawPointer?) -> Notes {
    guard let data else { preconditionFailure("the callback got no data") }
    return Unmanaged<Notes>.fromOpaque(data).takeUnretainedValue()
  }

  private static func listener() -> touchroute_listener {
    var listener = touchroute_listener()
    listener.size = MemoryLayout<touchroute_listener>.size
    return listener
  }

  private func connect(
    _ peer: Peer, _ listener: touchroute_listener, _ notes: Notes
  ) throws -> OpaquePointer {
    var listener = listener
    let data = Unmanaged.passUnretained(notes).toOpaque()
    let connection = try #require(touchroute_connect(peer.path, "vectors", 0, &listener, data))
    try peer.accept()
    return connection
  }

  @Test("a connection may be ended in a callback, which is then the last")
  func disconnectInside() throws {
    let peer = try Peer()
    let notes = Notes()
    var listener = CallbackTests.listener()
    listener.welcome = { data, connection, _, _ in
      CallbackTests.notes(data).values.append(1)
      touchroute_disconnect(connection)
    }
    listener.error = { data, _, _, _ in CallbackTests.notes(data).values.append(2) }
    let connection = try connect(peer, listener, notes)
    let vector = try Vector(name: "refused_breach")  // welcome, then error, then closing
    try peer.send(vector.bytes)
    #expect(touchroute_dispatch(connection, 0) == -ECANCELED)
    #expect(notes.values == [1])
  }

  @Test("dispatching in a callback is refused, and harms nothing")
  func dispatchInside() throws {
    let peer = try Peer()
    let notes = Notes()
    var listener = CallbackTests.listener()
    listener.welcome = { data, connection, _, _ in
      CallbackTests.notes(data).values.append(touchroute_dispatch(connection, 0))
    }
    let connection = try connect(peer, listener, notes)
    defer { touchroute_disconnect(connection) }
    try peer.send(Messages.welcome())
    #expect(touchroute_dispatch(connection, 0) == 1)
    #expect(notes.values == [-EBUSY])
  }

  @Test("requests made in a callback go out together when dispatch returns")
  func requestsInside() throws {
    let peer = try Peer()
    let notes = Notes()
    var listener = CallbackTests.listener()
    listener.welcome = { data, connection, _, _ in
      let notes = CallbackTests.notes(data)
      notes.values.append(touchroute_ping(connection))
      notes.values.append(touchroute_attach(connection, "home", 15, 0, 0))
    }
    let connection = try connect(peer, listener, notes)
    defer { touchroute_disconnect(connection) }
    _ = peer.receive()
    try peer.send(Messages.welcome())
    #expect(touchroute_dispatch(connection, 0) == 1)
    #expect(notes.values == [2, 3])
    #expect(peer.receive().count == 16 + 32)
  }

  @Test("attachments may come and go in the callbacks that tell of their end")
  func attachInside() throws {
    let peer = try Peer()
    let notes = Notes()
    var listener = CallbackTests.listener()
    listener.touches = { data, connection, frame in
      let phase = frame?.pointee.records.pointee.touch.pointee.phase ?? 0
      let attachment = frame?.pointee.records.pointee.touch.pointee.attachment ?? 0
      guard UInt32(phase) == TOUCHROUTE_PHASE_CANCELLED.rawValue else { return }
      CallbackTests.notes(data).values.append(touchroute_detach(connection, attachment))
      CallbackTests.notes(data).values.append(touchroute_attach(connection, "other", 15, 0, 0))
    }
    let connection = try connect(peer, listener, notes)
    defer { touchroute_disconnect(connection) }
    #expect(touchroute_attach(connection, "home/a", 15, 0, 0) == 2)
    #expect(touchroute_attach(connection, "home/b", 15, 0, 0) == 3)
    let vector = try Vector(name: "layouts")
    try peer.send(vector.bytes)
    #expect(touchroute_dispatch(connection, 0) > 0)
    #expect(notes.values == [4, 5, 6, 7])
  }

  @Test("a listener without its size is refused")
  func size() throws {
    let peer = try Peer()
    var listener = touchroute_listener()
    #expect(touchroute_connect(peer.path, nil, 0, &listener, nil) == nil)
    #expect(errno == EINVAL)
    #expect(
      String(cString: touchroute_error_text(nil))
        == "listener.size has to be sizeof(struct touchroute_listener)")
  }

  @Test("a property or a phase that there is not is refused before it is sent")
  func numbers() throws {
    let peer = try Peer()
    let connection = try connect(peer, CallbackTests.listener(), Notes())
    defer { touchroute_disconnect(connection) }
    _ = peer.receive()
    func sentence() -> String { String(cString: touchroute_error_text(connection)) }
    var change = touchroute_property_change()
    "home".withCString {
      change.path = $0
      change.property = TOUCHROUTE_PROPERTY_FEEDBACK.rawValue + 1
      #expect(touchroute_set(connection, &change, 1) == -EINVAL)
      #expect(sentence() == "setting home: there is no property 20")
      // Values that the property does not have are not sent.
      change.property = TOUCHROUTE_PROPERTY_HIDDEN.rawValue
      change.values = (1, .nan, 3, 4, 5, 6)
      #expect(touchroute_set(connection, &change, 1) > 0)
      #expect(peer.receive()[32...].prefix(40).allSatisfy { $0 == 0 })
    }
    for contact in [(Double.nan, 1.0), (1.0, .infinity)] {
      var contact = touchroute_contact(slot: 7, phase: 1, x: contact.0, y: contact.1)
      #expect(touchroute_inject(connection, 0, &contact, 1) == -EINVAL)
      #expect(sentence() == "the x and y of contact 7 have to be finite numbers")
    }
    for phase in [0, TOUCHROUTE_PHASE_STATIONARY.rawValue, 6, 257] {
      var contact = touchroute_contact(slot: 0, phase: phase, x: 0, y: 0)
      #expect(touchroute_inject(connection, 0, &contact, 1) == -EINVAL)
      #expect(sentence().hasSuffix("\(phase) is none of these"))
    }
    #expect(peer.receive().isEmpty)
  }

  @Test("each property refuses each value that none of its kind can have")
  func values() throws {
    let peer = try Peer()
    let connection = try connect(peer, CallbackTests.listener(), Notes())
    defer { touchroute_disconnect(connection) }
    _ = peer.receive()
    let counts = [1, 1, 1, 4, 2, 6, 1, 0, 4, 2, 1, 1, 1, 1, 1, 1]
    for (property, count) in zip(UInt32(1)..., counts) {
      for index in 0..<count {
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1, 0.5, 2] {
          let isWhole = value == 2 || (value == -1 && property == 16)
          let isRight =
            switch property {
            case 1, 3, 13, 14, 15: false
            case 7, 11, 12, 16: isWhole
            // A radius is for one shape alone.
            case 10: index == 0 && value == 2
            default: value.isFinite
            }
          var values = [0.0, 0, 0, 0, 0, 0]
          values[index] = value
          #expect(
            (set(connection, property, values) > 0) == isRight, "\(property) \(index) \(value)")
        }
      }
    }
    #expect(set(connection, 1, [2, 0, 0, 0, 0, 0]) == -EINVAL)
    #expect(
      String(cString: touchroute_error_text(connection))
        == "setting home: property 1: its value has to be 0 or 1")
  }

  @Test("words and points are for the rules and the shape that have them, and whole")
  func parts() throws {
    let peer = try Peer()
    let connection = try connect(peer, CallbackTests.listener(), Notes())
    defer { touchroute_disconnect(connection) }
    _ = peer.receive()
    let corners = [0.0, 0, 9, 0, 9, 9]
    for property in UInt32(1)...16 {
      for rule in 0..<6 {
        let values = [Double(rule), 0, 0, 0, 0, 0]
        // Whether it may be so without words and points.
        let isPlain = set(connection, property, values) > 0
        let path = property == 12 && rule >= 4
        let names = property == 11 && rule == 3
        #expect((set(connection, property, values, words: "a") > 0) == (path || isPlain && names))
        let isPolygon = property == 10 && rule == 3
        #expect((set(connection, property, values, points: corners) > 0) == isPolygon)
      }
    }
    _ = peer.receive()
    #expect(set(connection, 10, [3, 0, 0, 0, 0, 0], points: [0, 0, 9, .nan, 9, 9]) == -EINVAL)
    #expect(set(connection, 10, [3, 0, 0, 0, 0, 0], points: [0, 0, 9, 9]) == -EINVAL)
    let many = [Double](repeating: 1, count: 600)
    #expect(set(connection, 10, [3, 0, 0, 0, 0, 0], points: many) == -EMSGSIZE)
    let long = String(repeating: "a", count: 4096)
    #expect(set(connection, 12, [4, 0, 0, 0, 0, 0], words: long) == -EMSGSIZE)
    for label in [String(repeating: "ü", count: 81), "a\nb", "a\u{7f}"] {
      #expect(set(connection, 18, [0, 0, 0, 0, 0, 0], words: label) == -EINVAL)
    }
    #expect(set(connection, 18, [0, 0, 0, 0, 0, 0], points: [1, 2, 3, 4, 5, 6]) == -EINVAL)
    for name in [String(repeating: "a", count: 41), "a b", "ü", "a/b"] {
      #expect(set(connection, 19, [0, 0, 0, 0, 0, 0], words: name) == -EINVAL)
    }
    #expect(set(connection, 20, [0, 0, 0, 0, 0, 0]) == -EINVAL)
    #expect(peer.receive().isEmpty)
  }

  private func set(
    _ connection: OpaquePointer, _ property: UInt32, _ values: [Double], words: String = "",
    points: [Double] = []
  ) -> CInt {
    "home".withCString { path in
      words.withCString { words in
        points.withUnsafeBufferPointer { points in
          var change = touchroute_property_change()
          change.path = path
          change.property = property
          change.values = (values[0], values[1], values[2], values[3], values[4], values[5])
          change.words = words
          change.points = points.baseAddress
          change.point_count = UInt32(points.count / 2)
          return touchroute_set(connection, &change, 1)
        }
      }
    }
  }

  @Test("the words for kinds, states and directions are those of JSON, and nothing more (G3)")
  func gestureWords() {
    func words(_ numbers: ClosedRange<UInt32>, _ name: (UInt32) -> UnsafePointer<CChar>?)
      -> [String]
    {
      numbers.map { name($0).map { String(cString: $0) } ?? "" }
    }
    #expect(
      words(0...8, touchroute_gesture_kind_name) == [
        "unknown", "tap", "long_press", "pan", "swipe", "pinch", "rotation", "edge_pan", "unknown",
      ])
    #expect(
      words(0...9, touchroute_gesture_state_name) == [
        "unknown", "recognized", "began", "changed", "ended", "cancelled", "failed", "possible",
        "passed_by", "unknown",
      ])
    #expect(
      words(0...7, touchroute_direction_name) == [
        "any", "left", "right", "up", "down", "horizontal", "vertical", "unknown",
      ])
  }

  @Test("the words for phases and reasons cover what there is and nothing more")
  func words() {
    #expect(
      (0...6).map { String(cString: touchroute_phase_name($0)) }
        == ["unknown", "began", "moved", "stationary", "ended", "cancelled", "unknown"])
    #expect(String(cString: touchroute_cancel_reason_name(9)) == "connection lost")
    #expect(String(cString: touchroute_cancel_reason_name(10)) == "gesture")
    #expect(String(cString: touchroute_cancel_reason_name(11)) == "stuck")
    #expect(String(cString: touchroute_cancel_reason_name(12)) == "ghost")
    #expect(String(cString: touchroute_cancel_reason_name(13)) == "dark")
    #expect(String(cString: touchroute_cancel_reason_name(14)) == "locked")
    #expect(String(cString: touchroute_cancel_reason_name(15)) == "unknown")
  }
}
