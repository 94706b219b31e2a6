import Foundation
import TestSupport
import Testing
import TouchModel

/// What is written of properties elsewhere, which follows from their declarations.
/// scripts/properties writes it anew.
@Suite("Tables of properties")
struct PropertyTableTests {
  typealias Kind = ViewChange.Property.Kind

  @Test(
    "Headers and documents say of each property what is declared of it (L2)",
    arguments: PropertyTable.all)
  func isCurrent(_ table: PropertyTable) throws {
    let file = Repository.root.appending(path: table.path)
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let renewed = try table.renew(lines)
    if ProcessInfo.processInfo.environment["TOUCHROUTE_RENEW"] == "1", lines != renewed {
      try renewed.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    }
    let differing = Set(renewed).symmetricDifference(lines).sorted()
    #expect(lines == renewed, "run scripts/properties, which writes anew: \(differing)")
  }

  @Test("Each property is declared once, under a name of its own (L2)")
  func declarations() {
    #expect(Set(Kind.declared) == Set(Kind.allCases))
    #expect(Kind.declared.count == Kind.allCases.count)
    #expect(Kind.allCases.map(\.declaration.kind) == Kind.allCases)
    #expect(Set(Kind.allCases.map(\.name)).count == Kind.allCases.count)
    #expect(Kind.allCases.map(\.rawValue) == (1...UInt32(Kind.allCases.count)).map(\.self))
  }
}

/// A file with a table of properties, and what makes its lines of those that it has.
struct PropertyTable: Sendable, CustomTestStringConvertible {
  typealias Kind = ViewChange.Property.Kind

  let path: String
  let renew: @Sendable ([String]) throws -> [String]
  var testDescription: String { path }

  static let all = [
    PropertyTable(path: "Sources/Client/CTouchroute/include/touchroute-protocol.h") { lines in
      let start = try #require(lines.firstIndex(of: "enum touchroute_property {"))
      let end = try #require(lines[start...].firstIndex(of: "};"))
      return lines[...start] + Kind.allCases.flatMap(\.constant) + lines[end...]
    },
    PropertyTable(path: "Sources/Client/CTouchroute/parts/properties.c") { lines in
      let head = "static const struct property_form property_forms[] = {"
      let start = try #require(lines.firstIndex(of: head))
      let end = try #require(lines[start...].firstIndex(of: "};"))
      return lines[...start] + Kind.allCases.flatMap(\.formInC) + lines[end...]
    },
    PropertyTable(path: "clients/python/touchroute/properties.py") { lines in
      let start = try #require(lines.firstIndex { $0.hasPrefix("class Property(") }) + 3
      let end = try #require(lines.lastIndex { $0.hasPrefix("FORMS") })
      return lines[..<start] + Kind.allCases.map(\.memberInPython) + ["", ""]
        + [lines[end]] + Kind.allCases.map(\.formInPython) + ["}", ""]
    },
    PropertyTable(path: "docs/protocol.md") { lines in
      try rows(Kind.allCases, in: lines, below: "### Properties") { kind in
        ("`\(kind.constantName)`", kind.protocolRow)
      }
    },
    PropertyTable(path: "docs/configuration.md") { lines in
      let keys = Kind.declared.filter { $0.declaration.key != nil }
      return try rows(keys, in: lines, below: "## [[view]]") { kind in
        let key = try #require(kind.declaration.key)
        return ("| `\(kind.name)` |", "| `\(kind.name)` | \(key.about) | \(key.standard) |")
      }
    },
    PropertyTable(path: "config/touchroute.toml") { lines in
      let keys = Kind.declared.filter { $0.declaration.key != nil }
      return try rows(keys, in: lines, below: "# [[view]]") { kind in
        let key = try #require(kind.declaration.key)
        let sample = "# \(key.sample)"
        let remark = key.remark.isEmpty ? "" : " # \(key.remark)"
        return (
          "# \(kind.name) = ", remark.isEmpty ? sample : sample.padding(toLength: 34) + remark
        )
      }
    },
  ]

  /// The lines with a row for each property; one that has none gets it behind the one before it.
  ///
  /// - Parameter row: A part of the row by which it is found, and the row.
  private static func rows(
    _ kinds: [Kind], in lines: [String], below heading: String,
    _ row: (Kind) throws -> (part: String, text: String)
  ) throws -> [String] {
    var lines = lines
    var last = try #require(lines.firstIndex(of: heading))
    let start = last
    for kind in kinds {
      let (part, text) = try row(kind)
      if let found = lines[start...].firstIndex(where: { $0.contains(part) }) {
        lines[found] = text
        last = found
      } else {
        last += 1
        lines.insert(text, at: last)
      }
    }
    return lines
  }
}

extension ViewChange.Property.Kind {
  fileprivate var formInC: [String] {
    let form: (name: String, least: Int, most: Int, wrong: String?) =
      switch declaration.form {
      case .flag: ("WHOLE", 0, 1, "its value has to be 0 or 1")
      case .whole(let range, _):
        (
          "WHOLE", range.lowerBound, range.upperBound,
          "its value has to be a whole number from \(range.lowerBound) to \(range.upperBound)"
        )
      case .number, .point, .rect, .transform, .outset: ("NUMBERS", 0, 0, nil)
      case .shape: ("SHAPE", 0, 0, nil)
      case .inside: ("INSIDE", 0, 0, nil)
      case .hit: ("HIT", 0, 0, nil)
      case .text(let rule, _) where rule.isName:
        (
          "NAME", 0, rule.most,
          "its words have to be a name of at most \(rule.most) letters, digits, _, . and -"
        )
      case .text(let rule, _):
        (
          "TEXT", 0, rule.most,
          "its words have to be a text of at most \(rule.most) characters, without control "
            + "characters"
        )
      case .nothing: ("NOTHING", 0, 0, nil)
      }
    let numbers = "FORM_\(form.name), \(valueCount), \(form.least), \(form.most)"
    guard let wrong = form.wrong else { return ["    [\(constantName)] = {\(numbers), NULL},"] }
    return ["    [\(constantName)] = {\(numbers),", "        \"\(wrong)\"},"]
  }

  fileprivate var memberInPython: String {
    "    \(name.uppercased()) = abi.PROPERTY_\(name.uppercased())"
  }

  fileprivate var formInPython: String {
    let form =
      switch declaration.form {
      case .flag: "\"flag\","
      case .number: "\"number\","
      case .whole(let range, _): "\"whole\", \(range.lowerBound), \(range.upperBound)"
      case .point: "\"numbers\", \"x, y\""
      case .rect: "\"numbers\", \"x, y, width, height\""
      case .transform: "\"numbers\", \"a, b, c, d, tx, ty\""
      case .outset: "\"outset\","
      case .shape: "\"shape\","
      case .inside: "\"inside\","
      case .hit: "\"hit\","
      case .text(let rule, _): "\"\(rule.isName ? "name" : "text")\", \(rule.most)"
      case .nothing: "\"nothing\","
      }
    return "    Property.\(name.uppercased()): (\(form)),"
  }

  fileprivate var constantName: String { "TOUCHROUTE_PROPERTY_\(name.uppercased())" }

  fileprivate var protocolRow: String {
    let number = "\(rawValue)"
    let space = String(repeating: " ", count: 6 - number.count)
    let name = "`\(constantName)`".padding(toLength: max(36, constantName.count + 2))
    return "|\(space)\(number) | \(name) | \(declaration.wire) |"
  }

  /// The constant of the header with its comment, which stands before it if it is long.
  fileprivate var constant: [String] {
    let line = "  \(constantName) = \(rawValue),"
    // As the header calls what the document links to.
    let comment = declaration.wire.filter { $0 != "`" }
      .replacing(/an? \[(\w+)\]\(#\w+\)/) { "enum touchroute_\($0.1)" }
    let whole = "\(line.padding(toLength: 44)) /* \(comment) */"
    if whole.count <= 100 { return [whole] }
    var lines = ["  /*"]
    for word in comment.split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 95 { lines.append("    ") }
      lines[lines.count - 1] += " \(word)"
    }
    lines[lines.count - 1] += " */"
    return lines + [line]
  }
}

extension String {
  fileprivate func padding(toLength length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
