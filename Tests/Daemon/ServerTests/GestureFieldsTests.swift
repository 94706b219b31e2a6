import CTouchroute
import Testing

@testable import Server

/// What `add_gesture` may say of each kind.
@Suite("Fields of a recognizer")
struct GestureFieldsTests {
  private typealias Fields = touchroute_add_gesture

  /// Each field that only some kinds have, with a number that is possible.
  private static let fields: [(name: String, set: @Sendable (inout Fields) -> Void)] = [
    ("taps", { $0.taps = 1 }),
    (
      "direction",
      {
        let isPan = $0.kind == UInt8(TOUCHROUTE_GESTURE_PAN.rawValue)
        let direction = isPan ? TOUCHROUTE_DIRECTION_HORIZONTAL : TOUCHROUTE_DIRECTION_LEFT
        $0.direction = UInt8(direction.rawValue)
      }
    ),
    ("edge", { $0.edge = UInt8(TOUCHROUTE_EDGE_LEFT.rawValue) }),
    ("duration_ms", { $0.duration_ms = 400 }), ("interval_ms", { $0.interval_ms = 300 }),
    ("gather_ms", { $0.gather_ms = 100 }), ("slop", { $0.slop = 10 }),
    ("distance", { $0.distance = 50 }), ("margin", { $0.margin = 20 }),
    ("slop_degrees", { $0.slop_degrees = 5 }),
  ]

  /// What each kind has.
  private static func names(of kind: touchroute_gesture_kind) -> Set<String> {
    switch kind {
    case TOUCHROUTE_GESTURE_PAN: ["direction", "slop"]
    case TOUCHROUTE_GESTURE_SWIPE: ["direction", "duration_ms", "gather_ms", "slop", "distance"]
    case TOUCHROUTE_GESTURE_PINCH: ["slop"]
    case TOUCHROUTE_GESTURE_ROTATION: ["slop", "slop_degrees"]
    case TOUCHROUTE_GESTURE_EDGE_PAN: ["edge", "slop", "margin"]
    default: ["taps", "duration_ms", "interval_ms", "gather_ms", "slop", "distance"]
    }
  }

  @Test(
    "a field that the kind does not have may not be given, and each that it has may (G16)",
    arguments: TOUCHROUTE_GESTURE_TAP.rawValue...TOUCHROUTE_GESTURE_EDGE_PAN.rawValue)
  func possible(_ number: UInt32) {
    let kind = touchroute_gesture_kind(rawValue: number)
    let names = Self.names(of: kind)
    for field in Self.fields {
      var fixed = Fields()
      fixed.kind = UInt8(kind.rawValue)
      (fixed.duration_ms, fixed.interval_ms, fixed.gather_ms) = (.max, .max, .max)
      (fixed.slop, fixed.distance, fixed.margin, fixed.slop_degrees) = (-1, -1, -1, -1)
      // Without these there is no such recognizer.
      if kind == TOUCHROUTE_GESTURE_SWIPE {
        fixed.direction = UInt8(TOUCHROUTE_DIRECTION_LEFT.rawValue)
      }
      if kind == TOUCHROUTE_GESTURE_EDGE_PAN {
        fixed.edge = UInt8(TOUCHROUTE_EDGE_LEFT.rawValue)
      }
      field.set(&fixed)
      do throws(GestureFields.Mistake) {
        _ = try GestureFields(fixed).description()
        #expect(names.contains(field.name), "\(field.name) of kind \(kind.rawValue)")
      } catch {
        #expect(error.text == "its kind has no \(field.name)")
        #expect(!names.contains(field.name), "\(field.name) of kind \(kind.rawValue)")
      }
    }
  }
}
