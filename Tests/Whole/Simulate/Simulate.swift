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
          "it takes no arguments; Tests/Whole/Simulator/SimulationSettings.swift says which "
            + "variables of the environment it reads")
      }
      settings = try SimulationSettings()
    } catch {
      say("\(error)")
      exit(64)
    }
    let worlds = WorldsAtWork(threads: SimulationSettings.parts)
    worlds.nameThoseThatTrap()
    let progress = Progress()
    Thread.detachNewThread {
      while true {
        sleep(60)
        say("\(progress)")
        worlds.tellOfLong(seconds: 60)
      }
    }
    for kind in SimulationSettings.Kind.allCases {
      DispatchQueue.concurrentPerform(iterations: SimulationSettings.parts) { part in
        run(part, of: kind, settings, worlds, progress)
      }
    }
    print(progress)
    exit(progress.failureCount == 0 ? 0 : 1)
  }

  private static func run(
    _ part: Int, of kind: SimulationSettings.Kind, _ settings: SimulationSettings,
    _ worlds: WorldsAtWork, _ progress: Progress
  ) {
    func begins(_ seed: UInt64) {
      worlds.begin(seed, of: kind, in: part)
      progress.note(kind)
    }
    do {
      switch kind {
      case .touches, .screens:
        try TouchSimulator.run(
          part, of: settings, kind, onWorld: begins, onFailure: progress.noteFailure)
      case .gestures:
        try GestureSimulator.run(
          part, of: settings, onWorld: begins, onFailure: progress.noteFailure)
      }
    } catch {
      progress.noteFailure("\(error)")
    }
    worlds.end(in: part)
  }

  static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("simulate: \(text)\n".utf8))
  }
}

/// How many worlds have begun, and what has failed.
private final class Progress: Sendable, CustomStringConvertible {
  private struct State {
    var counts: [SimulationSettings.Kind: Int] = [:]
    var failureCount = 0
  }

  private let start = ContinuousClock.now
  private let state = Mutex(State())

  var failureCount: Int { state.withLock(\.failureCount) }

  /// A world begins.
  func note(_ kind: SimulationSettings.Kind) {
    state.withLock { $0.counts[kind, default: 0] += 1 }
  }

  /// A world has failed.
  func noteFailure(_ failure: String) {
    state.withLock { state in
      state.failureCount += 1
      print(failure)
      fflush(nil)
    }
  }

  var description: String {
    let seconds = (ContinuousClock.now - start).components.seconds
    return state.withLock { state in
      let counts = SimulationSettings.Kind.allCases
        .map { "\($0) \(state.counts[$0] ?? 0)" }.joined(separator: ", ")
      return "worlds of \(counts) in \(seconds) s, \(state.failureCount) failed"
    }
  }
}
