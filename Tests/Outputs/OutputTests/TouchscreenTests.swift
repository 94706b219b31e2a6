import COutput
import Testing

@Suite("A virtual touchscreen: what its readers are told")
struct TouchscreenTests {
  @Test("A tap: a slot, a tracking id, the place, BTN_TOUCH and the one finger; then its end")
  func tap() {
    let screen = VirtualScreen()
    #expect(screen.frame(0, down(7, 100, 50)) == ["id 1, x 100, y 50, touch 1, X 100, Y 50"])
    #expect(screen.frame(9, move(7, 110, 50)) == ["x 110, X 110"])
    #expect(screen.frame(10, move(7, 110, 50)) == [], "nothing has changed")
    #expect(screen.frame(20, up(7, 110, 50)) == ["id -1, touch 0"])
    #expect(screen.isIdle && screen.fingers == 0 && !screen.isTouched)
  }

  @Test("Several fingers: each has the lowest free slot, and readers of one finger see the oldest")
  func several() {
    let screen = VirtualScreen()
    screen.frame(0, down(1, 10, 10))
    #expect(screen.frame(1, down(2, 20, 20)) == ["slot 1, id 2, x 20, y 20"])
    #expect(
      screen.frame(2, move(1, 11, 10), move(2, 21, 20)) == ["slot 0, x 11, slot 1, x 21, X 11"])
    #expect(screen.frame(3, up(1, 11, 10)) == ["slot 0, id -1, X 21, Y 20"], "the next oldest")
    #expect(screen.frame(4, down(3, 30, 30)) == ["id 3, x 30, y 30"], "the slot is free again")
    #expect(
      screen.frame(5, up(2, 21, 20), up(3, 30, 30)) == ["slot 1, id -1, slot 0, id -1, touch 0"])
    #expect(screen.isIdle)
  }

  @Test("One that ends as another begins: readers of one finger see a lift between them")
  func turns() {
    let screen = VirtualScreen(slots: 1)
    screen.frame(0, down(1, 10, 10))
    #expect(
      screen.frame(1, up(1, 10, 10), down(2, 20, 10))
        == ["id -1, touch 0", "id 2, x 20, y 9, y 10, touch 1, X 20, Y 9, Y 10"])
  }

  @Test("One that begins and is cancelled in one frame leaves no finger")
  func both() {
    let screen = VirtualScreen()
    #expect(
      screen.frame(0, down(1, 10, 10), cancel(1)).last == "id -1, touch 0")
    #expect(screen.isIdle && !screen.isTouched)
  }

  @Test("A finger that comes down where the last one was says where, for who has started since")
  func samePlace() {
    let screen = VirtualScreen()
    screen.frame(0, down(1, 0, 10))
    screen.frame(1, up(1, 0, 10))
    #expect(
      screen.frame(2, down(2, 0, 10))
        == ["id 2, x 1, x 0, y 9, y 10, touch 1, X 1, X 0, Y 9, Y 10"])
  }

  @Test("A lift elsewhere than the last move is a move first")
  func movedLift() {
    let screen = VirtualScreen()
    screen.frame(0, down(1, 10, 10))
    #expect(screen.frame(1, up(1, 60, 10)) == ["x 60, X 60", "id -1, touch 0"])
  }

  @Test("More fingers than slots: one above is left out for its life, and the others go on")
  func tooMany() {
    let screen = VirtualScreen(slots: 2)
    screen.frame(0, down(1, 10, 10), down(2, 20, 10), down(3, 30, 10))
    #expect(screen.fingers == 2)
    #expect(screen.leftOut == 1)
    screen.frame(1, up(1, 10, 10))
    #expect(screen.frame(2, move(3, 31, 10)) == [], "a free slot makes no touch of a drag")
    #expect(screen.frame(3, up(3, 31, 10)) == [])
    screen.frame(4, up(2, 20, 10))
    #expect(screen.isIdle)
  }

  @Test("Tracking ids stay in their range, and the same id twice is one touch")
  func ids() {
    let screen = VirtualScreen()
    for round in 1...65535 as ClosedRange<UInt64> {
      screen.frame(round, down(round, 1, 1))
      screen.frame(round, up(round, 1, 1))
    }
    #expect(screen.frame(70_000, down(70_000, 1, 1)).first?.contains("id 0,") == true)
    #expect(screen.frame(70_001, down(70_000, 5, 5)) == [])
    #expect(screen.fingers == 1)
  }

  // MARK: Cancelling

  @Test("Cancelled: it goes to the far edge, as a place inside and then beyond, and is lifted (R9)")
  func away() {
    let screen = VirtualScreen()
    screen.frame(0, down(1, 700, 20))
    #expect(screen.frame(1, cancel(1)) == ["y 479, Y 479", "y 489, Y 489", "id -1, touch 0"])
    screen.frame(2, down(2, 700, 240))
    #expect(screen.frame(3, cancel(2)) == ["y 0, Y 0", "y -10, Y -10", "id -1, touch 0"])
  }

  @Test(
    "Cancelled in a drag: it leaves across the way it went, so that a slider or a list stays (R9)")
  func awayAcross() {
    let screen = VirtualScreen()
    func cancelled(_ id: UInt64, from: (Int32, Int32), to: (Int32, Int32)) -> String {
      screen.frame(id, down(id, from.0, from.1))
      screen.frame(id, move(id, to.0, to.1))
      return screen.frame(id, cancel(id)).prefix(2).joined(separator: "; ")
    }
    let up = "y 0, Y 0; y -10, Y -10"
    #expect(cancelled(1, from: (100, 300), to: (700, 310)) == up, "a slider")
    #expect(
      cancelled(2, from: (100, 300), to: (105, 200)) == "x 799, X 799; x 816, X 816", "a list")
    #expect(cancelled(3, from: (700, 100), to: (700, 131)) == "x 0, X 0; x -17, X -17")
    #expect(cancelled(4, from: (700, 300), to: (700, 270)) == up, "it may be on its button yet")
    #expect(cancelled(5, from: (100, 300), to: (200, 200)) == up, "as much sideways")
  }

  @Test("Two that are cancelled at once go beyond one edge, as far from each other as they were")
  func togetherAway() {
    let screen = VirtualScreen()
    screen.frame(0, down(1, 100, 100), down(2, 140, 100))
    #expect(
      screen.frame(1, cancel(1), cancel(2)) == [
        "slot 0, x 759, y 479, slot 1, x 799, y 479, X 759, Y 479",
        "slot 0, y 489, slot 1, y 489, Y 489",
        "slot 0, id -1, slot 1, id -1, touch 0",
      ])
    screen.frame(2, down(3, 700, 470), down(4, 760, 460))
    screen.frame(3, move(3, 700, 170), move(4, 760, 160))
    #expect(
      screen.frame(4, cancel(3), cancel(4)).prefix(2) == [
        "slot 0, x 0, y 0, slot 1, x 60, y 0, X 0, Y 0", "slot 0, y -10, slot 1, y -20, Y -10",
      ], "far from where they came down")
    screen.frame(5, down(5, 790, 10), down(6, 791, 200))
    #expect(
      screen.frame(6, cancel(5), cancel(6)).prefix(2) == [
        "slot 0, x 0, y 289, slot 1, x 0, y 479, X 0, Y 289",
        "slot 0, x -18, slot 1, x -17, X -18",
      ], "one above the other")
  }

  @Test("Fingers that are cancelled at once are all outside, within 5 % of the range")
  func spreadAway() {
    let screen = VirtualScreen()
    screen.frame(0, down(1, 100, 100), down(2, 140, 160))
    #expect(
      screen.frame(1, cancel(1), cancel(2)).prefix(2) == [
        "slot 0, x 799, y 419, slot 1, x 799, y 479, X 799, Y 419",
        "slot 0, x 816, slot 1, x 838, X 816",
      ], "never farther apart")
    screen.frame(2, down(3, 0, 240), down(4, 799, 479), down(5, 400, 300))
    #expect(
      screen.frame(3, cancel(3), cancel(4), cancel(5)).prefix(2) == [
        "slot 0, y 0, slot 1, y 0, slot 2, y 0, Y 0",
        "slot 0, y -23, slot 1, y -10, slot 2, y -20, Y -23",
      ], "as far as there is room")
  }

  @Test("Fingers that are cancelled at once and are far apart go to the corners, each to its own")
  func farApart() {
    let screen = VirtualScreen()
    screen.frame(0, down(1, 100, 50), down(2, 700, 400))
    #expect(
      screen.frame(1, cancel(1), cancel(2)).prefix(2) == [
        "slot 0, x 799, y 479, slot 1, x 0, y 0, X 799, Y 479",
        "slot 0, x 816, y 489, slot 1, x -17, y -10, X 816, Y 489",
      ])
  }

  @Test("One that is cancelled beside one that stays goes to the far edge alone")
  func oneAway() {
    let screen = VirtualScreen()
    screen.frame(0, down(1, 100, 100), down(2, 140, 100))
    #expect(screen.frame(1, cancel(2)) == ["y 479", "y 489", "id -1"])
  }

  @Test("Cancelled as a palm: it is a palm, then lifted, and the slot's next is a finger again")
  func palm() {
    let screen = VirtualScreen(cancel: TOUCHSCREEN_CANCEL_PALM)
    screen.frame(0, down(1, 700, 20))
    #expect(screen.frame(1, cancel(1)) == ["tool 2", "id -1, touch 0"])
    #expect(
      screen.frame(2, down(2, 700, 20)) == [
        "tool 0, id 2, x 699, x 700, y 19, y 20, touch 1, X 699, X 700, Y 19, Y 20"
      ])
  }

  @Test("Cancelled as a lift: it is lifted where it is")
  func lift() {
    let screen = VirtualScreen(cancel: TOUCHSCREEN_CANCEL_LIFT)
    screen.frame(0, down(1, 700, 20))
    #expect(screen.frame(1, cancel(1)) == ["id -1, touch 0"])
  }

  @Test("Ten at once are cancelled in three frames")
  func allAway() {
    let screen = VirtualScreen()
    for id in 1...10 as ClosedRange<UInt64> { screen.frame(id, down(id, Int32(id) * 50, 9)) }
    let frames = screen.frame(
      20, cancel(1), cancel(2), cancel(3), cancel(4), cancel(5), cancel(6), cancel(7), cancel(8),
      cancel(9), cancel(10))
    #expect(frames.count == 3)
    #expect(screen.isIdle && screen.fingers == 0)
  }
}
