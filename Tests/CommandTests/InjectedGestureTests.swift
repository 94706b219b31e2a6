import TestSupport
import Testing

/// Touches of `touchroute tap` and its like, in views with recognisers.
@Suite("Commands that steer, beside gestures")
struct InjectedGestureTests {
  private static let gestures =
    panel + """
      [[gesture]]
      view = "home"
      name = "twice"
      kind = "tap"
      taps = 2
      [[gesture]]
      view = "home"
      name = "once"
      kind = "tap"
      after = ["home#twice"]

      """

  @Test("tap tells of a touch that a gesture takes away after its end (G7, G9, G10)")
  func waits() throws {
    let house = try House(Self.gestures)
    let listener = try house.listen("--gestures", "home")
    defer { withExtendedLifetime(listener) {} }
    let tap = try house.start("tap", "200", "470").waitForEnd()
    #expect(tap.status == 0)
    #expect(tap.output.hasSuffix("\ntouch 1 was cancelled: gesture\n"), "\(tap.output)")
  }

  @Test("a finger that a script leaves down is not held there for gestures")
  func leavesDown() throws {
    let house = try House(
      panel + """
        [[gesture]]
        view = "home"
        name = "menu"
        kind = "long_press"
        duration_ms = 4000

        """)
    let listener = try house.listen("--gestures", "home")
    defer { withExtendedLifetime(listener) {} }
    let inject = try house.start(shell: "printf 'began 0 200 470\nframe\n' | touchroute inject -")
    let result = try inject.waitForEnd()
    #expect(result.status == 0)
    #expect(!result.output.contains("cancelled: gesture"), "\(result.output)")
  }
}
