import Foundation
import TestSupport
import Testing

/// Whether this machine can build for arm64.
private let isBuilder =
  ["/usr/bin/dpkg-architecture", "/usr/bin/qemu-aarch64-static"]
  .allSatisfy(FileManager.default.isExecutableFile) && Repository.machine.hasPrefix("x86_64")

/// What `scripts/package --arch` refuses, and what it then leaves behind. That it builds is for
/// `scripts/test --arch arm64`.
@Suite(
  "scripts/package --arch",
  .enabled(
    if: isBuilder, "packages for arm64 are built on Debian for amd64, with qemu-user-static"))
struct CrossBuildTests {
  private let folder: TemporaryDirectory
  /// Where it would fetch to.
  private var cache: String { folder.file("cache") }

  init() throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file("cache/touchroute"), withIntermediateDirectories: true)
  }

  private func package(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> RunningProgram.Result {
    try RunningProgram.run(
      Repository.root.appending(path: "scripts/package"), arguments,
      environment: ["XDG_CACHE_HOME": cache].merging(environment) { $1 })
  }

  /// What is in the cache but the lock.
  private func left() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cache + "/touchroute")
      .filter { !$0.hasSuffix(".lock") }
  }

  @Test("an architecture that is not known is refused with status 64, by its name")
  func unknown() throws {
    let result = try package("--arch", "riscv64")
    #expect(
      result.errors
        == "package: there is no architecture riscv64: touchroute is built for amd64 and arm64\n")
    #expect(result.status == 64)
    #expect(try package("--arch").status == 64)
  }

  @Test("scripts/test --arch takes no other architecture than arm64, and no more arguments")
  func tests() throws {
    let usage = "test: --arch takes the name of an architecture; see --help\n"
    for (arguments, errors) in [
      (
        ["riscv64"],
        "test: --arch riscv64: it tries what amd64 makes for arm64; this machine's tests need no "
          + "option\n"
      ), ([], usage), (["arm64", "--quick"], usage),
    ] {
      let result = try RunningProgram.run(
        Repository.root.appending(path: "scripts/test"), ["--arch"] + arguments)
      #expect(result.errors == errors)
      #expect(result.status == 64)
    }
  }

  @Test("a mirror that can't be reached is named, and nothing is left; what was there half is gone")
  func unreachable() throws {
    for name in ["arm64/compiler", "arm64.partial/sysroot"] {
      try FileManager.default.createDirectory(
        atPath: "\(cache)/touchroute/\(name)", withIntermediateDirectories: true)
    }
    let result = try package("--arch", "arm64", "--mirror", "http://127.0.0.1:9/debian")
    #expect(
      result.errors.hasSuffix(
        "package: the mirror http://127.0.0.1:9/debian has no suite sid for amd64, or can't be "
          + "reached; what apt said stands above\n"), "\(result.errors)")
    #expect(result.status == 1)
    #expect(try left() == [])
  }

  @Test("a disk without room is named before anything is fetched")
  func disk() throws {
    let script = """
      mount -t tmpfs -o size=64m none "$0" && XDG_CACHE_HOME=$0 scripts/package --arch arm64
      status=$?
      ls -A "$0/touchroute"
      exit "$status"
      """
    let result = try RunningProgram.run(
      URL(filePath: "/usr/bin/unshare"),
      ["--map-root-user", "--mount", "bash", "-c", script, folder.url.path], in: Repository.root)
    // A kernel may forbid users to have namespaces.
    guard !result.errors.contains("unshare") else { return }
    #expect(
      result.errors.contains(
        #/package: building for arm64 takes 5 GB in .*, which has 6[0-9] MB: free some, or/#),
      "\(result.errors)")
    #expect(result.output == "arm64.lock\n")
    #expect(result.status == 1)
  }

  @Test("where QEMU is missing, its package is named")
  func emulator() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("bin"), withIntermediateDirectories: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: "/usr/bin")
    where !name.hasPrefix("qemu-aarch64") {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("bin/\(name)"), withDestinationPath: "/usr/bin/\(name)")
    }
    let result = try package("--arch", "arm64", environment: ["PATH": folder.file("bin")])
    #expect(
      result.errors
        == "package: qemu-aarch64-static is missing: install the package qemu-user-static "
        + "(or run scripts/bootstrap --machines)\n")
    #expect(result.status == 1)
  }

  @Test(
    "a compiler of another version than the library, or too old, is refused",
    arguments: [
      ("6.2.3", "6.3.1", "has swiftlang 6.2.3 for this machine and 6.3.1 for arm64"),
      ("6.1", "6.1", "has swiftlang 6.1, and touchroute needs 6.2 or later"),
      ("", "6.2", "has no swiftlang"), ("6.2", "6.2", ""),
    ])
  func versions(_ compiler: String, _ library: String, _ sentence: String) throws {
    let script = """
      scripts=scripts mirror=MIRROR
      source scripts/lib/common.sh
      source scripts/lib/cross.sh
      swiftlang_version() { echo "$1"; }
      check_versions "$0" "$1"
      """
    let result = try RunningProgram.run(
      URL(filePath: "/bin/bash"), ["-c", script, compiler, library], in: Repository.root)
    if !sentence.isEmpty { #expect(result.errors.contains(sentence), "\(result.errors)") }
    #expect(result.errors.isEmpty == sentence.isEmpty)
    #expect(result.status == (sentence.isEmpty ? 0 : 1))
  }
}
