import Foundation
import TestSupport
import Testing

/// The C library as packagers and programs build it: by its own Makefile, and for processors that
/// Swift has no toolchain for.
@Suite("clients/c")
struct MachineTests {
  /// The machines of `scripts/machines`, those whose compilers and emulators are installed.
  private static let machines: [String] = {
    let tools = [
      ("armhf", "arm-linux-gnueabihf", "arm"), ("arm64", "aarch64-linux-gnu", "aarch64"),
      ("i386", "i686-linux-gnu", "i386"), ("riscv64", "riscv64-linux-gnu", "riscv64"),
      ("s390x", "s390x-linux-gnu", "s390x"),
    ]
    return tools.filter {
      Program.find("\($0.1)-gcc") != nil && Program.find("qemu-\($0.2)-static") != nil
    }.map(\.0)
  }()

  @Test(
    "built for another processor without a warning, it passes the vectors and broken ones there",
    .enabled(if: !machines.isEmpty, "no compilers: scripts/bootstrap --machines installs them"),
    arguments: machines)
  func machine(_ name: String) throws {
    let script = Repository.root.appending(path: "scripts/machines")
    let result = try RunningProgram.run(script, ["--rounds", "200", name])
    let played = try Self.played().joined(separator: ", ")
    #expect(result.output == "\(name), gcc: \(played)\n\(name), clang: \(played)\n")
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test("scripts/machines refuses a machine that it does not know, and one without a compiler")
  func refusals() throws {
    let script = Repository.root.appending(path: "scripts/machines")
    let unknown = try RunningProgram.run(script, ["mips"])
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("mips is not known: there are armhf arm64 i386 riscv64 s390x"))
    let bare = try RunningProgram.run(
      script, ["s390x"], environment: ["PATH": try Self.folderOfShellTools()])
    #expect(bare.status == 1)
    #expect(
      bare.errors
        == "machines: s390x-linux-gnu-gcc is missing, for s390x: run scripts/bootstrap --machines\n"
    )
  }

  /// A folder of links to what a shell script begins with, and to no compiler.
  private static func folderOfShellTools() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "touchroute-shell-tools")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["env", "bash", "dirname"] {
      let link = folder.appending(path: name)
      guard !FileManager.default.fileExists(atPath: link.path) else { continue }
      let program = try #require(Program.find(name))
      try? FileManager.default.createSymbolicLink(at: link, withDestinationURL: program)
    }
    return folder.path
  }

  @Test(
    "make builds, tests and installs it, and pkg-config, CMake and Meson find it as the guide says")
  func buildSystems() throws {
    let folder = try TemporaryDirectory()
    try make(in: folder)
    let variables = ["PKG_CONFIG_PATH": folder.file("root/lib/pkgconfig")]
    try write(to: folder)
    let hello = "hello: there is no socket at \(folder.file("none")): is touchrouted running?\n"
    let ends = [
      "cc -o with-pkg-config hello.c $(pkg-config --cflags --libs libtouchroute)",
      "cmake -S . -B with-cmake && cmake --build with-cmake",
      "meson setup with-meson && ninja -C with-meson",
    ]
    let programs = ["with-pkg-config", "with-cmake/hello", "with-meson/hello"]
    for (command, program) in zip(ends, programs) {
      let built = try RunningProgram.run(
        URL(filePath: "/bin/sh"), ["-c", command], in: folder.url, environment: variables)
      try #require(built.status == 0, "\(built.output)\(built.errors)")
      let run = try RunningProgram.run(
        folder.url.appending(path: program), [],
        environment: [
          "LD_LIBRARY_PATH": folder.file("root/lib"), "TOUCHROUTE_SOCKET": folder.file("none"),
        ])
      #expect(run == .init(status: 1, output: "", errors: hello), "\(program)")
    }
  }

  /// Builds, tests and installs the library into the folder `root`.
  private func make(in folder: TemporaryDirectory) throws {
    let options = [
      "BUILD=\(folder.file("build"))", "PREFIX=\(folder.file("root"))", "CFLAGS=-O1 -g -Werror",
      "ROUNDS=200",
    ]
    let made = try RunningProgram.run(
      try #require(Program.find("make"), "make is not installed"),
      ["--silent", "-C", Repository.root.appending(path: "clients/c").path]
        + ["all", "check", "install"] + options)
    let played = try Self.played().map { "\($0)\n" }.joined()
    #expect(made.output == played)
    #expect(made.errors == "")
    try #require(made.status == 0)
    let version = try RunningProgram.run(
      URL(filePath: "/usr/bin/env"), ["pkg-config", "--modversion", "libtouchroute"],
      environment: ["PKG_CONFIG_PATH": folder.file("root/lib/pkgconfig")])
    #expect(version.output == "\(try Self.version())\n")
  }

  /// What is played to each library.
  private static func played() throws -> [String] {
    let inputs = try FileManager.default.contentsOfDirectory(atPath: Program.clientInputs)
    return ["\(Vector.all.count) vectors", "\(inputs.count) inputs", "200 rounds"]
  }

  private static func version() throws -> String {
    let source = try String(
      contentsOf: Repository.root.appending(path: "Sources/Core/TouchModel/Release.swift"),
      encoding: .utf8)
    return String(try #require(source.firstMatch(of: #/version = "(.*)"/#)).1)
  }

  /// The guide's first client, which must not wait for a daemon here, and its files for CMake and
  /// Meson.
  private func write(to folder: TemporaryDirectory) throws {
    let guide = try String(
      contentsOf: Repository.root.appending(path: "docs/clients.md"), encoding: .utf8)
    func block(_ language: String) throws -> String {
      let blocks = guide.components(separatedBy: "```\(language)\n")
      try #require(blocks.count > 1, "docs/clients.md has no \(language)")
      return blocks[1].components(separatedBy: "```")[0]
    }
    try folder.write(
      "hello.c", try block("c").replacing("TOUCHROUTE_RECONNECT", with: "0", maxReplacements: 1))
    try folder.write("CMakeLists.txt", try block("cmake"))
    try folder.write("meson.build", try block("meson"))
  }
}
