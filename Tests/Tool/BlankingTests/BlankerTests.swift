import Testing
import TouchModel

@testable import Blanking

@Suite("A blanker")
struct BlankerTests {
  private var blanker = Blanker()

  init() {
    blanker.turnOn()
    #expect(blanker.takeActions() == [.light(.full)])
    blanker.reached(.full)
    #expect(blanker.takeActions() == [.ask(isOn: true)])
    blanker.answered(isOn: true)
    #expect(blanker.takeActions() == [] && blanker.isSettled)
  }

  @Test("the light goes off once the daemon knows that it is dark, and on before it is told (D2)")
  mutating func order() {
    blanker.setIdle(true)
    #expect(blanker.takeActions() == [.ask(isOn: false)])
    blanker.answered(isOn: false)
    #expect(blanker.takeActions() == [.light(.off)])
    blanker.reached(.off)
    #expect(blanker.takeActions() == [])
    blanker.setIdle(false)
    blanker.heard(.waking, because: .woken)
    #expect(blanker.takeActions() == [.light(.full)])
    #expect(!blanker.isSettled)
    blanker.reached(.full)
    #expect(blanker.takeActions() == [.ask(isOn: true)])
    blanker.answered(isOn: true)
    #expect(blanker.takeActions() == [])
  }

  @Test("whoever touches the screen while it is made dark never sees it go off (D2)")
  mutating func late() {
    blanker.setIdle(true)
    blanker.setIdle(false)
    #expect(blanker.takeActions() == [.ask(isOn: false)])
    blanker.answered(isOn: false)
    #expect(blanker.takeActions() == [.light(.full)])
    blanker.reached(.full)
    #expect(blanker.takeActions() == [.ask(isOn: true)])
  }

  @Test("when the daemon is lost, the light goes on; the next one is told that it is on (D2)")
  mutating func lost() {
    blanker.setIdle(true)
    blanker.answered(isOn: false)
    _ = blanker.takeActions()
    blanker.lost()
    #expect(blanker.takeActions() == [.light(.full)])
    blanker.heard(.dark, because: .requested)
    blanker.reached(.full)
    #expect(blanker.takeActions() == [] && blanker.isSettled)
    blanker.turnOn()
    blanker.reached(.full)
    #expect(blanker.takeActions() == [.light(.full), .ask(isOn: true)])
  }

  @Test("an administrator's dark and on reach the light; idle then counts anew (D2)")
  mutating func administrator() {
    blanker.heard(.dark, because: .requested)
    #expect(blanker.takeActions() == [.light(.off)])
    blanker.heard(.on, because: .requested)
    #expect(blanker.takeActions() == [.light(.full), .watchAnew])
    // Beside a request of its own: what is answered last holds.
    blanker.heard(.dark, because: .requested)
    blanker.heard(.waking, because: .woken)
    blanker.reached(.full)
    blanker.heard(.dark, because: .requested)
    _ = blanker.takeActions()
    blanker.answered(isOn: true)
    #expect(blanker.takeActions() == [.light(.full)])
  }

  @Test("if the light takes longer than wake_timeout_ms, the screen is on, and so it stays (D4)")
  mutating func timedOut() {
    blanker.setIdle(true)
    blanker.answered(isOn: false)
    blanker.heard(.waking, because: .woken)
    _ = blanker.takeActions()
    blanker.heard(.on, because: .timedOut)
    blanker.reached(.full)
    #expect(blanker.takeActions() == [.light(.full)])
    blanker.setIdle(true)
    #expect(blanker.takeActions() == [.ask(isOn: false)])
    blanker.refusedDark()
    #expect(blanker.takeActions() == [] && blanker.isSettled)
  }

  @Test("a light is dimmed before the screen is dark, and full again when it wakes (D4)")
  mutating func dimmed() {
    blanker.setDimmed(true)
    #expect(blanker.takeActions() == [.light(.dim)])
    blanker.setDimmed(false)
    #expect(blanker.takeActions() == [.light(.full)])
    blanker.setDimmed(true)
    blanker.setIdle(true)
    blanker.answered(isOn: false)
    _ = blanker.takeActions()
    blanker.setDimmed(false)
    #expect(blanker.takeActions() == [])
  }
}
