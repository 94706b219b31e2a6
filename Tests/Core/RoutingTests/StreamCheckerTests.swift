import Wire
import Layout
import Testing
import TouchModel

@testable import Gestures
@testable import Routing

/// Streams that the router never makes, told to the checker record by record.
@Suite("StreamChecker")
struct StreamCheckerTests {
  private struct Stream {
    var checker = StreamChecker()
    /// What happened since the last check.
    private let deliveries = Deliveries()
    var sequence: UInt64 = 0
    var time: UInt64 = 1000
    let client = ClientID(slot: 3, generation: 7)
    let attachment = AttachmentID(5)

    init() { deliveries.note(.attached(attachment, client)) }

    /// Notes that the client is gone.
    mutating func leave() { deliveries.note(.wentAway(client)) }

    /// Notes touches on the glass.
    mutating func note(_ touches: (UInt64, TouchPhase)...) {
      deliveries.note(
        TouchFrame(
          device: DeviceID(1), screen: ScreenIndex(0), time: Timestamp(microseconds: time),
          touches: ReusableArray(
            touches.map {
              Touch(
                id: TouchID($0.0), phase: $0.1, location: .zero,
                time: Timestamp(microseconds: time))
            })))
    }

    func record(
      _ id: UInt64, _ phase: TouchPhase, _ phases: TouchPhases = .all, namesTarget: Bool = true
    ) -> Deliveries.Record {
      Deliveries.Record(
        id: TouchID(id), time: Timestamp(microseconds: time), attachment: attachment,
        target: ViewIndex(0), targetIndex: 0, namesTarget: namesTarget,
        phase: phase, cancelReason: phase == .cancelled ? .palm : nil, phases: phases, flags: [],
        tapCount: 1, screen: ScreenIndex(0), location: .zero, previousLocation: .zero,
        windowLocation: .zero,
        screenLocation: .zero)
    }

    /// Tells of a gesture, and returns what is wrong with it.
    mutating func tell(_ change: GestureEvent.Change) -> [Violation.Kind] {
      let event = GestureEvent(
        recognizer: RecognizerID(4), at: 0, change: change, time: Timestamp(microseconds: time),
        values: GestureValues(location: .zero, touches: 1))
      deliveries.gestures.append(
        Deliveries.Gesture(client: client, attachment: attachment, event: event))
      return check(.gesture(deliveries.gestures.count - 1))
    }

    /// Says a frame, and returns what is wrong with it.
    mutating func say(
      _ records: Deliveries.Record..., device: UInt32 = 1, to other: ClientID? = nil
    ) -> [Violation.Kind] {
      sequence += 1
      return repeatFrame(records, device: device, to: other)
    }

    /// Says a frame without a number of its own.
    mutating func repeatFrame(
      _ records: [Deliveries.Record], device: UInt32 = 1, to other: ClientID? = nil
    ) -> [Violation.Kind] {
      for record in records { deliveries.records.append(record) }
      deliveries.entries.append(
        .frame(
          Deliveries.ClientFrame(
            client: other ?? client, device: DeviceID(device), time: Timestamp(microseconds: time),
            sequence: sequence, records: records.indices)))
      return check()
    }

    /// Checks what happened since the last time, and these messages.
    mutating func check(_ entries: Deliveries.Entry...) -> [Violation.Kind] {
      for entry in entries { deliveries.entries.append(entry) }
      var found: [Violation.Kind] = []
      checker.check(deliveries) { found.append($0.kind) }
      deliveries.removeAll()
      return found
    }
  }

  @Test("a good stream has no violation, and nothing is kept of it (T5)")
  func good() {
    var stream = Stream()
    stream.note((1, .began))
    #expect(stream.say(stream.record(1, .began)) == [])
    stream.note((1, .moved), (2, .began))
    #expect(stream.say(stream.record(1, .moved), stream.record(2, .began)) == [])
    #expect(stream.checker.openCount == 2)
    stream.note((1, .ended))
    #expect(stream.say(stream.record(1, .ended), stream.record(2, .stationary)) == [])
    stream.note((2, .cancelled))
    #expect(stream.say(stream.record(2, .cancelled)) == [])
    #expect(stream.checker.openCount == 0)
    #expect(stream.checker.violationCount == 0)
  }

  @Test("a touch that does not begin first is found (T5)")
  func noBegan() {
    var stream = Stream()
    stream.note((1, .began))
    #expect(stream.say(stream.record(1, .moved)) == [.noBegan])
    var partial = Stream()
    partial.note((1, .began))
    #expect(partial.say(partial.record(1, .moved, [.moved, .ended])) == [])
  }

  @Test("a touch of which the first record does not name its target is found (T5)")
  func unnamed() {
    var stream = Stream()
    stream.note((1, .began))
    #expect(
      stream.say(stream.record(1, .ended, [.moved, .ended], namesTarget: false)) == [.unnamed])
    stream.note((2, .began))
    #expect(stream.say(stream.record(2, .began, namesTarget: false)) == [.unnamed])
  }

  @Test("a touch that begins twice, or goes on after its end, is found (T5)")
  func twice() {
    var stream = Stream()
    stream.note((1, .began))
    _ = stream.say(stream.record(1, .began))
    #expect(stream.say(stream.record(1, .began)) == [.beganAgain])
    #expect(stream.say(stream.record(1, .cancelled)) == [])
    #expect(stream.say(stream.record(1, .moved)) == [.afterEnd])
    #expect(stream.say(stream.record(1, .cancelled)) == [.afterEnd])
  }

  @Test("a touch that leaves the glass without an end is found (T5)")
  func neverEnded() {
    var stream = Stream()
    stream.note((1, .began), (2, .began))
    _ = stream.say(stream.record(1, .began), stream.record(2, .began))
    stream.note((1, .ended))
    #expect(stream.say(stream.record(1, .moved), stream.record(2, .moved)) == [.neverEnded])
    #expect(stream.checker.latestViolation?.touch == TouchID(1))
    var partial = Stream()
    partial.note((1, .began))
    _ = partial.say(partial.record(1, .began, [.began, .cancelled]))
    partial.note((1, .ended))
    #expect(partial.check() == [])
    #expect(partial.checker.openCount == 0)
  }

  @Test("an id that comes again, and a change of what is not on the glass, are found (T1, T6)")
  func ids() {
    var stream = Stream()
    stream.note((1, .began), (1, .ended), (1, .began))
    #expect(stream.check() == [.idReused])
    stream.note((9, .moved))
    #expect(stream.check() == [.notOnGlass])
    #expect(stream.say(stream.record(8, .began)) == [.notOnGlass, .neverEnded])
  }

  @Test(
    "a target or device that changes is found, and a target's number may change with a layout (T5)")
  func constants() {
    var stream = Stream()
    stream.note((1, .began))
    _ = stream.say(stream.record(1, .began))
    var other = stream.record(1, .moved)
    other.targetIndex = 4
    #expect(stream.say(other) == [.targetChanged])
    #expect(stream.say(stream.record(1, .moved), device: 2) == [.deviceChanged])
    #expect(stream.check(.layout(stream.client, stream.attachment)) == [])
    #expect(stream.say(other) == [])
  }

  @Test("times and numbers that go back are found (T5)")
  func monotone() {
    var stream = Stream()
    stream.note((1, .began))
    _ = stream.say(stream.record(1, .began))
    stream.time = 500
    #expect(stream.say(stream.record(1, .moved)) == [.timeWentBack, .timeWentBack])
    stream.time = 2000
    #expect(
      stream.repeatFrame([stream.record(1, .moved)]) == [.sequenceWentBack, .wrongOrder])
  }

  @Test("the times of 64 devices are known: one more takes the place of the first (T5)")
  func manyDevices() {
    var stream = Stream()
    func tap(_ touch: UInt64, on device: UInt32) -> [Violation.Kind] {
      stream.note((touch, .began))
      let found = stream.say(stream.record(touch, .began), device: device)
      stream.note((touch, .ended))
      return found + stream.say(stream.record(touch, .ended), device: device)
    }
    for device in UInt32(1)...65 { #expect(tap(UInt64(device), on: device) == []) }
    stream.time = 999
    #expect(tap(66, on: 2) == [.timeWentBack, .timeWentBack])
    #expect(tap(67, on: 65) == [.timeWentBack, .timeWentBack])
    #expect(tap(68, on: 1) == [])
  }

  @Test("an order other than lifts, moves, begans by id is found (T3)")
  func order() {
    var stream = Stream()
    stream.note((1, .began), (2, .began))
    #expect(stream.say(stream.record(2, .began), stream.record(1, .began)) == [.wrongOrder])
    #expect(stream.say(stream.record(1, .moved), stream.record(2, .cancelled)) == [.wrongOrder])
  }

  @Test("a frame that says nothing new, or leaves a live touch out, is found (T2)")
  func wholeFrames() {
    var stream = Stream()
    stream.note((1, .began), (2, .began))
    _ = stream.say(stream.record(1, .began), stream.record(2, .began))
    #expect(
      stream.say(stream.record(1, .stationary), stream.record(2, .stationary))
        == [.nothingChanged])
    #expect(stream.say(stream.record(1, .moved)) == [.missing])
  }

  @Test("what an attachment does not get, and a wrong reason, are found (R3, R9)")
  func phases() {
    var stream = Stream()
    stream.note((1, .began))
    _ = stream.say(stream.record(1, .began, [.began, .ended]))
    #expect(stream.say(stream.record(1, .moved, [.began, .ended])) == [.wrongPhase])
    #expect(stream.say(stream.record(1, .ended, [.ended])) == [.wrongPhase])
    stream.note((2, .began))
    var record = stream.record(2, .began)
    record.cancelReason = .palm
    #expect(stream.say(record) == [.wrongReason])
    record = stream.record(2, .cancelled)
    record.cancelReason = nil
    #expect(stream.say(record) == [.wrongReason])
  }

  @Test("a word to who is not attached, or is gone, is found (R7)")
  func notAttached() {
    var stream = Stream()
    stream.note((1, .began), (2, .began), (3, .began))
    let other = ClientID(slot: 4, generation: 1)
    #expect(stream.say(stream.record(1, .began), to: other) == [.notAttached])
    stream.leave()
    #expect(stream.say(stream.record(2, .began)) == [.notAttached])
  }

  @Test("an attachment that ends with a live touch is found (T5)")
  func detachedLive() {
    var stream = Stream()
    stream.note((1, .began))
    _ = stream.say(stream.record(1, .began))
    #expect(
      stream.check(.detached(stream.client, stream.attachment, .takenOver)) == [.detachedLive])
    #expect(
      stream.checker.latestViolation?.description
        == "client 3.7, attachment 5, touch 1: its attachment ended before it did")
  }

  @Test("a gesture begins, changes and ends once, before its attachment does (G12)")
  func gestures() {
    var stream = Stream()
    #expect(stream.tell(.recognized) == [])
    #expect(stream.tell(.began) == [])
    #expect(stream.tell(.changed) == [])
    #expect(stream.tell(.began) == [.gestureOutOfOrder])
    #expect(stream.tell(.ended) == [])
    #expect(stream.tell(.changed) == [.gestureOutOfOrder])
    #expect(stream.tell(.cancelled(.palm)) == [.gestureOutOfOrder])
    #expect(stream.tell(.began) == [])
    #expect(
      stream.check(.detached(stream.client, stream.attachment, .removed)) == [.gestureNeverEnded])
  }
}
