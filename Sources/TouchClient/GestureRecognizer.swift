import CTouchroute
public import Wire

/// A recogniser to be added to a view: what is not said is the kind's own. Rule G1 and the table of
/// kinds.
///
///     try await session.addGesture(.pan("scroll", .vertical), to: list.attachment)
public struct GestureRecognizer: Equatable, Sendable {
  /// How it goes about it; none is what nearly all want.
  public typealias Options = Wire.GestureFlags
  /// Where an edge pan begins.
  public typealias Edge = Wire.Edge

  /// What it recognises.
  public var kind: Gesture.Kind
  /// Its name, which no other one of its view has: its path is `VIEW#NAME`.
  public var name: String
  /// The path of its view; nil for the one that the attachment is of.
  public var view: String?
  /// How many fingers it asks for; the most are at most 10.
  public var touches: ClosedRange<Int>?
  /// How many taps: of a tap, and before a long press.
  public var taps: Int?
  /// Of a swipe, and of a pan.
  public var direction: Gesture.Direction
  /// Of an edge pan.
  public var edge: Edge
  /// How far a finger may go, or the fingers must, in points of the screen.
  public var slop: Double?
  /// How far a tap may be from the one before, or a swipe must go, in points of the screen.
  public var distance: Double?
  /// How far inside of the edge a finger may begin, in points of the screen.
  public var margin: Double?
  /// How far the fingers of a rotation must turn.
  public var slopDegrees: Double?
  /// How long a tap or a swipe may take, or a press must be held.
  public var durationMilliseconds: Int?
  /// The longest time from a tap to the next.
  public var intervalMilliseconds: Int?
  /// How long after the first finger the others may come.
  public var gatherMilliseconds: Int?
  /// The paths of recognisers that must fail before it recognises: UIKit's require(toFail:).
  public var after: [String] = []
  /// The paths of recognisers that may go on beside it.
  public var simultaneous: [String] = []
  /// The responder that its events go to; nil for the nearest up the chain that handles gestures.
  public var responder: String?
  /// How it goes about it.
  public var options: Options

  /// A recogniser of a kind, with everything else as the kind has it.
  public init(_ kind: Gesture.Kind, _ name: String, options: Options = []) {
    self.kind = kind
    self.name = name
    direction = .any
    edge = .none
    self.options = options
  }

  /// Fingers that go down and up again, so many times.
  public static func tap(_ name: String, taps: Int = 1) -> GestureRecognizer {
    var recognizer = GestureRecognizer(.tap, name)
    recognizer.taps = taps
    return recognizer
  }

  /// Fingers that stay where they are.
  public static func longPress(_ name: String) -> GestureRecognizer {
    GestureRecognizer(.longPress, name)
  }

  /// Fingers that move: any way, or `horizontal` or `vertical`.
  public static func pan(_ name: String, _ direction: Gesture.Direction = .any)
    -> GestureRecognizer
  {
    var recognizer = GestureRecognizer(.pan, name)
    recognizer.direction = direction
    return recognizer
  }

  /// Fingers that go far, one way, and fast.
  public static func swipe(_ name: String, _ direction: Gesture.Direction) -> GestureRecognizer {
    var recognizer = GestureRecognizer(.swipe, name)
    recognizer.direction = direction
    return recognizer
  }

  /// Fingers that come closer or part.
  public static func pinch(_ name: String) -> GestureRecognizer { GestureRecognizer(.pinch, name) }

  /// Fingers that turn about each other.
  public static func rotation(_ name: String) -> GestureRecognizer {
    GestureRecognizer(.rotation, name)
  }

  /// Fingers that come in over an edge.
  public static func edgePan(_ name: String, _ edge: Wire.Edge) -> GestureRecognizer {
    var recognizer = GestureRecognizer(.edgePan, name)
    recognizer.edge = edge
    return recognizer
  }
}

extension GestureRecognizer {
  /// The recogniser as the C library takes it, as long as the function runs; nil where a string has
  /// a zero byte, or a number is none of the wire's.
  func withWire<Result>(
    _ body: (UnsafePointer<touchroute_recognizer>) -> Result
  ) -> Result? {
    let texts = [name, view ?? "", responder ?? ""] + after + simultaneous
    guard !texts.contains(where: { $0.utf8.contains(0) }), var wire = numbers else { return nil }
    let strings = texts.map { Array($0.utf8CString) }
    let starts = strings.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    return Array(strings.joined()).withUnsafeBufferPointer { bytes in
      let pointers = starts.dropLast().map { start in bytes.baseAddress.map { $0 + start } }
      return Array(pointers.dropFirst(3)).withUnsafeBufferPointer { names in
        wire.name = pointers[0]
        wire.view = view == nil ? nil : pointers[1]
        wire.to = responder == nil ? nil : pointers[2]
        wire.after = names.baseAddress
        wire.after_count = UInt32(after.count)
        wire.simultaneous = names.baseAddress.map { $0 + after.count }
        wire.simultaneous_count = UInt32(simultaneous.count)
        return body(&wire)
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
