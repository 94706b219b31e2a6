import Simulator
import Testing

/// Random recognizers against the oracle of gestures, as ``SimulatorTests`` runs worlds.
@Suite("Simulator of gestures")
struct GestureSimulatorTests {
  @Test(
    "whatever fingers do, recognizers and touches go as the oracle says (G2 to G13, G15 to G17)",
    arguments: 0..<SimulationSettings.parts)
  func worlds(part: Int) throws {
    try GestureSimulator.run(part, of: SimulationSettings()) { failure in
      Issue.record("\(failure)")
    }
  }
}
