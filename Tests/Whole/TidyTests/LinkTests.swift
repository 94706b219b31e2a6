import Foundation
import TestSupport
import Testing

/// Where the links of documents lead.
@Suite("Links")
struct LinkTests {
  /// A link in a document's text.
  private struct Link {
    let file: String
    let anchor: String
  }

  @Test("a relative link of an installed guide leads to a guide that is installed beside it")
  func installed() throws {
    let guides = try self.guides()
    #expect(guides.count > 5)
    let installed = try [".png", ".svg"].reduce(guides) {
      try $0.union(self.installed(endingWith: $1))
    }
    var broken: [String] = []
    for guide in guides {
      for link in try links(of: "docs/\(guide)") where !installed.contains(link.file) {
        broken.append("docs/\(guide): \(link.file)")
      }
    }
    #expect(broken == [])
  }

  @Test("a relative link of a document leads to a file, and to a heading that this has")
  func present() throws {
    var broken: [String] = []
    var count = 0
    let documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
    for document in try documents + guides().map({ "docs/\($0)" }) {
      let folder = document.hasPrefix("docs/") ? "docs/" : ""
      for link in try links(of: document) {
        count += 1
        let path = folder + link.file
        let isThere = FileManager.default.fileExists(
          atPath: Repository.root.appending(path: path).path)
        let hasHeading = try link.anchor.isEmpty || headings(of: path).contains(link.anchor)
        if !isThere || !hasHeading { broken.append("\(document): \(path)#\(link.anchor)") }
      }
    }
    #expect(broken == [])
    #expect(count > 50)
  }

  /// The guides that packaging/debian/touchroute-doc.docs installs.
  private func guides() throws -> Set<String> { try installed(endingWith: ".md") }

  /// The files of docs that are installed, by how their names end.
  private func installed(endingWith ending: String) throws -> Set<String> {
    let list = try SourceTree.file("packaging/debian/touchroute-doc.docs")
    try #require(
      list.lines.filter { !$0.isEmpty } == ["docs/*.md", "docs/*.png", "docs/*.svg"],
      "another list of guides")
    let folder = Repository.root.appending(path: "docs").path
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) })
  }

  /// A document's relative links; one to a heading of its own names the document itself.
  private func links(of document: String) throws -> [Link] {
    let own = String(document.split(separator: "/").last ?? "")
    return try SourceTree.file(document).lines.flatMap { line in
      line.matches(of: #/\]\(([^)#]*)#?([^)]*)\)/#).compactMap { match in
        if match.1.contains("://") { return nil }
        return Link(file: match.1.isEmpty ? own : String(match.1), anchor: String(match.2))
      }
    }
  }

  /// The anchors of a document's headings.
  private func headings(of document: String) throws -> Set<String> {
    Set(
      try SourceTree.file(document).lines.filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
          .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      })
  }
}
