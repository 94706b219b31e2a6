import CTouchroute
import Wire

/// A recognizer in the daemon's layout: an item of describe, after the views. Rule G1.
public struct DescribedGesture: Equatable, Sendable {
  /// Its index among all items; the first recognizer's index is the number of views.
  public var index: UInt32
  /// The index of its view; nil if it belongs to a screen.
  public var view: UInt32?
  /// The index of its screen in ``Welcome/screens``; nil if it belongs to a view.
  public var screen: UInt32?
  /// The daemon's number of it.
  public var number: UInt32
  /// The process that has added it; nil if it is the configuration's.
  public var program: Int32?
  /// Its path: `home/list#scroll`.
  public var path: String
  /// The recognizer, with every setting of its kind.
  public var recognizer: GestureRecognizer

  /// Whether a program that handles gestures would hear of it now. If not, it takes no part. Rules
  /// G2 and G13.
  public var isHeard: Bool

  /// Whether no touch is offered to it, because too many that programs have added come before it.
  /// Rule G2.
  public var isCrowdedOut: Bool

  /// Whether it is enabled. Rule G2.
  public var isEnabled: Bool { !recognizer.options.contains(.disabled) }

  /// The message as the C library shows it; nil where it is of a kind that this version does not
  /// know.
  init?(
    _ gesture: touchroute_described_gesture, path: String, to responder: String, after: String,
    simultaneous: String
  ) {
    guard let kind = Gesture.Kind(rawValue: gesture.kind) else { return nil }
    index = gesture.index
    view = gesture.view == TOUCHROUTE_NONE ? nil : gesture.view
    screen = gesture.screen == TOUCHROUTE_NONE ? nil : gesture.screen
    number = gesture.recognizer
    program = gesture.pid == 0 ? nil : gesture.pid
    self.path = path
    let mark = path.lastIndex(of: "#") ?? path.endIndex
    recognizer = GestureRecognizer(kind, String(path[mark...].dropFirst()))
    recognizer.view = gesture.view == TOUCHROUTE_NONE ? nil : String(path[..<mark])
    recognizer.touches =
      Int(gesture.fewest)...max(Int(gesture.fewest), Int(gesture.most))
    recognizer.taps = kind == .tap || kind == .longPress ? Int(gesture.taps) : nil
    recognizer.direction = Wire.Direction(rawValue: gesture.direction) ?? .any
    recognizer.edge = Wire.Edge(rawValue: gesture.edge) ?? .none
    let flags = Wire.GestureFlags(rawValue: gesture.flags)
    isCrowdedOut = flags.contains(.crowdedOut)
    isHeard = !flags.contains(.unheard)
    recognizer.options = flags.subtracting([.unheard, .crowdedOut])
    recognizer.durationMilliseconds = Self.time(gesture.duration_ms)
    recognizer.intervalMilliseconds = Self.time(gesture.interval_ms)
    recognizer.gatherMilliseconds = Self.time(gesture.gather_ms)
    recognizer.slop = Self.length(gesture.slop)
    recognizer.distance = Self.length(gesture.distance)
    recognizer.margin = Self.length(gesture.margin)
    recognizer.slopDegrees = Self.length(gesture.slop_degrees)
    recognizer.responder = responder.isEmpty ? nil : responder
    recognizer.after = after.split(separator: ",").map(String.init)
    recognizer.simultaneous = simultaneous.split(separator: ",").map(String.init)
  }

  private static func time(_ milliseconds: UInt32) -> Int? {
    milliseconds == TOUCHROUTE_NONE ? nil : Int(milliseconds)
  }

  private static func length(_ length: Double) -> Double? { length < 0 ? nil : length }
}
