import Foundation
import TestSupport
import Testing

/// The files of the page, as they are in the program.
@Suite("The files of the page")
struct PageFileTests {
  private static let folder = Repository.root.appending(
    path: "Sources/Tool/touchroute-inspect/Page")

  private static var files: [(name: String, lines: [String])] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return (name, text.components(separatedBy: "\n"))
      }
    }
  }

  @Test("they load nothing from elsewhere, and make no HTML and no script of text (S51)")
  func contents() throws {
    let forbidden = [
      "://", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
      "new Function", "setTimeout('", "javascript:", "style=", "onclick=", "\t",
    ]
    for (name, lines) in try Self.files {
      for (number, line) in lines.enumerated() {
        #expect(line.count <= 100, "\(name):\(number + 1) is longer than 100 columns")
        #expect(!line.hasSuffix(" "), "\(name):\(number + 1) ends with a blank")
        for word in forbidden {
          #expect(!line.contains(word), "\(name):\(number + 1) has \(word)")
        }
      }
    }
  }

  @Test("every script that is imported is served, and every element that is looked for is there")
  func references() throws {
    let files = try Self.files
    let names = Set(files.map(\.name))
    let html = try #require(files.first { $0.name == "page.html" }).lines.joined(separator: "\n")
    for (name, lines) in files {
      let text = lines.joined(separator: "\n")
      for match in text.matches(of: #/from '\./([a-z]+\.js)'|(?:src|href)="([a-z.]+)"/#) {
        let file = String(match.1 ?? match.2 ?? "")
        #expect(names.contains(file), "\(name) loads \(file)")
      }
      for match in text.matches(of: #/(?:element|getElementById)\('([a-z-]+)'\)/#) {
        #expect(html.contains("id=\"\(match.1)\""), "\(name) looks for #\(match.1)")
      }
    }
  }
}
