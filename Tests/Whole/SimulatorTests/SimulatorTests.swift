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
    try TouchSimulator.run(part, of: SimulationSettings()) { failure in
      Issue.record("\(failure)")
    }
  }
}
