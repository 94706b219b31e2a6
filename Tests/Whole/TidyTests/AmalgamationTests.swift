import Foundation
import TestSupport
import Testing

/// The C client is written in parts, and copied as one file: `scripts/generate` makes it.
@Suite("The parts of touchroute.c")
struct AmalgamationTests {
  private static let folder = "Sources/Client/CTouchroute/parts"

  /// The structs of the connection that a part owns; the others' fields it leaves alone.
  private static let owned: [String: Set<String>] = [
    "attachments": ["attachments"], "connection": ["listening"],
    "gestures": ["gestures", "recognizers"], "kept_views": [], "link": ["link"],
    "messages": [], "observing": ["observing"], "properties": [], "requests": ["requests"],
    "screens": [],
    "touches": ["touches"], "views": ["views"], "wire": ["strings"],
  ]
  /// What every part uses: the last error's text, and what one callback is shown.
  private static let shared: Set<String> = ["error", "shown"]

  @Test("touchroute.c, abi.py and Numbers.swift are what scripts/generate makes")
  func isCurrent() throws {
    let script = Repository.root.appending(path: "scripts/generate")
    let result = try RunningProgram.run(script, ["--check"])
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test("a part reads and writes no struct of another part")
  func ownership() throws {
    let parts = try SourceTree.files(below: Self.folder, endings: [".c"])
    #expect(parts.map { Self.name($0) } == Self.owned.keys.sorted())
    for part in parts {
      let allowed = try #require(Self.owned[Self.name(part)]).union(Self.shared)
      let used = Set(
        part.lines.flatMap { $0.matches(of: /\bc->(\w+)/).map { String($0.1) } })
      #expect(used.subtracting(allowed) == [], "\(part.path)")
    }
  }

  @Test("each part compiles by itself, and they link to the whole library")
  func compileAlone() throws {
    let folder = try TemporaryDirectory()
    let script = """
      for part in "$0"/*.c; do
        cc -std=c11 -Wall -Wextra -pedantic -Werror -fPIC -I "$1" -c "$part" \
          -o "$2/${part##*/}.o" || exit 1
      done
      cc -shared -Wl,-z,defs -o "$2/parts.so" "$2"/*.o
      """
    let result = try RunningProgram.run(
      URL(filePath: "/bin/sh"),
      [
        "-c", script, Repository.root.appending(path: Self.folder).path,
        Repository.root.appending(path: "Sources/Client/CTouchroute/include").path, folder.url.path,
      ])
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  private static func name(_ file: SourceFile) -> String {
    URL(filePath: file.path).deletingPathExtension().lastPathComponent
  }
}
