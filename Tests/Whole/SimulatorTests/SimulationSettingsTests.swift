import Foundation
import Simulator
import TestSupport
import Testing

@Suite("Settings of the simulators")
struct SimulationSettingsTests {
  private func problem(_ environment: [String: String]) -> String {
    do {
      _ = try SimulationSettings(environment)
      return ""
    } catch { return "\(error)" }
  }

  @Test("a number that is none, or a setting that is none, is refused by name")
  func numbers() {
    #expect(problem([:]) == "")
    #expect(problem(["TOUCHROUTE_SIMULATE_SEED": "18446744073709551615"]) == "")
    #expect(
      problem(["TOUCHROUTE_SIMULATE_WORLDS": "many"])
        == "TOUCHROUTE_SIMULATE_WORLDS is \"many\": it must be a whole number, "
        + "0 to \(Int.max)")
    for (name, text) in [("SEED", "-1"), ("STEPS", "1.5"), ("FIRST", ""), ("SECONDS", "9 s")] {
      #expect(problem(["TOUCHROUTE_SIMULATE_" + name: text]).contains("\(name) is \"\(text)\""))
    }
    #expect(
      problem(["TOUCHROUTE_SIMULATE_SEEDS": "1"])
        .hasPrefix("there is no setting TOUCHROUTE_SIMULATE_SEEDS; there are"))
  }

  @Test("a script that is not there, or has a line that is no step, is refused with the line")
  func scripts() throws {
    let folder = try TemporaryDirectory()
    func mistake(_ text: String) throws -> String {
      let path = try folder.write("script", text)
      return problem(["TOUCHROUTE_SIMULATE_SCRIPT": path])
        .replacing(path, with: "FILE")
    }
    let begins = "FILE:1: a script begins with \"seed NUMBER\", or \"seed NUMBER screens\""
    #expect(try mistake("seed 7\ndown 0 1 20 30\n\n# what fails\n") == "")
    #expect(try mistake("down 0 1\n") == begins)
    #expect(try mistake("") == begins)
    #expect(try mistake("seed 7 screens\npower 0 0 0 1\n") == "")
    #expect(try mistake("seed 7 gestures\n") == begins)
    #expect(
      try mistake("seed 7\n\ndown 0 x\n") == "FILE:3: there is no step \"down 0 x\"")
    #expect(
      problem(["TOUCHROUTE_SIMULATE_SCRIPT": folder.file("none")])
        .hasPrefix("the script \(folder.file("none")) can't be read"))
  }
}
