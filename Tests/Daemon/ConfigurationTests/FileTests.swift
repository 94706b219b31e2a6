import Configuration
import Foundation
import Layout
import TestSupport
import Testing
import TouchModel

@Suite("Files")
struct FileTests {
  private static let screen = "[screen.panel]\nsize = [800, 480]\n"

  private func message(_ load: () throws -> Configuration) throws -> String {
    try #require(throws: ConfigurationError.self) { _ = try load() }.description
  }

  @Test("conf.d beside the file is merged in the order of its names")
  func merge() throws {
    let directory = try TemporaryDirectory()
    let main = try directory.write("touchroute.toml", Self.screen + "[[window]]\nname = \"base\"\n")
    try directory.write("conf.d/20-b.toml", "[[window]]\nname = \"b\"\nscreen = \"door\"\n")
    try directory.write("conf.d/10-a.toml", "[[window]]\nname = \"a\"\n")
    try directory.write(
      "conf.d/30-c.toml", "[screen.door]\nsize = [400, 300]\n[limits]\nviews = 7\n")
    try directory.write("conf.d/.hidden.toml", "not toml")
    try directory.write("conf.d/README", "not toml")
    let configuration = try Configuration.load(main)
    #expect(configuration.layoutDescription.windows.map(\.name) == ["base", "a", "b"])
    #expect(configuration.layoutDescription.screens.map(\.name) == ["panel", "door"])
    #expect(configuration.layoutDescription.windows.map(\.screen.rawValue) == [0, 0, 1])
    #expect(configuration.limits.layout.views == 7)
    #expect(
      configuration.files
        == [main] + ["10-a", "20-b", "30-c"].map { "\(directory.path)/conf.d/\($0).toml" })
  }

  @Test("A file of conf.d takes the place of the vendor's of its name; an empty one drops it")
  func vendor() throws {
    let directory = try TemporaryDirectory()
    let main = try directory.write("touchroute.toml", Self.screen)
    for name in ["10-a", "20-b", "30-c", "40-d"] {
      try directory.write("vendor/\(name).toml", "[[window]]\nname = \"vendor\(name)\"\n")
    }
    try directory.write("conf.d/20-b.toml", "[[window]]\nname = \"own\"\n")
    try directory.write("conf.d/25.toml", "[[window]]\nname = \"more\"\n")
    try directory.write("conf.d/30-c.toml", "")
    #expect(symlink("/dev/null", directory.path + "/conf.d/40-d.toml") == 0)
    let vendor = directory.path + "/vendor"
    let configuration = try Configuration.load(main, vendorDirectory: vendor)
    #expect(
      configuration.layoutDescription.windows.map(\.name) == ["vendor10-a", "own", "more"])
    #expect(
      configuration.files
        == [main, "\(vendor)/10-a.toml"]
        + ["20-b", "25"].map { "\(directory.path)/conf.d/\($0).toml" })
    let merged = try Configuration.merged(main, vendorDirectory: vendor)
    let own = directory.path + "/conf.d"
    #expect(
      merged.hasPrefix(
        """
        # \(vendor)/20-b.toml is replaced by \(own)/20-b.toml
        # \(vendor)/30-c.toml is dropped by \(own)/30-c.toml
        # \(vendor)/40-d.toml is dropped by \(own)/40-d.toml

        [screen.panel]
        """))
    #expect(try Configuration.load(main).files == [main, "\(own)/20-b.toml", "\(own)/25.toml"])
  }

  @Test("Files that are named are read alone, in their order")
  func namedFiles() throws {
    let directory = try TemporaryDirectory()
    let first = try directory.write("first.toml", "[[window]]\nname = \"a\"\n")
    let second = try directory.write("second.toml", Self.screen)
    try directory.write("conf.d/10.toml", "[[window]]\nname = \"b\"\n")
    let configuration = try Configuration.load(files: [first, second])
    #expect(configuration.layoutDescription.windows.map(\.name) == ["a"])
  }

  @Test("A missing file is an error, and so is conf.d where it can't be read")
  func missing() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/touchroute.toml"
    try directory.write("conf.d", "a file, not a directory")
    #expect(
      try message { try Configuration.load(path) } == """
        \(path): there is no such file
        \(directory.path)/conf.d: can't be read: Not a directory
        """)
  }

  @Test("A link to nothing is named as such, with what it leads to")
  func danglingLink() throws {
    let directory = try TemporaryDirectory()
    let main = try directory.write("touchroute.toml", Self.screen)
    try directory.write("conf.d/10-a.toml", "[[window]]\nname = \"a\"\n")
    let link = directory.path + "/conf.d/20-b.toml"
    #expect(symlink("/nowhere/b.toml", link) == 0)
    #expect(
      try message { try Configuration.load(main) }
        == "\(link): is a symbolic link to /nowhere/b.toml, which is not there; remove the link, "
        + "or make the file")
  }

  @Test("What is no regular file is refused and not waited for")
  func notRegular() throws {
    let directory = try TemporaryDirectory()
    let fifo = directory.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    let error = try message { try Configuration.load(files: [directory.path, fifo, "/dev/zero"]) }
    #expect(
      error == """
        \(directory.path): is a directory; a configuration must be a regular file
        \(fifo): is a FIFO; a configuration must be a regular file
        /dev/zero: is a device; a configuration must be a regular file
        """)
  }

  @Test("A file beyond the largest that is read is refused by its size alone")
  func tooLarge() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("big.toml", "")
    #expect(truncate(path, (512 << 20) + 1) == 0)
    #expect(
      try message { try Configuration.load(files: [path]) }
        == "\(path): is larger than 512 MiB, the most that is read")
  }

  @Test(
    "A file that the user may not read says whose it is and what would help",
    .enabled(if: geteuid() != 0, "root may read everything"))
  func denied() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("secret.toml", Self.screen)
    #expect(chmod(path, 0o200) == 0)
    let error = try message { try Configuration.load(files: [path]) }
    #expect(error.hasPrefix("\(path): user "))
    #expect(error.hasSuffix("with mode 200; allow it with chmod or chgrp"))
  }
}
