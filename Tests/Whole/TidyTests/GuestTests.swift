import Foundation
import TestSupport
import Testing

/// What `scripts/guest --arch` refuses. No test boots the arm64 guest yet.
@Suite(
  "scripts/guest --arch",
  .enabled(if: Repository.machine.hasPrefix("x86_64"), "guests run on x86-64 machines"))
struct GuestTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func guest(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> RunningProgram.Result {
    try RunningProgram.run(
      Repository.root.appending(path: "scripts/guest"), arguments + ["--", "true"],
      environment: ["XDG_CACHE_HOME": folder.file("cache")].merging(environment) { $1 })
  }

  /// A folder of programs that has those of this machine without some.
  private func programs(without name: String) throws -> String {
    let programs = folder.file("bin")
    try FileManager.default.createDirectory(
      atPath: programs, withIntermediateDirectories: false)
    for program in try FileManager.default.contentsOfDirectory(atPath: "/usr/bin")
    where !program.hasPrefix(name) {
      try FileManager.default.createSymbolicLink(
        atPath: "\(programs)/\(program)", withDestinationPath: "/usr/bin/\(program)")
    }
    return programs
  }

  /// A root with these files, each of which could be run.
  private func root(_ files: String...) throws -> String {
    let root = folder.file("root")
    try FileManager.default.createDirectory(
      atPath: root + "/usr/lib", withIntermediateDirectories: true)
    for file in files {
      let path = "\(root)/\(file)"
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path,
        withIntermediateDirectories: true)
      try #require(
        FileManager.default.createFile(
          atPath: path, contents: nil, attributes: [.posixPermissions: 0o755]))
    }
    return root
  }

  @Test("an architecture that is not known is refused with status 64, by its name")
  func unknown() throws {
    let result = try guest("--arch", "riscv64")
    #expect(
      result.errors
        == "guest: there is no guest of the architecture riscv64: it is amd64 or arm64 "
        + "(scripts/guest --help says what it takes)\n")
    #expect(result.status == 64)
  }

  @Test("pictures of the arm64 guest, which has no screen, are refused with status 64")
  func pictures() throws {
    let result = try guest("--pictures", folder.url.path, "--arch", "arm64")
    #expect(
      result.errors
        == "guest: --pictures needs --arch amd64: Debian's kernel for arm64 has no cirrusfb "
        + "(scripts/guest --help says what it takes)\n")
    #expect(result.status == 64)
  }

  @Test("where the emulator is missing, what installs it is named, with status 125")
  func emulator() throws {
    let result = try guest(
      "--arch", "arm64", environment: ["PATH": try programs(without: "qemu-system-aarch64")])
    #expect(
      result.errors
        == "guest: qemu-system-aarch64 is missing: run scripts/bootstrap --arm64\n")
    #expect(result.status == 125)
  }

  @Test(
    "without the guest's root, with another machine's or without busybox in it, it does not start",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/qemu-system-aarch64"),
      "needs qemu-system-arm"))
  func roots() throws {
    var result = try guest("--arch", "arm64")
    #expect(
      result.errors
        == "guest: there is no root for the arm64 guest: run scripts/bootstrap --arm64\n")
    #expect(result.status == 125)

    let other = try root("bin/bash")
    result = try guest("--arch", "arm64", "--root", other)
    #expect(result.errors == "guest: \(other) is not the root of a Debian for arm64\n")
    #expect(result.status == 125)

    _ = try root("lib/ld-linux-aarch64.so.1")
    result = try guest("--arch", "arm64", "--root", other)
    #expect(
      result.errors == "guest: \(other) has no busybox: install the package busybox-static\n")
    #expect(result.status == 125)

    _ = try root("bin/busybox", "lib/systemd/systemd-udevd")
    result = try guest("--arch", "arm64", "--root", other)
    #expect(
      result.errors
        == "guest: there is no kernel for the guest: run scripts/bootstrap --arm64\n")
    #expect(result.status == 125)
  }
}
