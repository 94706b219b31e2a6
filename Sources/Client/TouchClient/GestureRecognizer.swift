import CTouchroute
public import Wire

/// A recognizer to add to a view. nil means the kind's default. Rule G1 and the table of kinds.
///
///     try await session.addGesture(.pan("scroll", .vertical), to: list.attachment)
public struct GestureRecognizer: Equatable, Sendable {
  /// Options of a recognizer.
  public typealias Options = Wire.GestureFlags
  /// Where an edge pan begins.
  public typealias Edge = Wire.Edge

  /// What it recognizes.
  public var kind: Gesture.Kind
  /// Its name, unique in its view. Its path is `VIEW#NAME`.
  public var name: String
  /// The path of its view; nil for the attachment's view.
  public var view: String?
  /// How many fingers it needs, up to 10.
  public var touches: ClosedRange<Int>?
  /// How many taps: of a tap, or before a long press.
  public var taps: Int?
  /// The direction of a swipe or a pan.
  public var direction: Gesture.Direction
  /// The edge of an edge pan.
  public var edge: Edge
  /// How far a finger may move, or the fingers must move, in points of the screen.
  public var slop: Double?
  /// How far a tap may be from the one before, or how far a swipe must go, in points of the screen.
  public var distance: Double?
  /// How far inside of the edge a finger may begin, in points of the screen.
  public var margin: Double?
  /// How far the fingers of a rotation must turn.
  public var slopDegrees: Double?
  /// How long a tap or a swipe may take, or how long a press must last.
  public var durationMilliseconds: Int?
  /// The longest time from a tap to the next.
  public var intervalMilliseconds: Int?
  /// How long after the first finger the others may come down.
  public var gatherMilliseconds: Int?
  /// The paths of recognizers that must fail before it recognizes: UIKit's require(toFail:).
  public var after: [String] = []
  /// The paths of recognizers that may go on beside it.
  public var simultaneous: [String] = []
  /// The responder that gets its events; nil for the nearest up the chain that handles gestures.
  public var responder: String?
  /// The name of the feedback that it gives as it recognizes or begins, such as `click`; nil for
  /// none. Rule D10. Not told by describe.
  public var feedback: String?
  /// Its options.
  public var options: Options

  /// A recognizer of a kind, with the kind's defaults.
  public init(_ kind: Gesture.Kind, _ name: String, options: Options = []) {
    self.kind = kind
    self.name = name
    direction = .any
    edge = .none
    self.options = options
  }

  /// Recognizes fingers that go down and up again, so many times.
  public static func tap(_ name: String, taps: Int = 1) -> GestureRecognizer {
    var recognizer = GestureRecognizer(.tap, name)
    recognizer.taps = taps
    return recognizer
  }

  /// Recognizes fingers that stay where they are.
  public static func longPress(_ name: String) -> GestureRecognizer {
    GestureRecognizer(.longPress, name)
  }

  /// Recognizes fingers that move: in any direction, `horizontal` or `vertical`.
  public static func pan(_ name: String, _ direction: Gesture.Direction = .any)
    -> GestureRecognizer
  {
    var recognizer = GestureRecognizer(.pan, name)
    recognizer.direction = direction
    return recognizer
  }

  /// Recognizes fingers that move far and fast in one direction.
  public static func swipe(_ name: String, _ direction: Gesture.Direction) -> GestureRecognizer {
    var recognizer = GestureRecognizer(.swipe, name)
    recognizer.direction = direction
    return recognizer
  }

  /// Recognizes fingers that move together or apart.
  public static func pinch(_ name: String) -> GestureRecognizer { GestureRecognizer(.pinch, name) }

  /// Recognizes fingers that turn about their centroid.
  public static func rotation(_ name: String) -> GestureRecognizer {
    GestureRecognizer(.rotation, name)
  }

  /// Recognizes fingers that come in from an edge.
  public static func edgePan(_ name: String, _ edge: Wire.Edge) -> GestureRecognizer {
    var recognizer = GestureRecognizer(.edgePan, name)
    recognizer.edge = edge
    return recognizer
  }
}

extension GestureRecognizer {
  /// Calls a function with the recognizer and the name of its feedback as the C library takes them;
  /// nil if a string has a zero byte, or a number does not fit the wire.
  func withWire<Result>(
    _ body: (UnsafePointer<touchroute_recognizer>, UnsafePointer<CChar>?) -> Result
  ) -> Result? {
    let texts = [name, view ?? "", responder ?? "", feedback ?? ""] + after + simultaneous
    guard !texts.contains(where: { $0.utf8.contains(0) }), var wire = numbers else { return nil }
    let strings = texts.map { Array($0.utf8CString) }
    let starts = strings.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    return Array(strings.joined()).withUnsafeBufferPointer { bytes in
      let pointers = starts.dropLast().map { start in bytes.baseAddress.map { $0 + start } }
      return Array(pointers.dropFirst(4)).withUnsafeBufferPointer { names in
        wire.name = pointers[0]
        wire.view = view == nil ? nil : pointers[1]
        wire.to = responder == nil ? nil : pointers[2]
        wire.after = names.baseAddress
        wire.after_count = UInt32(after.count)
        wire.simultaneous = names.baseAddress.map { $0 + after.count }
        wire.simultaneous_count = UInt32(simultaneous.count)
        return body(&wire, pointers[3])
      }
    }
  }

  private var numbers: touchroute_recognizer? {
    var wire = touchroute_recognizer_of(UInt32(kind.rawValue), nil)
    let fingers = touches ?? 0...0
    guard let fewest = UInt32(exactly: fingers.lowerBound),
      let most = UInt32(exactly: fingers.upperBound), let taps = UInt32(exactly: taps ?? 0),
      let duration = Self.time(durationMilliseconds),
      let interval = Self.time(intervalMilliseconds), let gather = Self.time(gatherMilliseconds),
      [slop, distance, margin, slopDegrees].allSatisfy({ $0.map { $0 >= 0 } ?? true })
    else { return nil }
    wire.fewest = fewest
    wire.most = most
    wire.taps = taps
    (wire.duration_ms, wire.interval_ms, wire.gather_ms) = (duration, interval, gather)
    wire.direction = UInt32(direction.rawValue)
    wire.edge = UInt32(edge.rawValue)
    wire.flags = UInt32(options.rawValue)
    wire.slop = slop ?? -1
    wire.distance = distance ?? -1
    wire.margin = margin ?? -1
    wire.slop_degrees = slopDegrees ?? -1
    return wire
  }

  private static func time(_ milliseconds: Int?) -> UInt32? {
    guard let milliseconds else { return TOUCHROUTE_NONE }
    return (0...60_000).contains(milliseconds) ? UInt32(milliseconds) : nil
  }
}
