import Testing
import TouchModel

@testable import Gestures

@Suite("Kinds of gestures")
struct KindTests {
  // MARK: Tap

  @Test("G3: a tap is recognized as its finger is lifted, in 750 ms at most")
  func tap() {
    let tap = Named("tap", .taps(1))
    #expect(
      play(tap, script: "began 0 300 200;frame;wait 750;ended 0;frame") == ["750 tap recognized"])
    #expect(
      play(tap, script: "began 0 300 200;frame;wait 751;ended 0;frame")
        == ["750 tap failed: took longer than 750 ms"])
  }

  @Test("G3, G15: a tap's finger may go as far as its slop, and no further")
  func tapSlop() {
    let tap = Named("tap", .taps(1))
    #expect(
      play(tap, script: "began 0 300 200;frame;moved 0 310.8 214.4;frame;ended 0;frame")
        == ["0 tap recognized"])
    #expect(
      play(tap, script: "began 0 300 200;frame;wait 5;moved 0 310.9 214.5;frame;ended 0;frame")
        == ["5 tap failed: moved 18.1 points, slop is 18"])
  }

  @Test("G3: of a double tap the second may begin 350 ms after the first, 45 points from it")
  func doubleTap() {
    let tap = Named("tap", .taps(2))
    let first = "began 0 300 200;frame;wait 20;ended 0;frame;"
    #expect(
      play(tap, script: first + "wait 350;began 0 327 236;frame;ended 0;frame")
        == ["370 tap recognized"])
    #expect(
      play(tap, script: first + "wait 351;began 0 300 200;frame;wait 20;ended 0;frame") == [
        "370 tap failed: no further tap within 350 ms",
        "741 tap failed: no further tap within 350 ms",
      ])
    #expect(
      play(tap, script: first + "wait 100;began 0 327.1 236.1;frame;wait 20;ended 0;frame")
        == ["120 tap failed: tapped 45.1 points from the tap before, distance is 45"])
  }

  @Test("G3: the fingers of a tap come within 150 ms, and are down together")
  func twoFingers() {
    let tap = Named("tap", .taps(1), fingers: FingerCount(2, 2))
    let first = "began 0 300 200;frame;"
    #expect(
      play(tap, script: first + "wait 150;began 1 400 200;frame;ended 0;frame;ended 1;frame")
        == ["150 tap recognized"])
    #expect(
      play(tap, script: first + "wait 151;began 1 400 200;frame;ended 0;ended 1;frame")
        == ["150 tap failed: 1 of 2 fingers within 150 ms"])
    #expect(
      play(tap, script: first + "wait 40;ended 0;frame;wait 40;began 1 400 200;frame;ended 1;frame")
        == ["40 tap failed: lifted before", "80 tap failed: lifted before"])
    #expect(
      play(
        tap,
        script: first + "began 1 400 200;frame;wait 9;began 2 1 1;frame;"
          + "ended 0;ended 1;ended 2;frame")
        == ["9 tap failed: more fingers than 2"])
  }

  @Test("G3: a finger that comes once another is lifted makes no tap")
  func notTogether() {
    let tap = Named("tap", .taps(1), fingers: FingerCount(1, 2))
    #expect(
      play(
        tap,
        script:
          "began 0 1 1;began 1 9 9;frame;ended 0;frame;began 2 5 5;frame;ended 1;ended 2;frame"
      ) == ["0 tap failed: a finger came after another was lifted"])
  }

  // MARK: Long press

  @Test("G3, G15: a long press begins after 500 ms, unless its finger went on in that moment")
  func press() {
    let press = Named("hold", .press)
    let start = "began 0 300 200;frame;wait 500;"
    #expect(
      play(press, script: start + "wait 200;moved 0 340 200;frame;ended 0;frame")
        == ["500 hold began", "700 hold ended"])
    #expect(
      play(press, script: start + "moved 0 340 200;frame;ended 0;frame")
        == ["500 hold failed: moved 40 points, slop is 10"])
    #expect(play(press, script: start + "ended 0;frame") == ["500 hold failed: lifted before"])
  }

  @Test("G3: a press of two fingers takes the time of the last, and ends with the last lift")
  func twoFingerPress() {
    let press = Named("hold", .press, fingers: FingerCount(2, 2))
    #expect(
      play(
        press,
        script: "began 0 300 200;frame;wait 100;began 1 400 200;frame;wait 600;ended 1;frame;"
          + "wait 100;ended 0;frame")
        == ["600 hold began", "800 hold ended"])
    #expect(
      play(press, script: "began 0 300 200;frame;wait 900;ended 0;frame")
        == ["150 hold failed: 1 of 2 fingers within 150 ms"])
  }

  @Test("G3: a press of two fingers lives on where one is lifted and comes again in time")
  func pressWithALift() {
    let press = Named("hold", .press, fingers: FingerCount(2, 2))
    let start = "began 0 300 200;began 1 400 200;frame;wait 50;ended 1;frame;"
    #expect(
      play(press, script: start + "wait 100;began 1 400 200;frame;wait 600;ended 0;ended 1;frame")
        == ["650 hold began", "750 hold ended"])
    #expect(
      play(press, script: start + "wait 200;ended 0;frame")
        == ["150 hold failed: 1 of 2 fingers within 150 ms"])
  }

  @Test(
    "G3, G15: of a press a finger may be lifted, and another come, in the moment gathering ends")
  func pressAtTheEndOfGathering() {
    let press = Named("hold", .press, fingers: FingerCount(2, 2))
    let start = "began 0 300 200;began 1 400 200;frame;"
    let change = "ended 1;began 2 400 200;frame;wait 600;ended 0;ended 2;frame"
    #expect(
      play(press, script: start + "wait 150;" + change) == ["650 hold began", "750 hold ended"])
    #expect(
      play(press, script: start + "wait 151;" + change) == ["151 hold failed: lifted before"])
  }

  @Test("G3: where more fingers may come, the place of a tap is judged once they have")
  func placeOfSeveralFingers() {
    let fingers = FingerCount(1, 2)
    let tap = Named("tap", .taps(2), fingers: fingers)
    let first = "began 0 300 200;frame;wait 20;ended 0;frame;wait 100;"
    // 50 points from the tap before, and the two together at its place.
    let second = "began 0 250 200;frame;wait 10;began 1 350 200;frame;"
    #expect(play(tap, script: first + second + "ended 0;ended 1;frame") == ["130 tap recognized"])
    #expect(
      play(tap, script: first + "began 0 250 200;frame;wait 10;ended 0;frame")
        == ["130 tap failed: tapped 50 points from the tap before, distance is 45"])
    var kind = GestureKind.LongPress()
    kind.taps = 1
    let press = Named("hold", .longPress(kind), fingers: fingers)
    #expect(
      play(press, script: first + second + "wait 600;ended 0;ended 1;frame")
        == ["630 hold began", "730 hold ended"])
    #expect(
      play(press, script: first + "began 0 250 200;frame;wait 600;ended 0;frame")
        == ["620 hold failed: tapped 50 points from the tap before, distance is 45"])
  }

  @Test("G3: a press after a tap begins where the tap was, in time")
  func pressAfterTap() {
    var kind = GestureKind.LongPress()
    kind.taps = 1
    let press = Named("hold", .longPress(kind))
    let tap = "began 0 300 200;frame;wait 50;ended 0;frame;wait 100;"
    #expect(
      play(press, script: tap + "began 0 300 200;frame;wait 600;ended 0;frame")
        == ["650 hold began", "750 hold ended"])
    #expect(
      play(press, script: tap + "began 0 400 200;frame;wait 600;ended 0;frame")
        == ["150 hold failed: tapped 100 points from the tap before, distance is 45"])
    #expect(
      play(press, script: "began 0 300 200;frame;wait 900;ended 0;frame")
        == ["750 hold failed: took longer than 750 ms"])
  }

  // MARK: Pan and edge pan

  @Test("G3, G15: a pan begins when the centroid has moved 10 points")
  func pan() {
    let pan = Named("pan", .pan())
    #expect(
      play(pan, script: "began 0 0 0;frame;wait 9;moved 0 6 8;frame;wait 9;ended 0;frame")
        == ["9 pan began", "18 pan ended"])
    #expect(
      play(pan, script: "began 0 0 0;frame;wait 9;moved 0 6 7.99;frame;wait 9;ended 0;frame")
        == ["18 pan failed: lifted before"])
  }

  @Test("G3: a pan along an axis goes at least as far along as across")
  func panAlong() {
    let pan = Named("pan", .pan(.vertical))
    #expect(
      play(pan, script: "began 0 0 0;frame;moved 0 10 10;frame;ended 0;frame")
        == ["0 pan began", "0 pan ended"])
    #expect(
      play(pan, script: "began 0 0 0;frame;moved 0 10 9.9;frame;ended 0;frame")
        == ["0 pan failed: moved 10 points across, slop is 10"])
    #expect(
      play(pan, script: "began 0 0 0;frame;moved 0 9 9;frame;ended 0;frame")
        == ["0 pan failed: lifted before"])
  }

  @Test("G3: an edge pan begins at most 20 points inside of the edge, and goes inwards")
  func edgePan() {
    let pan = Named("edge", .edgePan(.init(.right)))
    #expect(
      play(pan, script: "began 0 780 9;frame;moved 0 770 9;frame;ended 0;frame")
        == ["0 edge began", "0 edge ended"])
    #expect(
      play(pan, script: "began 0 779.9 9;frame;moved 0 770 9;frame;ended 0;frame")
        == ["0 edge failed: began 20.1 points from the edge, margin is 20"])
    #expect(
      play(pan, script: "began 0 785 9;frame;moved 0 795 9;frame;ended 0;frame")
        == ["0 edge failed: moved 10 points the other way, slop is 10"])
    #expect(
      play(pan, script: "began 0 785 9;frame;moved 0 780 29;frame;ended 0;frame")
        == ["0 edge failed: moved 20 points across, slop is 10"])
  }

  // MARK: Swipe

  @Test("G3, G15: a swipe goes 50 points its way in 500 ms, twice as far as across")
  func swipe() {
    let swipe = Named("swipe", .swipe(.init(.left)))
    #expect(
      play(swipe, script: "began 0 90 9;frame;wait 500;moved 0 40 34;frame;ended 0;frame")
        == ["500 swipe recognized"])
    #expect(
      play(swipe, script: "began 0 90 9;frame;wait 500;moved 0 40 34.1;frame;wait 1;ended 0;frame")
        == ["500 swipe failed: took longer than 500 ms"])
    #expect(
      play(swipe, script: "began 0 90 9;frame;moved 0 100 9;frame;ended 0;frame")
        == ["0 swipe failed: moved 10 points the other way, slop is 10"])
    #expect(
      play(swipe, script: "began 0 90 9;frame;moved 0 50 9;frame;ended 0;frame")
        == ["0 swipe failed: lifted before"])
  }

  // MARK: Devices

  @Test("G1: devices that come and go leave nothing, and all of them are heard (F5)")
  func devices() {
    let bench = GestureBench([Named("tap", .tap(.init()))])
    for device in 1...300 {
      _ = bench.play("device \(device);wait 900;began 0 300 200;frame;wait 20;ended 0;frame")
    }
    #expect(bench.finish().filter { $0.hasSuffix(" tap recognized") }.count == 300)
    #expect(bench.deviceCount <= 64)
  }

  // MARK: Pinch and rotation

  @Test("G3: a pinch begins when the mean distance to the centroid has changed by 10 points")
  func pinch() {
    let pinch = Named("pinch", .pinch(.init()))
    let start = "began 0 300 200;began 1 500 200;frame;wait 9;"
    #expect(
      play(pinch, script: start + "moved 0 310 200;moved 1 490 200;frame;ended 0;ended 1;frame")
        == ["9 pinch began", "9 pinch ended"])
    #expect(
      play(
        pinch, script: start + "moved 0 310 200;moved 1 490.1 200;frame;ended 0;frame;ended 1;frame"
      )
        == ["9 pinch failed: lifted before"])
  }

  @Test("G3: a rotation turns by 10 degrees, and by an arc of 10 points")
  func rotation() {
    let turn = Named("turn", .rotation(.init()))
    // 10 degrees and a bit at a distance of 100, and at one of 50, where the arc is under 9 points.
    let wide = "began 0 500 240;began 1 300 240;frame;moved 0 498.4 257.8;moved 1 301.6 222.2;frame"
    let narrow =
      "began 0 450 240;began 1 350 240;frame;moved 0 449.2 248.9;moved 1 350.8 231.1;frame"
    #expect(
      play(turn, script: wide + ";ended 0;ended 1;frame") == ["0 turn began", "0 turn ended"])
    #expect(
      play(turn, script: narrow + ";ended 0;ended 1;frame") == ["0 turn failed: lifted before"])
  }
}
