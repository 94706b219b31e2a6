import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient

/// docs/protocol.md against touchroute-protocol.h, as a C compiler lays it out.
@Suite("docs/protocol.md")
struct DocumentTests {
  /// A struct as the document draws it.
  private struct Drawing {
    var name: String
    var fields: [(offset: Int, type: String, name: String)] = []
    var size = -1
  }

  private let document: [String]
  private let header: String

  init() throws {
    let path = Repository.root.appending(path: "docs/protocol.md")
    document = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
    header = try String(
      contentsOfFile: Program.include + "/touchroute-protocol.h", encoding: .utf8)
  }

  @Test("every struct of the wire is drawn, each field at its place and of its size")
  func structs() throws {
    let drawings = self.drawings()
    let asserted = header.matches(of: #/TOUCHROUTE_ASSERT_SIZE\((\w+), \d+\)/#).map {
      String($0.1)
    }
    #expect(drawings.map(\.name).sorted() == asserted.sorted())
    var checks = ["#include <touchroute.h>"]
    for drawing in drawings {
      checks.append(assertion("sizeof(struct \(drawing.name)) == \(drawing.size)"))
      for field in drawing.fields {
        checks.append(
          assertion("offsetof(struct \(drawing.name), \(field.name)) == \(field.offset)"))
        checks.append(assertion("\(try generic(field.type, drawing.name, field.name)) == 1"))
      }
      // Fields that follow each other without a gap, and end at the size: none is left out.
      let ends = drawing.fields.dropFirst().map(\.offset) + [drawing.size]
      for (field, end) in zip(drawing.fields, ends) {
        checks.append(
          assertion(
            "sizeof(((struct \(drawing.name) *)0)->\(field.name)) == \(end - field.offset)"))
      }
    }
    try compile(checks)
  }

  @Test("every constant of the wire is named with its value")
  func constants() throws {
    var checks = ["#include <touchroute.h>"]
    var named: Set<String> = []
    for line in document {
      guard let row = line.wholeMatch(of: #/\| *([0-9a-fx]+) \| `(TOUCHROUTE_\w+)` *\|.*/#) else {
        continue
      }
      named.insert(String(row.2))
      checks.append(assertion("\(row.2) == \(row.1)"))
    }
    let enumerators = header.matches(of: #/\n +(TOUCHROUTE_\w+) = /#).map { String($0.1) }
    let macros = header.matches(of: #/#define (TOUCHROUTE_\w+) +[0-9]/#).map { String($0.1) }
    let undocumented = Set(enumerators + macros).subtracting(named)
      .subtracting(["TOUCHROUTE_COUNTERS"])  // not of the wire
    #expect(undocumented.sorted() == [])
    #expect(enumerators.count > 80)
    try compile(checks)
  }

  @Test("the bytes of the exchange are those of the vector")
  func exchange() throws {
    let vector = try Vector(name: "one_touch")
    var dumps: [[UInt8]] = []
    for line in document {
      guard let dump = line.wholeMatch(of: #/    ([0-9a-f]{4})  ([0-9a-f ]{49}) .*/#) else {
        continue
      }
      let bytes = dump.2.split(separator: " ").compactMap { UInt8($0, radix: 16) }
      if dump.1 == "0000" { dumps.append(bytes) } else { dumps[dumps.count - 1] += bytes }
    }
    try #require(dumps.count == 6)
    #expect(dumps[0] + dumps[2] == vector.requests)
    let daemon = dumps[1] + dumps[3] + dumps[4] + dumps[5]
    #expect(daemon == Array(vector.bytes.prefix(daemon.count)))
  }

  @Test("The guide's first program in C compiles without a warning, and says what is wrong")
  func first() throws {
    let blocks = try guideBlocks("c")
    try #require(blocks.count == 1)
    let program = try #require(blocks.first)
    let folder = try TemporaryDirectory()
    let source = folder.url.appending(path: "hello.c")
    try program.write(to: source, atomically: true, encoding: .utf8)
    let built = folder.url.appending(path: "hello").path
    let result = try RunningProgram.run(
      try #require(Program.find("cc") ?? Program.find("clang")),
      [
        "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-I", Program.include,
        source.path, Program.library, "-o", built,
      ])
    try #require(result.status == 0, "\(result.errors)")
    // A refused attachment is told, and what was got is written at once though nobody sees it.
    for word in [".error = on_error", "fflush(stdout)"] { #expect(program.contains(word)) }
  }

  /// The chapter of the guide on the first client.
  private func firstClient() throws -> String {
    let text = try String(
      contentsOf: Repository.root.appending(path: "docs/clients.md"), encoding: .utf8)
    let chapter = text.components(separatedBy: "\n## ").first {
      $0.hasPrefix("Your first client\n")
    }
    return try #require(chapter)
  }

  /// The chapter's blocks in a language, as they stand there.
  private func guideBlocks(_ language: String) throws -> [String] {
    try firstClient().components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  @Test("The guide's first program in C is built by its line, beside the three files")
  func firstLine() throws {
    let lines = try firstClient().split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("    cc -I. ") })
    let folder = try TemporaryDirectory()
    try folder.write("hello.c", try #require(try guideBlocks("c").first))
    for file in [
      "\(Program.include)/touchroute.h", "\(Program.include)/touchroute-protocol.h",
      Program.library,
    ] {
      let source = URL(filePath: file)
      try FileManager.default.copyItem(
        at: source, to: folder.url.appending(path: source.lastPathComponent))
    }
    let result = try RunningProgram.run(
      URL(filePath: "/bin/sh"), ["-c", String(line)], in: folder.url)
    #expect(result == .init(status: 0, output: "", errors: ""))
  }

  @Test(
    "The guide's first program in Swift compiles as pasted, and says that the daemon has gone",
    .enabled(if: ProcessInfo.processInfo.environment["TOUCHROUTE_SANITIZERS"] == nil))
  func firstInSwift() throws {
    let blocks = try guideBlocks("swift")
    try #require(blocks.count == 2 && blocks[0].contains("let package = Package("))
    let folder = try TemporaryDirectory()
    let source = try folder.write("main.swift", blocks[1])
    let built = Repository.program("touchrouted").deletingLastPathComponent()
    // Objects of files that are no longer there stay in the folder.
    let sources = FileManager.default.enumerator(
      atPath: Repository.root.appending(path: "Sources").path)
    let names = Set(
      (sources?.allObjects ?? []).compactMap { ($0 as? String)?.split(separator: "/").last })
    let objects = try ["TouchClient", "TouchModel", "Wire", "CTouchroute"].flatMap { room in
      let folder = built.appending(path: "\(room).build").path
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".o") && names.contains($0.dropLast(2)) }.map { "\(folder)/\($0)" }
    }
    let program = folder.url.appending(path: "hello")
    let module = built.appending(path: "CTouchroute.build/module.modulemap").path
    let result = try RunningProgram.run(
      try #require(Program.find("swiftc")),
      [
        "-swift-version", "6", source, "-o", program.path, "-I",
        built.appending(path: "Modules").path, "-Xcc", "-fmodule-map-file=\(module)",
      ] + objects)
    try #require(result.status == 0, "\(result.errors)")
    let daemon = try DaemonProcess.started(
      "[screen.panel]\nsize = [800, 480]\n[[window]]\nname = \"home\"\n",
      arguments: DaemonProcess.withoutDevices)
    let hello = try Program.start(program, [], with: daemon)
    let control = try DaemonClient(daemon.controlSocket)
    var isAttached = false
    while !isAttached {
      try #require(hello.isRunning)
      let asked = try control.connection.status()
      var isAnswered = false
      while !isAnswered {
        let event = try control.next { $0 }
        if case .status(_, .attachment(let item)) = event, item.path == "home" { isAttached = true }
        isAnswered = event.completion?.serial == asked
      }
    }
    daemon.kill()
    let end = hello.finish()
    #expect(end.status == 1 && end.errors == "", "\(end)")
    #expect(end.output.hasPrefix("hello: ") && end.output.hasSuffix("\n"), "\(end)")
  }

  /// The tables that follow a line "`struct NAME`".
  private func drawings() -> [Drawing] {
    var drawings: [Drawing] = []
    for line in document {
      if let title = line.wholeMatch(of: #/`struct (\w+)`/#) {
        drawings.append(Drawing(name: String(title.1)))
      } else if let row = line.wholeMatch(of: #/\| *(\d+) \| (\S+) +\| `(\w+)` +\|.*/#) {
        guard !drawings.isEmpty, drawings[drawings.count - 1].size < 0 else { continue }
        drawings[drawings.count - 1].fields.append(
          (Int(row.1) ?? -1, String(row.2), String(row.3)))
      } else if let row = line.wholeMatch(of: #/\| *(\d+) \| +\| +\|.*/#), !drawings.isEmpty {
        if drawings[drawings.count - 1].size < 0 {
          drawings[drawings.count - 1].size = Int(row.1) ?? -1
        }
      }
    }
    return drawings
  }

  private func assertion(_ condition: String) -> String {
    "_Static_assert(\(condition), \"docs/protocol.md: \(condition)\");"
  }

  /// An expression that is 1 where the field has the type that the document gives it.
  private func generic(_ type: String, _ drawing: String, _ field: String) throws -> String {
    let types = [
      "header": "struct touchroute_header", "u8": "uint8_t", "u16": "uint16_t",
      "u32": "uint32_t", "i32": "int32_t", "u64": "uint64_t", "f32": "float", "f64": "double",
      "value": "struct touchroute_property_value",
    ]
    let element = type.split(separator: "[")[0]
    let name = try #require(types[String(element)], "the document has a type \(type)")
    let index = type.contains("[") ? "[0]" : ""
    return
      "_Generic(((struct \(drawing) *)0)->\(field)\(index), \(name): 1, default: 0)"
  }

  private func compile(_ lines: [String]) throws {
    let folder = try TemporaryDirectory()
    let source = folder.url.appending(path: "checks.c")
    try lines.joined(separator: "\n").appending("\n")
      .write(to: source, atomically: true, encoding: .utf8)
    let result = try RunningProgram.run(
      try #require(Program.find("cc") ?? Program.find("clang")),
      ["-std=c11", "-I", Program.include, "-fsyntax-only", source.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(lines.count > 50)
  }
}
