import Configuration
import Foundation
import Glibc
import Layout
import TestSupport
import Testing

@Suite("The configuration that is kept")
struct KeptConfigurationTests {
  private let directory: TemporaryDirectory
  private let kept: KeptConfiguration

  init() throws {
    directory = try TemporaryDirectory()
    try #require(chmod(directory.url.path, 0o700) == 0)
    kept = KeptConfiguration(in: directory.url.path)
  }

  private static let text = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    [[access]]
    path = "home"
    users = ["root", "1000"]
    [limits]
    clients = 64

    """

  private func keep(_ text: String = Self.text) throws -> Configuration {
    try directory.write("touchroute.toml", text)
    let (configuration, text) = try Configuration.loadWithText(
      directory.url.appending(path: "touchroute.toml").path)
    try kept.keep(text)
    return configuration
  }

  private func failure() -> String? {
    do {
      _ = try kept.load()
      return nil
    } catch { return error.description }
  }

  @Test("what is kept comes back whole: layout, rules, limits")
  func whole() throws {
    try directory.write(
      "conf.d/nav.toml", "[[window]]\nname = \"nav\"\nframe = [0, \"100%-60\", \"100%\", 60]\n")
    let before = try keep()
    let (after, since) = try #require(try kept.load())
    #expect(after.layoutDescription == before.layoutDescription)
    #expect(after.access == before.access && after.access.count == 1)
    #expect(after.limits == before.limits && after.touch == before.touch)
    #expect(after.files == [kept.path])
    #expect(abs(since - time(nil)) < 3600)
    #expect(kept.path == directory.url.path + "/in-force.toml")
  }

  @Test("nothing is kept at first, and that is no failure")
  func first() throws {
    #expect(try kept.load() == nil)
  }

  @Test("the same again is not written again, something else takes its place")
  func unchanged() throws {
    func inode() throws -> ino_t {
      var status = stat()
      try #require(stat(kept.path, &status) == 0)
      return status.st_ino
    }
    _ = try keep()
    let first = try inode()
    _ = try keep()
    #expect(try inode() == first)
    _ = try keep(Self.text + "views = 100\n")
    #expect(try inode() != first)
    #expect(try kept.load()?.configuration.limits.layout.views == 100)
    // Nobody but the daemon's user may read or write it, and nothing else is left behind.
    var status = stat()
    try #require(stat(kept.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(!FileManager.default.fileExists(atPath: kept.path + ".new"))
  }

  @Test("a user who is no longer there is nobody, and the rule stays (F6)")
  func goneUser() throws {
    _ = try keep()
    let text = try String(contentsOfFile: kept.path, encoding: .utf8)
    try directory.write("in-force.toml", text.replacing("\"root\"", with: "\"no.such.user\""))
    try #require(chmod(kept.path, 0o600) == 0)
    let rule = try #require(try kept.load()?.configuration.access.first)
    #expect(rule.users.map(\.id) == [.max, 1000])
    #expect(!rule.allows(user: 1001, groups: []) && rule.allows(user: 1000, groups: []))
  }

  @Test("what was not written to its end is refused")
  func torn() throws {
    _ = try keep()
    let text = try String(contentsOfFile: kept.path, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for count in [0, 1, lines.count / 2, lines.count - 2] {
      try directory.write("in-force.toml", lines.prefix(count).map { $0 + "\n" }.joined())
      try #require(chmod(kept.path, 0o600) == 0)
      #expect(failure() == "\(kept.path) was not written to its end", "\(count) lines")
    }
  }

  @Test("what others may have written, or put there, is refused")
  func untrusted() throws {
    _ = try keep()
    let advice =
      " may be written by others than touchrouted's user: it must be that user's or root's, and "
      + "not writable by group and others"
    try #require(chmod(kept.path, 0o620) == 0)
    #expect(failure() == kept.path + advice)
    try #require(chmod(kept.path, 0o600) == 0)
    try #require(chmod(directory.url.path, 0o777) == 0)
    #expect(failure() == directory.url.path + advice)
    try #require(chmod(directory.url.path, 0o700) == 0)
    #expect(failure() == nil)
    try #require(rename(kept.path, kept.path + ".real") == 0)
    try #require(symlink(kept.path + ".real", kept.path) == 0)
    #expect(failure() == "\(kept.path) is no ordinary file")
  }

  @Test("a directory that can't be written to is named")
  func unwritable() throws {
    let nowhere = KeptConfiguration(in: directory.url.path + "/gone")
    let failure = try #require(throws: KeptConfiguration.Failure.self) { try nowhere.keep("") }
    #expect(
      failure.description
        == "\(directory.url.path)/gone/in-force.toml.new can't be written: No such file or "
        + "directory")
  }
}
