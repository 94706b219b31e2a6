import CTouchroute
import Gestures
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

  /// Those of a kind that say nothing else.
  private static func fields(of kind: touchroute_gesture_kind) -> Fields {
    var fixed = Fields()
    fixed.kind = UInt8(kind.rawValue)
    (fixed.duration_ms, fixed.interval_ms, fixed.gather_ms) = (.max, .max, .max)
    (fixed.slop, fixed.distance, fixed.margin, fixed.slop_degrees) = (-1, -1, -1, -1)
    return fixed
  }

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
      var fixed = Self.fields(of: kind)
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

  @Test(
    "each edge is read as the one of its number (G16)",
    arguments: [
      (TOUCHROUTE_EDGE_LEFT, Edge.left), (TOUCHROUTE_EDGE_RIGHT, .right),
      (TOUCHROUTE_EDGE_TOP, .top), (TOUCHROUTE_EDGE_BOTTOM, .bottom),
    ])
  func edges(_ number: touchroute_edge, _ edge: Edge) throws {
    var fixed = Self.fields(of: TOUCHROUTE_GESTURE_EDGE_PAN)
    fixed.edge = UInt8(number.rawValue)
    #expect(try GestureFields(fixed).description().kind.settings.edge == edge)
  }

  @Test(
    "each direction is read as the one of its number (G16)",
    arguments: [
      (TOUCHROUTE_DIRECTION_LEFT, GestureDirection.left), (TOUCHROUTE_DIRECTION_RIGHT, .right),
      (TOUCHROUTE_DIRECTION_UP, .up), (TOUCHROUTE_DIRECTION_DOWN, .down),
      (TOUCHROUTE_DIRECTION_HORIZONTAL, .horizontal), (TOUCHROUTE_DIRECTION_VERTICAL, .vertical),
      (TOUCHROUTE_DIRECTION_ANY, .any),
    ])
  func directions(_ number: touchroute_direction, _ direction: GestureDirection) throws {
    let isOfPan = [.any, .horizontal, .vertical].contains(direction)
    var fixed = Self.fields(of: isOfPan ? TOUCHROUTE_GESTURE_PAN : TOUCHROUTE_GESTURE_SWIPE)
    fixed.direction = UInt8(number.rawValue)
    #expect(try GestureFields(fixed).description().kind.settings.direction == direction)
  }

  @Test("each number is read as that which it is given for (G16)")
  func numbers() throws {
    var tap = Self.fields(of: TOUCHROUTE_GESTURE_TAP)
    (tap.taps, tap.duration_ms, tap.interval_ms, tap.gather_ms) = (2, 401, 302, 103)
    (tap.slop, tap.distance, tap.fewest, tap.most) = (11, 52, 2, 3)
    let description = try GestureFields(tap).description()
    let read = description.kind.settings
    #expect(read.taps == 2)
    #expect(read.durationMilliseconds == 401)
    #expect(read.intervalMilliseconds == 302)
    #expect(read.gatherMilliseconds == 103)
    #expect(read.slop == 11)
    #expect(read.distance == 52)
    #expect(description.touches == FingerCount(2, 3))
    var pan = Self.fields(of: TOUCHROUTE_GESTURE_EDGE_PAN)
    (pan.edge, pan.slop, pan.margin) = (UInt8(TOUCHROUTE_EDGE_TOP.rawValue), 12, 23)
    #expect(try GestureFields(pan).description().kind.settings.slop == 12)
    #expect(try GestureFields(pan).description().kind.settings.margin == 23)
    var rotation = Self.fields(of: TOUCHROUTE_GESTURE_ROTATION)
    rotation.slop_degrees = 7
    #expect(try GestureFields(rotation).description().kind.settings.slopDegrees == 7)
  }
}
