import Testing
import TouchModel

@testable import Gestures

@Suite("Who wins")
struct ArbiterTests {
  private let drag = "began 0 300 200;frame;wait 30;moved 0 330 200;frame;wait 30;ended 0;frame"
  private let twoTaps =
    "began 0 9 9;frame;ended 0;frame;wait 100;began 0 9 9;frame;wait 10;ended 0;frame"

  @Test("G5, G6: of several in one frame the nearest to the target wins, and the others fail")
  func nearest() {
    #expect(
      play(Named("outer", .pan(), depth: 0), Named("inner", .pan(), depth: 1), script: drag)
        == ["30 inner began", "30 outer failed: inner recognized", "60 inner ended"])
  }

  @Test("G5: those with priority come first, the outermost before others")
  func priority() {
    let outer = Named("outer", .pan(), depth: 0).with { $0.description.hasPriority = true }
    let middle = Named("middle", .pan(), depth: 1).with { $0.description.hasPriority = true }
    #expect(
      play(Named("inner", .pan(), depth: 2), middle, outer, script: drag) == [
        "30 outer began", "30 middle failed: outer recognized",
        "30 inner failed: outer recognized", "60 outer ended",
      ])
  }

  @Test("G5: the first in time wins, whoever is nearer")
  func firstInTime() {
    #expect(
      play(Named("near", .pan(slop: 40), depth: 1), Named("far", .pan()), script: drag)
        == ["30 far began", "30 near failed: far recognized", "60 far ended"])
  }

  @Test("G6: two of which either names the other recognize both")
  func simultaneous() {
    let one = Named("one", .pan()).with { $0.simultaneous = ["two"] }
    #expect(
      play(one, Named("two", .pan()), script: drag)
        == ["30 one began", "30 two began", "60 one ended", "60 two ended"])
  }

  @Test("G5, G6: a single tap leaves the double tap be, which fails the second single")
  func doubleAndSingle() {
    #expect(
      play(Named("double", .taps(2)), Named("single", .taps(1)), script: twoTaps) == [
        "0 single recognized", "110 double recognized", "110 single failed: double recognized",
      ])
  }

  @Test("G6: a later recognizer fails where one that shares its touch has begun")
  func later() {
    let tap = Named("tap", .taps(1), depth: 1).with { $0.slots = [1] }
    #expect(
      play(
        Named("pan", .pan()), tap,
        script: "began 0 9 9;frame;moved 0 39 9;frame;began 1 9 9;frame;wait 5;ended 1;frame;"
          + "ended 0;frame") == [
          "0 pan began", "5 tap failed: pan recognized", "5 pan ended",
        ])
  }

  @Test("G7: a single tap after a double tap waits for it to fail")
  func after() {
    let single = Named("single", .taps(1)).with { $0.after = ["double"] }
    let double = Named("double", .taps(2))
    #expect(
      play(single, double, script: twoTaps)
        == ["110 double recognized", "110 single failed: double recognized"])
    #expect(
      play(single, double, script: "began 0 9 9;frame;wait 20;ended 0;frame") == [
        "370 double failed: no further tap within 350 ms", "370 single recognized",
      ])
  }

  private func press(_ duration: UInt64, gather: UInt64 = 150) -> Named {
    var press = GestureKind.LongPress()
    press.durationMilliseconds = duration
    press.gatherMilliseconds = gather
    return Named("press", .longPress(press), fingers: FingerCount(2, 2)).with {
      $0.after = ["pinch"]
    }
  }

  @Test("G7: a press that waits and loses one of its fingers stays possible, as with both")
  func waitingPressLosesFinger() {
    let pinch = Named("pinch", .pinch(.init()))
    let start = "began 0 100 100;began 1 160 100;frame;wait 600;"
    for end in ["ended 1;frame;wait 5;ended 0;frame", "ended 1;ended 0;frame;wait 5;frame"] {
      let told = play(pinch, press(50), script: start + end)
      #expect(told.map { $0.split(separator: " ")[1] } == ["pinch"], "\(told)")
    }
    // One that comes in time presses with the other, for as long as both.
    let again =
      "began 0 100 100;began 1 160 100;frame;wait 100;ended 1;frame;wait 100;"
      + "began 1 160 100;frame;wait 60;accept 0;moved 0 100 160;frame;wait 40;ended 0;frame;"
      + "wait 20;ended 1;frame"
    #expect(
      play(pinch, press(50, gather: 1000), script: again) == [
        "260 pinch failed: its touch was accepted", "260 press failed: its touch was accepted",
      ])
  }

  @Test("G7: a rotation that waits has to hold with the fingers that are left")
  func waitingRotationLosesFinger() {
    var pinch = GestureKind.Pinch()
    pinch.slop = 500
    let turn = Named("turn", .rotation(.init())).with {
      $0.after = ["pinch"]
      $0.description.kind = .rotation(Self.rotation(slopDegrees: 5))
    }
    let script =
      "began 0 100 100;began 1 110 100;began 2 500 100;frame;wait 10;moved 2 500 160;frame;"
      + "wait 10;ended 2;frame;wait 10;ended 0;frame;wait 10;ended 1;frame"
    #expect(
      play(Named("pinch", .pinch(pinch)), turn, script: script)
        == ["40 pinch failed: lifted before", "40 turn failed: lifted before"])
    // Of two that go at once neither was the last.
    let both = script.replacing("ended 2;frame;wait 10;ended 0", with: "ended 2;ended 0")
    #expect(
      play(Named("pinch", .pinch(pinch)), turn, script: both)
        == ["30 pinch failed: lifted before"])
  }

  @Test("G7: a rotation that waited and lost a finger has to hold with the one that comes")
  func waitingRotationGetsFinger() {
    let swipe = Named("swipe", .swipe(.init(.down)), fingers: FingerCount(2, 2))
    let turn = Named("turn", .rotation(.init())).with { $0.after = ["swipe"] }
    let start =
      "began 0 200 300;began 1 259 310;frame;wait 10;moved 0 200 285;moved 1 259 325;frame;"
      + "wait 10;ended 0;frame;wait 10;"
    let end = "frame;wait 10;ended 1;ended 0;frame"
    // At 10 points from the centroid 25 degrees are an arc of 4 points.
    #expect(
      play(swipe, turn, script: start + "began 0 239 325;" + end)
        == ["20 swipe failed: lifted before", "40 turn failed: lifted before"])
    // At 30 they are one of 13, which is more than its slop; the swipe has failed.
    #expect(
      play(swipe, turn, script: start + "began 0 199 325;" + end)
        == ["20 swipe failed: lifted before", "30 turn began", "40 turn ended"])
    // Of two that come in one frame neither was the last.
    #expect(
      play(swipe, turn, script: start + "began 0 239 325;began 2 159 325;" + end + ";ended 2;frame")
        == ["20 swipe failed: lifted before", "30 turn began", "40 turn ended"])
  }

  private static func rotation(slopDegrees: Double) -> GestureKind.Rotation {
    var rotation = GestureKind.Rotation()
    rotation.slopDegrees = slopDegrees
    return rotation
  }

  @Test("G7: a chain of three taps is one of three")
  func chainOfTaps() {
    let one = Named("one", .taps(1)).with { $0.after = ["two"] }
    let two = Named("two", .taps(2)).with { $0.after = ["three"] }
    let three = Named("three", .taps(3))
    let tap = "began 0 9 9;frame;ended 0;frame;wait 100;"
    #expect(
      play(one, two, three, script: tap + tap + tap) == [
        "200 three recognized", "200 two failed: three recognized",
        "200 one failed: three recognized",
      ])
    #expect(
      play(one, two, three, script: tap + tap) == [
        "450 three failed: no further tap within 350 ms", "450 two recognized",
        "450 one failed: two recognized",
      ])
    #expect(
      play(one, two, three, script: tap) == [
        "350 three failed: no further tap within 350 ms",
        "350 two failed: no further tap within 350 ms", "350 one recognized",
      ])
  }

  @Test("G7: a pan that waits begins when the other has failed, if its finger is still there")
  func waitingPan() {
    let pan = Named("pan", .pan()).with { $0.after = ["hold"] }
    var kind = GestureKind.LongPress()
    kind.slop = 1000
    let hold = Named("hold", .longPress(kind), fingers: FingerCount(2, 2))
    let start = "began 0 0 0;frame;wait 10;moved 0 50 0;frame;"
    #expect(
      play(pan, hold, script: start + "wait 400;ended 0;frame") == [
        "150 hold failed: 1 of 2 fingers within 150 ms", "150 pan began", "410 pan ended",
      ])
    #expect(
      play(pan, hold, script: start + "wait 400;moved 0 60 0;frame;ended 0;frame") == [
        "150 hold failed: 1 of 2 fingers within 150 ms", "150 pan began", "410 pan ended",
      ])
    #expect(
      play(pan, hold, script: start + "wait 10;ended 0;frame") == ["20 hold failed: lifted before"])
  }

  @Test("G7: what waits takes no new touches")
  func waitingTakesNothing() {
    let single = Named("single", .taps(1)).with { $0.after = ["double"] }
    let double = Named("double", .taps(2))
    // The second tap is too long: the double fails with it, and the first was a single.
    #expect(
      play(
        single, double,
        script: "began 0 9 9;frame;ended 0;frame;wait 100;began 0 9 9;frame;wait 900;ended 0;frame")
        == ["850 double failed: took longer than 750 ms", "850 single recognized"])
  }

  @Test("G8: a touch that is accepted fails all recognizers without priority")
  func accepted() {
    let first = Named("first", .pan()).with { $0.description.hasPriority = true }
    #expect(
      play(
        first, Named("other", .pan(slop: 5)),
        script: "began 0 9 9;frame;wait 10;accept 0;wait 5;moved 0 49 9;frame;ended 0;frame") == [
          "10 other failed: its touch was accepted", "15 first began", "15 first ended",
        ])
  }

  @Test("G12: a finger that is cancelled cancels what has begun, and fails what is possible")
  func cancelled() {
    #expect(
      play(Named("hold", .press), script: "began 0 9 9;frame;wait 600;cancelled 0")
        == ["500 hold began", "600 hold cancelled, palm"])
    #expect(
      play(Named("hold", .press), script: "began 0 9 9;frame;wait 60;cancelled 0")
        == ["60 hold failed: its touch was cancelled"])
  }

  @Test("G3: fingers that land behind its end are taken and ignored, until all are gone")
  func ignoredUntilAllAreGone() {
    let tap = Named("tap", .taps(1), fingers: FingerCount(1, 3))
    #expect(
      play(
        tap,
        script: "began 0 9 9;frame;moved 0 99 9;frame;began 1 9 9;frame;ended 0;frame;"
          + "began 2 9 9;frame;ended 2;frame;ended 1;frame;began 3 9 9;frame;wait 1;ended 3;frame")
        == ["0 tap failed: moved 90 points, slop is 18", "1 tap recognized"])
  }

  @Test("G15: time changes nothing for a recognizer that failed because of another")
  func noDeadlineOnceFailed() {
    let bench = GestureBench([Named("pan", .pan()), Named("flick", .swipe(.init(.right)))])
    _ = bench.play("began 0 9 9;frame")
    #expect(bench.deadline == 500)
    let told = bench.play("wait 9;moved 0 29 9;frame")
    #expect(told.last == "9 flick failed: pan recognized")
    #expect(bench.deadline == nil)
  }

  @Test("G10: the end of a touch is held back while a recognizer of it is possible")
  func heldBack() {
    let bench = GestureBench([Named("double", .taps(2))])
    _ = bench.play("began 0 9 9;frame;ended 0;frame")
    #expect(bench.delaysEnd(0))
    #expect(bench.deadline == 350)
    _ = bench.finish()
    #expect(!bench.delaysEnd(0))
    #expect(bench.isIdle)
    #expect(bench.deadline == nil)
  }
}
