import Simulator
import Testing

/// Random worlds against the oracle; ``SimulationSettings`` says which. `scripts/test` runs more of
/// them by the program simulate, which is optimised.
@Suite("Simulator")
struct SimulatorTests {
  @Test(
    "whatever happens, programs read what the oracle says, and nothing is left over (T, R, L6, F)",
    arguments: 0..<SimulationSettings.parts)
  func worlds(part: Int) throws {
    try TouchSimulator.run(part, of: SimulationSettings(), .touches) { failure in
      Issue.record("\(failure)")
    }
  }

  @Test(
    "screens that go dark, blankers, locks and idle watches are as the oracle says (D1 to D9)",
    arguments: 0..<SimulationSettings.parts)
  func screens(part: Int) throws {
    try TouchSimulator.run(part, of: SimulationSettings(), .screens) { failure in
      Issue.record("\(failure)")
    }
  }
}
