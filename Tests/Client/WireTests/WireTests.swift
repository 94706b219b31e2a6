import CTouchroute
import Testing
import TouchModel
import Wire

/// The room's names, which scripts/generate makes of touchroute-protocol.h.
@Suite("Wire")
struct WireTests {
  @Test("the numbers of TouchModel's vocabulary are the header's own")
  func vocabulary() {
    let cancels = [
      TOUCHROUTE_CANCEL_DEVICE_REMOVED, TOUCHROUTE_CANCEL_SUSPENDED, TOUCHROUTE_CANCEL_PALM,
      TOUCHROUTE_CANCEL_TARGET_REMOVED, TOUCHROUTE_CANCEL_UNRESPONSIVE,
      TOUCHROUTE_CANCEL_TAKEN_OVER, TOUCHROUTE_CANCEL_STOPPING, TOUCHROUTE_CANCEL_REQUESTED,
      TOUCHROUTE_CANCEL_CONNECTION_LOST, TOUCHROUTE_CANCEL_GESTURE, TOUCHROUTE_CANCEL_STUCK,
      TOUCHROUTE_CANCEL_GHOST, TOUCHROUTE_CANCEL_DARK, TOUCHROUTE_CANCEL_LOCKED,
    ]
    #expect(CancelReason.allCases.map { UInt32($0.rawValue) } == cancels.map(\.rawValue))
    let discards = [
      TOUCHROUTE_DISCARD_NO_WINDOW, TOUCHROUTE_DISCARD_OUTSIDE_SCREEN,
      TOUCHROUTE_DISCARD_UNHANDLED, TOUCHROUTE_DISCARD_SINGLE_TOUCH,
      TOUCHROUTE_DISCARD_EXCLUSIVE, TOUCHROUTE_DISCARD_DECLINED, TOUCHROUTE_DISCARD_LIMIT,
      TOUCHROUTE_DISCARD_OVER, TOUCHROUTE_DISCARD_GESTURE, TOUCHROUTE_DISCARD_DARK,
      TOUCHROUTE_DISCARD_LOCKED,
    ]
    #expect(DiscardReason.allCases.map { UInt32($0.rawValue) } == discards.map(\.rawValue))
    let outcomes = [
      TOUCHROUTE_OUTCOME_NO_CLIENT, TOUCHROUTE_OUTCOME_DELIVERED, TOUCHROUTE_OUTCOME_NOT_HANDLED,
      TOUCHROUTE_OUTCOME_UNRESPONSIVE, TOUCHROUTE_OUTCOME_DECLINED,
    ]
    #expect(ChainOutcome.allCases.map { UInt32($0.rawValue) } == outcomes.map(\.rawValue))
    let findings = [
      TOUCHROUTE_SIGNAL_BRIDGED, TOUCHROUTE_SIGNAL_SHORT, TOUCHROUTE_SIGNAL_SMOOTHED,
      TOUCHROUTE_SIGNAL_OUTLIER, TOUCHROUTE_SIGNAL_SPLIT, TOUCHROUTE_SIGNAL_DEAD_ZONE,
      TOUCHROUTE_SIGNAL_EDGE, TOUCHROUTE_SIGNAL_GHOST, TOUCHROUTE_SIGNAL_STUCK,
      TOUCHROUTE_SIGNAL_PALM,
      TOUCHROUTE_SIGNAL_SILENT, TOUCHROUTE_SIGNAL_HELD, TOUCHROUTE_SIGNAL_SLOWED,
      TOUCHROUTE_SIGNAL_HAUNTED, TOUCHROUTE_SIGNAL_OVERRUN, TOUCHROUTE_SIGNAL_UNSTEADY,
      TOUCHROUTE_SIGNAL_DRIFTED,
    ]
    #expect(SignalFinding.allCases.map { UInt32($0.rawValue) } == findings.map(\.rawValue))
    let phases: [TouchPhase] = [.began, .moved, .stationary, .ended, .cancelled]
    let numbers = [
      TOUCHROUTE_PHASE_BEGAN, TOUCHROUTE_PHASE_MOVED, TOUCHROUTE_PHASE_STATIONARY,
      TOUCHROUTE_PHASE_ENDED, TOUCHROUTE_PHASE_CANCELLED,
    ]
    #expect(phases.map { UInt32($0.rawValue) } == numbers.map(\.rawValue))
    #expect(UInt32(TouchPhases.all.rawValue) == TOUCHROUTE_HANDLES_ALL.rawValue)
    #expect(UInt32(TouchPhases.ended.rawValue) == TOUCHROUTE_HANDLES_ENDED.rawValue)
  }

  @Test("every flag of a touch is the header's own")
  func flags() {
    #expect(UInt32(TouchFlags.replayed.rawValue) == TOUCHROUTE_TOUCH_REPLAYED.rawValue)
    #expect(UInt32(TouchFlags.injected.rawValue) == TOUCHROUTE_TOUCH_INJECTED.rawValue)
    #expect(UInt32(TouchFlags.coalesced.rawValue) == TOUCHROUTE_TOUCH_COALESCED.rawValue)
    #expect(UInt32(TouchFlags.secure.rawValue) == TOUCHROUTE_TOUCH_SECURE.rawValue)
  }

  @Test("a counter lies at each index of the header")
  func counters() {
    #expect(Wire.Counter.allCases.map(\.rawValue) == Array(0..<Int(TOUCHROUTE_COUNTERS.rawValue)))
  }

  @Test("a number has the header's name, but for words of Swift (F4, G3)")
  func names() {
    #expect(Wire.ErrorCode.malformed.rawValue == TOUCHROUTE_ERROR_PROTOCOL.rawValue)
    #expect(Wire.ErrorCode(rawValue: 0) == .other)
    #expect(Wire.CloseReason.malformed.rawValue == TOUCHROUTE_CLOSE_PROTOCOL.rawValue)
    #expect(Wire.Setter.control.rawValue == TOUCHROUTE_SETTER_CONTROL.rawValue)
    #expect(
      UInt32(Wire.RecognizerState.possible.rawValue) == TOUCHROUTE_GESTURE_POSSIBLE.rawValue)
    #expect(
      UInt32(Wire.GestureFlags.crowdedOut.rawValue) == TOUCHROUTE_GESTURE_CROWDED_OUT.rawValue)
    #expect(Wire.Counter.discardedLocked.rawValue == Int(TOUCHROUTE_COUNTERS.rawValue) - 1)
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
    right[.discardedLocked] = 5
    let sum = left + right
    #expect(sum[.began] == 7 && sum[.discardedLocked] == 5 && sum[.ended] == 0)
    #expect(sum.all.count == Wire.Counter.allCases.count)
    #expect(sum.all.first == 0 && sum.all.last == 5 && sum.all[1] == 7)
    #expect("\(sum)" == "began 7, discardedLocked 5")
  }
}
