import Dispatch
import Foundation
import Glibc
import Simulator
import Synchronization

/// The simulators as a program, which is built optimised: what fails goes to the standard output,
/// and is the end with status 1. `TOUCHROUTE_SIMULATE_WORLDS` and the like say which worlds.
@main
enum Simulate {
  static func main() {
    let failures = Mutex(0)
    // Side by side, those of touches and those of gestures by turns.
    DispatchQueue.concurrentPerform(iterations: 2 * SimulationSettings.parts) { number in
      let part = number / 2
      var found: [String]
      do {
        found =
          number.isMultiple(of: 2)
          ? try TouchSimulator.failures(ofPart: part) : try GestureSimulator.failures(ofPart: part)
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
