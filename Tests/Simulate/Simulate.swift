import Dispatch
import Foundation
import Glibc
import Simulator
import Synchronization
import TestSupport

/// The simulators as a program, which is built optimised: what fails goes to the standard output,
/// and is the end with status 1. It takes no arguments: `TOUCHROUTE_SIMULATE_WORLDS` and the like
/// say which worlds; where they make no sense, that is the end with status 64.
@main
enum Simulate {
  static func main() {
    let settings: SimulationSettings
    do {
      guard CommandLine.arguments.count == 1 else {
        throw Missing(
          "it takes no arguments; Tests/Simulator/SimulationSettings.swift says which variables of "
            + "the environment it reads")
      }
      settings = try SimulationSettings()
    } catch {
      try? FileHandle.standardError.write(contentsOf: Data("simulate: \(error)\n".utf8))
      exit(64)
    }
    let failures = Mutex(0)
    // Side by side, those of touches and those of gestures by turns.
    DispatchQueue.concurrentPerform(iterations: 2 * SimulationSettings.parts) { number in
      let part = number / 2
      var found: [String]
      do {
        found =
          number.isMultiple(of: 2)
          ? try TouchSimulator.failures(ofPart: part, of: settings)
          : try GestureSimulator.failures(ofPart: part, of: settings)
      } catch {
        found = ["\(error)"]
      }
      failures.withLock { count in
        count += found.count
        for failure in found { print(failure) }
      }
    }
    exit(failures.withLock { $0 } == 0 ? 0 : 1)
  }
}
