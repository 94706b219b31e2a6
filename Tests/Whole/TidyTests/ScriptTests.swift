import Foundation
import TestSupport
import Testing

@Suite("Scripts")
struct ScriptTests {
  @Test("whatever the language of a terminal, scripts read what tools print in one")
  func language() throws {
    let result = try RunningProgram.run(
      URL(filePath: "/bin/bash"),
      ["-c", "source scripts/lib/common.sh; exec perl -e 'print 1.5' 2>&1"], in: Repository.root,
      environment: ["LC_ALL": "nowhere.UTF-8"])
    #expect(result.output == "1.5")
  }
}
