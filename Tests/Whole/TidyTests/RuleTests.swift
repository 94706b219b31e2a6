import Foundation
import TestSupport
import Testing

/// The rules of docs/rules.md, the code that keeps them and the tests that pin them know one
/// another by the rules' ids: `scripts/rules` reads them. So do the promises of docs/security.md
/// and the tests that hold them.
@Suite("docs/rules.md and docs/security.md")
struct RuleTests {
  @Test("every rule is cited by a test's name and by a comment in Sources, and no other one is")
  func repository() throws {
    let result = try RunningProgram.run(script, [])
    #expect(result.errors == "")
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count { !$0.hasPrefix(" ") } > 80)
  }

  @Test("a rule is printed with the file, line and name of each test and suite that cites it")
  func listing() throws {
    let checkout = try Checkout()
    try checkout.write("Sources/Room/Room.swift", "// Rules L1 to L3 and H1.\n")
    try checkout.write(
      "Tests/RoomTests/RoomTests.swift",
      """
      @Suite("The room (H1)")
      struct RoomTests {
        @Test(
          "it has walls (L1 to L3)", arguments: [1])
        func walls() {}
        @Test("it has a door (H1.2); HTTP2 is no rule, nor H1x")
        func door() {}  // L2
      }

      """)
    try checkout.write("Tests/Room/Commands/a.t", "It opens (L3).\n\n  $ open  # H1\n")
    let walls = "  Tests/RoomTests/RoomTests.swift:3 it has walls (L1 to L3)\n"
    let table = "  Tests/Room/Commands/a.t:1 It opens (L3).\n"
    let door = """
        Tests/RoomTests/RoomTests.swift:1 The room (H1)
        Tests/RoomTests/RoomTests.swift:6 it has a door (H1.2); HTTP2 is no rule, nor H1x

      """
    #expect(
      try checkout.run()
        == .init(
          status: 0,
          output: "L1\n\(walls)L2\n\(walls)L3\n\(walls)\(table)H1\n\(door)S1\n"
            + "  Tests/OtherTests/PromiseTests.swift:1 it is kept (S1)\n", errors: ""))
    #expect(try checkout.run("H1") == .init(status: 0, output: "H1\n\(door)", errors: ""))
    #expect(
      try checkout.run("L3", "L1")
        == .init(status: 0, output: "L3\n\(walls)\(table)L1\n\(walls)", errors: ""))
  }

  @Test("what is missing is named in a sentence each, and the status is 1")
  func missing() throws {
    let checkout = try Checkout()
    try checkout.write("Sources/Room/Room.swift", "let H1 = \"L3\"\n/// Rules L1 and L2.\n")
    try checkout.write(
      "Tests/RoomTests/RoomTests.swift", "@Test(\"walls (L1)\")\nfunc walls() {}  // H1, T9\n")
    try checkout.write("Tests/Whole/TidyTests/RuleTests.swift", "@Test(\"as such (L2, F9)\")\n")
    let result = try checkout.run()
    #expect(result.status == 1)
    #expect(
      result.errors.split(separator: "\n") == [
        "rules: no test's name cites rule L2; cite it where it is pinned",
        "rules: no test's name cites rule L3; cite it where it is pinned",
        "rules: no test's name cites rule H1; cite it where it is pinned",
        "rules: no comment in Sources cites rule L3; cite it where it is kept",
        "rules: no comment in Sources cites rule H1; cite it where it is kept",
        "rules: Tests/RoomTests/RoomTests.swift:2 cites rule T9, which docs/rules.md does not have",
      ])
    #expect(try checkout.run("L1").status == 0)
    #expect(try checkout.run("L2").status == 1)
  }

  @Test("an id stands once in docs/rules.md, and what is no rule is a wrong argument")
  func mistakes() throws {
    let checkout = try Checkout()
    #expect(
      try checkout.run("H9")
        == .init(
          status: 64, output: "",
          errors:
            "rules: \"H9\" is no rule of docs/rules.md, nor a promise of docs/security.md; see "
            + "--help\n"))
    #expect(try checkout.run("--help").output.hasPrefix("Usage: scripts/rules [RULE...]\n"))
    try checkout.write("docs/rules.md", "- H1. One.\n- H1. Another.\n")
    let twice = try checkout.run()
    #expect(twice.status == 1)
    #expect(twice.errors == "rules: docs/rules.md has two rules H1; give one another id\n")
    try checkout.write("docs/rules.md", "# The rules\n")
    #expect(try checkout.run().status == 1)
  }

  private var script: URL { Repository.root.appending(path: "scripts/rules") }

  /// A checkout with four rules and the script.
  private struct Checkout {
    private let folder: TemporaryDirectory

    init() throws {
      folder = try TemporaryDirectory()
      try write("docs/rules.md", "# The rules\n\n- L1. A.\n- L2. B.\n- L3. C.\n- H1. D.\n")
      try write("docs/security.md", "# Security\n\n- S1. E.\n")
      try write("Tests/OtherTests/PromiseTests.swift", "@Test(\"it is kept (S1)\")\n")
      try write(
        "scripts/rules",
        try String(
          contentsOf: Repository.root.appending(path: "scripts/rules"), encoding: .utf8))
    }

    func write(_ path: String, _ text: String) throws {
      let file = folder.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func run(_ arguments: String...) throws -> RunningProgram.Result {
      try RunningProgram.run(
        URL(filePath: "/usr/bin/env"), ["python3", folder.file("scripts/rules")] + arguments)
    }
  }
}
