import Layout
import TestSupport
import Testing
import TouchModel

/// Every form of the hit-test agrees with the recursion of H2, for every point (H8).
@Suite struct OracleTests {
  @Test("the compiled form answers as the recursion does, roundings included (H8)")
  func folded() throws {
    for seed in Seeds.fresh(400) { try compare(seed: seed, .folded) }
  }

  @Test("where no sum is rounded it answers as the rule is written (H8, L2)")
  func literal() throws {
    for seed in Seeds.fresh(400) { try compare(seed: seed, .literal) }
  }

  private func compare(seed: UInt64, _ arithmetic: Oracle.Arithmetic) throws {
    var scene = RandomScene(seed: seed, isExact: arithmetic == .literal)
    guard let layout = try? Layout(scene.description) else { return }
    let oracle = Oracle(layout, scene.description, arithmetic)
    let tester = HitTester(layout)
    for number in 0..<2500 {
      let point = scene.point(layout)
      let screen = ScreenIndex(number % 8 == 0 ? 1 : 0)
      let expected = oracle.hitTest(point, on: screen)
      let found = tester.hitTest(point, on: screen)
      let traced = number % 16 == 0 ? tester.trace(point, on: screen).target : expected
      guard found == expected, traced == expected else {
        Issue.record(
          """
          TOUCHROUTE_SEED=\(seed), \(arithmetic), point \(number) (\(point.x), \(point.y)): \
          expected \(expected.map(layout.path(of:)) ?? "-"), \
          found \(found.map(layout.path(of:)) ?? "-"), \
          traced \(traced.map(layout.path(of:)) ?? "-")
          """)
        return
      }
    }
  }
}
