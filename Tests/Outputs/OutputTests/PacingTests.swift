import COutput
import Testing

@Suite("A virtual touchscreen: when its readers are told")
struct PacingTests {
  @Test("A replayed tap stays for the pace, although it comes in one moment (R5)")
  func tap() {
    let screen = VirtualScreen()
    #expect(screen.frame(100, down(1, 10, 10, replayed: true)).count == 1)
    #expect(screen.frame(100, up(1, 10, 10, replayed: true)) == [])
    #expect(screen.due == 140)
    #expect(screen.tell(139) == [])
    #expect(!screen.isIdle)
    #expect(screen.tell(140) == ["id -1, touch 0"])
    #expect(screen.isIdle && screen.due == nil)
  }

  @Test("Of two replayed taps the second comes a pace after the first one's lift (R5)")
  func doubleTap() {
    let screen = VirtualScreen()
    screen.frame(100, down(1, 10, 10, replayed: true))
    screen.frame(100, up(1, 10, 10, replayed: true))
    screen.frame(100, down(2, 12, 10, replayed: true))
    screen.frame(100, up(2, 12, 10, replayed: true))
    #expect(screen.tell(140) == ["id -1, touch 0"])
    #expect(screen.due == 180)
    #expect(screen.tell(180) == ["id 2, x 12, y 9, y 10, touch 1, X 12, Y 9, Y 10"])
    #expect(screen.due == 220)
    #expect(screen.tell(220) == ["id -1, touch 0"])
  }

  @Test("What comes behind one that waits comes in its order, moves as the latest alone (F2)")
  func order() {
    let screen = VirtualScreen()
    screen.frame(100, down(1, 10, 10, replayed: true), down(2, 500, 10))
    screen.frame(100, up(1, 10, 10, replayed: true))
    for step in 1...20 as ClosedRange<Int32> {
      screen.frame(UInt64(100 + step), move(2, 500 + step, 10))
    }
    screen.frame(125, up(2, 520, 10))
    #expect(
      screen.tell(140) == ["slot 0, id -1, X 500", "slot 1, x 520, X 520", "id -1, touch 0"])
    #expect(screen.isIdle)
  }

  @Test("A finger that is still down after a replay moves at once, and is lifted at once")
  func live() {
    let screen = VirtualScreen()
    screen.frame(100, down(1, 10, 10, replayed: true))
    #expect(screen.frame(101, move(1, 20, 10, replayed: true)).count == 1)
    #expect(screen.frame(160, move(1, 30, 10)).count == 1)
    #expect(screen.frame(170, up(1, 30, 10)) == ["id -1, touch 0"])
  }

  @Test("What is not replayed is told at once, however short it is")
  func notReplayed() {
    let screen = VirtualScreen()
    for time in 0..<100 as Range<UInt64> {
      #expect(screen.frame(time, down(time + 1, 1, 1)).count == 1)
      #expect(screen.frame(time, up(time + 1, 1, 1)).count == 1)
    }
  }

  @Test("Without a pace a replay is told at once")
  func withoutPace() {
    let screen = VirtualScreen(paceMilliseconds: 0)
    screen.frame(100, down(1, 10, 10, replayed: true))
    #expect(screen.frame(100, up(1, 10, 10, replayed: true)) == ["id -1, touch 0"])
  }

  @Test("However much waits, the queue is bounded, and every touch that began ends (T5)")
  func bounded() {
    let screen = VirtualScreen()
    for id in 1...1000 as ClosedRange<UInt64> {
      screen.frame(100, down(id, 1, 1, replayed: true))
      screen.frame(100, up(id, 1, 1, replayed: true))
    }
    // A frame that never ends is told by pieces.
    for id in 2000...3000 as ClosedRange<UInt64> {
      screen.frame(100, down(id, 1, 1))
      screen.frame(100, up(id, 1, 1))
    }
    for time in 1...100 as ClosedRange<UInt64> { _ = screen.tell(100 + time * 1000) }
    #expect(screen.isIdle)
    #expect(screen.fingers == 0 && !screen.isTouched)
    #expect(screen.leftOut == 0)
  }
}
