import CTouchroute
import Testing
import TouchModel
import Wire

/// Every name of the room against touchroute-protocol.h.
@Suite("Wire")
struct WireTests {
  @Test("every error's number is the header's own (F4)")
  func errors() {
    let header: [Wire.ErrorCode: touchroute_error_code] = [
      .malformed: TOUCHROUTE_ERROR_PROTOCOL, .version: TOUCHROUTE_ERROR_VERSION,
      .noResponder: TOUCHROUTE_ERROR_NO_RESPONDER, .held: TOUCHROUTE_ERROR_HELD,
      .notAllowed: TOUCHROUTE_ERROR_NOT_ALLOWED, .limit: TOUCHROUTE_ERROR_LIMIT,
      .notSupported: TOUCHROUTE_ERROR_NOT_SUPPORTED,
      .notAttached: TOUCHROUTE_ERROR_NOT_ATTACHED, .invalid: TOUCHROUTE_ERROR_INVALID,
    ]
    for code in Wire.ErrorCode.allCases where code != .other {
      #expect(code.rawValue == header[code]?.rawValue)
    }
    #expect(!header.values.contains { $0.rawValue == Wire.ErrorCode.other.rawValue })
  }

  @Test("every reason's number is the header's own")
  func reasons() {
    let closing: [Wire.CloseReason: touchroute_close_reason] = [
      .stopping: TOUCHROUTE_CLOSE_STOPPING, .malformed: TOUCHROUTE_CLOSE_PROTOCOL,
      .queueFull: TOUCHROUTE_CLOSE_QUEUE_FULL, .limit: TOUCHROUTE_CLOSE_LIMIT,
    ]
    for reason in Wire.CloseReason.allCases {
      #expect(reason.rawValue == closing[reason]?.rawValue)
    }
    let detached: [Wire.DetachReason: touchroute_detach_reason] = [
      .requested: TOUCHROUTE_DETACH_REQUESTED, .removed: TOUCHROUTE_DETACH_REMOVED,
      .takenOver: TOUCHROUTE_DETACH_TAKEN_OVER, .notAllowed: TOUCHROUTE_DETACH_NOT_ALLOWED,
    ]
    for reason in Wire.DetachReason.allCases {
      #expect(reason.rawValue == detached[reason]?.rawValue)
    }
    let setters: [Wire.Setter: touchroute_setter] = [
      .none: TOUCHROUTE_SETTER_NONE, .attachment: TOUCHROUTE_SETTER_ATTACHMENT,
      .rule: TOUCHROUTE_SETTER_RULE, .control: TOUCHROUTE_SETTER_CONTROL,
    ]
    for setter in Wire.Setter.allCases { #expect(setter.rawValue == setters[setter]?.rawValue) }
  }

  @Test("every flag's bit is the header's own")
  func flags() {
    #expect(Wire.AttachFlags.takeOver.rawValue == TOUCHROUTE_ATTACH_TAKE_OVER.rawValue)
    #expect(Wire.AttachFlags.history.rawValue == TOUCHROUTE_ATTACH_HISTORY.rawValue)
    #expect(Wire.AttachFlags.wait.rawValue == TOUCHROUTE_ATTACH_WAIT.rawValue)
    #expect(Wire.AttachFlags.gestures.rawValue == TOUCHROUTE_ATTACH_GESTURES.rawValue)
    #expect(Wire.ViewFlags.hidden.rawValue == TOUCHROUTE_VIEW_HIDDEN.rawValue)
    #expect(Wire.ViewFlags.noInteraction.rawValue == TOUCHROUTE_VIEW_NO_INTERACTION.rawValue)
    #expect(Wire.ViewFlags.singleTouch.rawValue == TOUCHROUTE_VIEW_SINGLE_TOUCH.rawValue)
    #expect(Wire.ViewFlags.exclusiveTouch.rawValue == TOUCHROUTE_VIEW_EXCLUSIVE_TOUCH.rawValue)
    #expect(Wire.ViewFlags.secure.rawValue == TOUCHROUTE_VIEW_SECURE.rawValue)
    #expect(Wire.ViewDetailsFlags.added.rawValue == TOUCHROUTE_DETAILS_ADDED.rawValue)
    #expect(Wire.ViewDetailsFlags.resizable.rawValue == TOUCHROUTE_DETAILS_RESIZABLE.rawValue)
    #expect(Wire.ViewDetailsFlags.incomplete.rawValue == TOUCHROUTE_DETAILS_INCOMPLETE.rawValue)
    #expect(Wire.ClientFlags.control.rawValue == TOUCHROUTE_CLIENT_CONTROL.rawValue)
    #expect(Wire.ClientFlags.observer.rawValue == TOUCHROUTE_CLIENT_OBSERVER.rawValue)
    #expect(Wire.ClientFlags.unresponsive.rawValue == TOUCHROUTE_CLIENT_UNRESPONSIVE.rawValue)
    #expect(Wire.DeviceFlags.grabbed.rawValue == TOUCHROUTE_DEVICE_GRABBED.rawValue)
    #expect(Wire.DeviceFlags.suspended.rawValue == TOUCHROUTE_DEVICE_SUSPENDED.rawValue)
    #expect(Wire.DeviceFlags.ignored.rawValue == TOUCHROUTE_DEVICE_IGNORED.rawValue)
    #expect(UInt32(TouchFlags.replayed.rawValue) == TOUCHROUTE_TOUCH_REPLAYED.rawValue)
    #expect(UInt32(TouchFlags.injected.rawValue) == TOUCHROUTE_TOUCH_INJECTED.rawValue)
    #expect(UInt32(TouchFlags.coalesced.rawValue) == TOUCHROUTE_TOUCH_COALESCED.rawValue)
    #expect(UInt32(TouchFlags.secure.rawValue) == TOUCHROUTE_TOUCH_SECURE.rawValue)
  }

  @Test("every number of gestures is the header's own (G3)")
  func gestures() {
    let kinds: [Wire.GestureKind: touchroute_gesture_kind] = [
      .tap: TOUCHROUTE_GESTURE_TAP, .longPress: TOUCHROUTE_GESTURE_LONG_PRESS,
      .pan: TOUCHROUTE_GESTURE_PAN, .swipe: TOUCHROUTE_GESTURE_SWIPE,
      .pinch: TOUCHROUTE_GESTURE_PINCH, .rotation: TOUCHROUTE_GESTURE_ROTATION,
      .edgePan: TOUCHROUTE_GESTURE_EDGE_PAN,
    ]
    for kind in Wire.GestureKind.allCases {
      #expect(UInt32(kind.rawValue) == kinds[kind]?.rawValue)
    }
    let states: [Wire.GestureState: touchroute_gesture_state] = [
      .recognized: TOUCHROUTE_GESTURE_RECOGNIZED, .began: TOUCHROUTE_GESTURE_BEGAN,
      .changed: TOUCHROUTE_GESTURE_CHANGED, .ended: TOUCHROUTE_GESTURE_ENDED,
      .cancelled: TOUCHROUTE_GESTURE_CANCELLED,
    ]
    for state in Wire.GestureState.allCases {
      #expect(UInt32(state.rawValue) == states[state]?.rawValue)
    }
    for state in Wire.RecognizerState.allCases {
      let asTold = Wire.GestureState(rawValue: state.rawValue).flatMap { states[$0] }
      let observed =
        state == .failed ? TOUCHROUTE_GESTURE_FAILED : TOUCHROUTE_GESTURE_POSSIBLE
      #expect(UInt32(state.rawValue) == (asTold ?? observed).rawValue)
    }
    let directions: [Wire.Direction: touchroute_direction] = [
      .any: TOUCHROUTE_DIRECTION_ANY, .left: TOUCHROUTE_DIRECTION_LEFT,
      .right: TOUCHROUTE_DIRECTION_RIGHT, .up: TOUCHROUTE_DIRECTION_UP,
      .down: TOUCHROUTE_DIRECTION_DOWN, .horizontal: TOUCHROUTE_DIRECTION_HORIZONTAL,
      .vertical: TOUCHROUTE_DIRECTION_VERTICAL,
    ]
    for direction in Wire.Direction.allCases {
      #expect(UInt32(direction.rawValue) == directions[direction]?.rawValue)
    }
    let edges: [Wire.Edge: touchroute_edge] = [
      .none: TOUCHROUTE_EDGE_NONE, .left: TOUCHROUTE_EDGE_LEFT, .right: TOUCHROUTE_EDGE_RIGHT,
      .top: TOUCHROUTE_EDGE_TOP, .bottom: TOUCHROUTE_EDGE_BOTTOM,
    ]
    for edge in Wire.Edge.allCases { #expect(UInt32(edge.rawValue) == edges[edge]?.rawValue) }
    let flags: [(Wire.GestureFlags, touchroute_gesture_flags)] = [
      (.disabled, TOUCHROUTE_GESTURE_DISABLED), (.keepsTouches, TOUCHROUTE_GESTURE_KEEPS_TOUCHES),
      (.passesEnded, TOUCHROUTE_GESTURE_PASSES_ENDED),
      (.delaysBegan, TOUCHROUTE_GESTURE_DELAYS_BEGAN),
      (.hasPriority, TOUCHROUTE_GESTURE_HAS_PRIORITY), (.unheard, TOUCHROUTE_GESTURE_UNHEARD),
      (.crowdedOut, TOUCHROUTE_GESTURE_CROWDED_OUT),
    ]
    for (flag, other) in flags { #expect(UInt32(flag.rawValue) == other.rawValue) }
  }

  @Test("every counter lies where the header says, and none is missing")
  func counters() {
    let header: [Wire.Counter: touchroute_counter] = [
      .frames: TOUCHROUTE_COUNT_FRAMES, .began: TOUCHROUTE_COUNT_BEGAN,
      .ended: TOUCHROUTE_COUNT_ENDED, .cancelled: TOUCHROUTE_COUNT_CANCELLED,
      .delivered: TOUCHROUTE_COUNT_DELIVERED,
      .discardedNoWindow: TOUCHROUTE_COUNT_DISCARDED_NO_WINDOW,
      .discardedOutsideScreen: TOUCHROUTE_COUNT_DISCARDED_OUTSIDE_SCREEN,
      .discardedUnhandled: TOUCHROUTE_COUNT_DISCARDED_UNHANDLED,
      .discardedSingleTouch: TOUCHROUTE_COUNT_DISCARDED_SINGLE_TOUCH,
      .discardedExclusive: TOUCHROUTE_COUNT_DISCARDED_EXCLUSIVE,
      .discardedDeclined: TOUCHROUTE_COUNT_DISCARDED_DECLINED,
      .discardedLimit: TOUCHROUTE_COUNT_DISCARDED_LIMIT,
      .strayEvents: TOUCHROUTE_COUNT_STRAY_EVENTS, .orphaned: TOUCHROUTE_COUNT_ORPHANED,
      .unknownTouches: TOUCHROUTE_COUNT_UNKNOWN_TOUCHES, .messages: TOUCHROUTE_COUNT_MESSAGES,
      .violations: TOUCHROUTE_COUNT_VIOLATIONS, .coalesced: TOUCHROUTE_COUNT_COALESCED,
      .droppedSamples: TOUCHROUTE_COUNT_DROPPED_SAMPLES,
      .unresponsive: TOUCHROUTE_COUNT_UNRESPONSIVE, .passedOn: TOUCHROUTE_COUNT_PASSED_ON,
      .lateDeclines: TOUCHROUTE_COUNT_LATE_DECLINES, .injected: TOUCHROUTE_COUNT_INJECTED,
      .lostLogLines: TOUCHROUTE_COUNT_LOST_LOG_LINES,
      .omittedLogLines: TOUCHROUTE_COUNT_OMITTED_LOG_LINES,
      .discardedGesture: TOUCHROUTE_COUNT_DISCARDED_GESTURE,
    ]
    #expect(Wire.Counter.allCases.map(\.rawValue) == Array(0..<Int(TOUCHROUTE_COUNTERS.rawValue)))
    for counter in Wire.Counter.allCases {
      #expect(counter.rawValue == (header[counter]?.rawValue).map(Int.init))
    }
  }

  @Test("every reason to discard has a counter of its own, but the one for which nothing begins")
  func discards() {
    let counters = DiscardReason.allCases.compactMap(Wire.Counter.init)
    #expect(Set(counters).count == DiscardReason.allCases.count - 1)
    #expect(Wire.Counter(.over) == nil)
  }

  @Test("counts of two parts add up, and are exported whole")
  func sums() {
    var left = Wire.Counters()
    var right = Wire.Counters()
    left[.began] += 3
    right[.began] += 4
    right[.discardedGesture] = 5
    let sum = left + right
    #expect(sum[.began] == 7 && sum[.discardedGesture] == 5 && sum[.ended] == 0)
    #expect(sum.all.count == Wire.Counter.allCases.count)
    #expect(sum.all.first == 0 && sum.all.last == 5 && sum.all[1] == 7)
    #expect("\(sum)" == "began 7, discardedGesture 5")
  }
}
