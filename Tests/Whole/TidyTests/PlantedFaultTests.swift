import Foundation
import TestSupport
import Testing

/// What `scripts/mutants` is made of, without the build and the tests that it runs.
@Suite("Planted faults")
struct PlantedFaultTests {
  @Test("faults are found in Swift and C, and each is at work only where it is told")
  func faults() throws {
    let result = try RunningProgram.run(
      URL(filePath: "/usr/bin/env"), ["python3", "-B", "scripts/lib/faults_test.py"],
      in: Repository.root)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("scripts/mutants lists a draw by its seed, and refuses wrong arguments with status 64")
  func arguments() throws {
    let list = try mutants("--list", "--seed", "3", "--count", "2", "Sources/Core/Gestures")
    #expect(list.status == 0)
    #expect(list.output.split(separator: "\n").count == 2)
    #expect(list.errors.hasPrefix("mutants: seed 3, of "))
    for arguments in [
      ["--count", "0"], ["--seed", "x"], ["--only", "3"], ["--fast"], ["Sources/System"],
    ] {
      let result = try mutants(arguments)
      #expect(result.status == 64, "\(arguments)")
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("mutants: "), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
  }

  private func mutants(_ arguments: String...) throws -> RunningProgram.Result {
    try mutants(arguments)
  }

  private func mutants(_ arguments: [String]) throws -> RunningProgram.Result {
    try RunningProgram.run(
      Repository.root.appending(path: "scripts/mutants"), arguments, in: Repository.root)
  }
}
