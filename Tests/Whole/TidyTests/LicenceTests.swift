import Foundation
import TestSupport
import Testing

/// What packaging/debian/copyright says of the Swift packages in the programs.
@Suite("Licences")
struct LicenceTests {
  /// A Swift package that `swift build` has fetched.
  private struct Package {
    let name: String
    let folder: URL
    let modules: [String]
  }

  /// A program of Swift, and where Debian's packages install it.
  private static let programs = [
    "touchrouted": "usr/bin/touchrouted", "touchroute": "usr/bin/touchroute",
    "touchroute-inspect": "usr/libexec/touchroute/touchroute-inspect",
  ]

  @Test(
    "each Swift package in an installed program is named with its notice", arguments: programs)
  func packages(program: String, path: String) throws {
    let stanza = try stanza(for: path)
    let linked = try linkedPackages(in: symbols(of: program))
    try #require(!linked.isEmpty)
    for package in linked {
      #expect(stanza.contains(package.name), "\(path)")
      let notice = package.folder.appending(path: "NOTICE.txt")
      guard FileManager.default.fileExists(atPath: notice.path) else { continue }
      let text = try String(contentsOf: notice, encoding: .utf8)
      #expect(words(stanza).contains(words(text)), "\(package.name)'s notice for \(path)")
    }
  }

  @Test("code of others that a Swift package has in it is named where it is in a program")
  func parts() throws {
    let symbols = try symbols(of: "touchroute-inspect")
    let stanza = words(try stanza(for: try #require(Self.programs["touchroute-inspect"])))
    // A symbol of the part, and what the stanza says of it.
    let parts = [
      ("c_nio_llhttp_init", "llhttp, under the MIT license above, Copyright Fedor Indutny, 2018"),
      ("catmc_nio_atomic_", "cpp_magic.h, under the MIT license above"),
      ("10_NIOBase64", "derivations of Base64.swift"),
      ("10_TinyArray", "_TinyArray.swift"),
      ("asyncDo", "StructuredConcurrencyHelpers"),
    ]
    for (symbol, words) in parts {
      #expect(stanza.contains(words))
      #expect(symbols.contains(symbol), "\(words) is named, and is not in the program")
    }
    #expect(!symbols.contains("c_nio_sha1"), "sha1.c is in the program")
  }

  private func linkedPackages(in symbols: String) throws -> [Package] {
    try fetchedPackages().filter { package in
      package.modules.contains { symbols.contains(" $s\($0.utf8.count)\($0)") }
    }
  }

  private func fetchedPackages() throws -> [Package] {
    let files = FileManager.default
    let checkouts = Repository.root.appending(path: ".build/checkouts")
    return try files.contentsOfDirectory(atPath: checkouts.path).sorted().map { name in
      let folder = checkouts.appending(path: name)
      let modules = try files.contentsOfDirectory(
        atPath: folder.appending(path: "Sources").path)
      return Package(name: name, folder: folder, modules: modules)
    }
  }

  private func symbols(of program: String) throws -> String {
    let result = try RunningProgram.run(
      URL(filePath: "/usr/bin/nm"), [Repository.program(program).path])
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// The stanza for an installed file: the last one that has it, as DEP-5 wants.
  private func stanza(for path: String) throws -> String {
    let text = try SourceTree.file("packaging/debian/copyright").lines.joined(separator: "\n")
    let stanzas = text.split(separator: "\n\n").filter { stanza in
      guard let pattern = stanza.wholeMatch(of: #/Files: (\S+)\n[\s\S]*/#)?.1 else { return false }
      guard pattern.hasSuffix("*") else { return path == pattern }
      return path.hasPrefix(pattern.dropLast())
    }
    return String(try #require(stanzas.last))
  }

  /// Without line breaks, indentation and the dots of empty lines.
  private func words(_ text: some StringProtocol) -> String {
    text.split(whereSeparator: \.isWhitespace).filter { $0 != "." }.joined(separator: " ")
  }
}
