import Foundation
import TestSupport
import Testing

/// The loops of docs/clients.md, against the libraries that are installed.
@Suite("docs/clients.md")
struct RecipeTests {
  /// The header that a recipe is for, and the package that brings it.
  private static let packages = [
    "glib-unix.h": "glib-2.0", "systemd/sd-event.h": "libsystemd", "uv.h": "libuv",
    "QSocketNotifier": "Qt5Core",
  ]

  @Test("the recipe for each loop compiles without a warning, where Debian's library is there")
  func compiles() throws {
    let text = try String(
      contentsOf: Repository.root.appending(path: "docs/clients.md"), encoding: .utf8)
    var found: Set<String> = []
    var compiled: Set<String> = []
    for language in ["c", "cpp"] {
      for block in text.components(separatedBy: "```\(language)\n").dropFirst() {
        let recipe = block.components(separatedBy: "```")[0]
        // The first client, of which DocumentTests has more to say, has no loop.
        if recipe.contains("touchroute_connect(NULL, \"hello\"") { continue }
        let header = try #require(
          Self.packages.keys.first { recipe.contains("#include <\($0)>") }, "\(recipe)")
        found.insert(header)
        let package = try #require(Self.packages[header])
        if try compile(recipe, language, with: package) { compiled.insert(header) }
      }
    }
    #expect(found == Set(Self.packages.keys))
    // touchroute itself needs libsystemd.
    #expect(compiled.contains("systemd/sd-event.h"))
  }

  /// Whether the library is there; then the recipe has compiled.
  private func compile(
    _ recipe: String, _ language: String, with package: String
  ) throws -> Bool {
    let folder = try TemporaryDirectory()
    let configuration = try #require(Program.find("pkg-config"))
    let flags = try RunningProgram.run(configuration, ["--cflags", package])
    guard flags.status == 0 else { return false }
    let source = folder.url.appending(path: "recipe.\(language)")
    try recipe.write(to: source, atomically: true, encoding: .utf8)
    let compiler = language == "c" ? ["cc", "clang"] : ["c++", "clang++"]
    let program = try #require(compiler.lazy.compactMap { Program.find($0) }.first)
    let words = flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
    let result = try RunningProgram.run(
      program,
      [language == "c" ? "-std=gnu11" : "-std=c++17", "-fPIC", "-Wall", "-Wextra", "-Werror"]
        + words + ["-I", Program.include, "-fsyntax-only", source.path])
    #expect(result.status == 0, "\(result.errors)")
    return true
  }
}
