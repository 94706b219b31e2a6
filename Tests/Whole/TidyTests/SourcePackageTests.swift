import Foundation
import TestSupport
import Testing

/// The source packages that `scripts/package --source` makes. Building them takes Debian's build
/// dependencies, so that is not done here.
@Suite(
  "scripts/package --source",
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-source"),
    "a source package is made on Debian"))
struct SourcePackageTests {
  private let checkout: TemporaryDirectory
  private var made: URL { checkout.url.appending(path: ".build/package/source") }

  /// A copy of what they are made of, since other tests may make packages meanwhile.
  init() throws {
    checkout = try TemporaryDirectory()
    for name in [
      "ARCHITECTURE.md", "Benchmarks", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
      "Package.swift", "README.md", "Sources", "Tests", "clients", "config", "docs", "examples",
      "packaging", "scripts", "systemd",
    ] {
      let copy = checkout.url.appending(path: name)
      try FileManager.default.copyItem(at: Repository.root.appending(path: name), to: copy)
    }
    // Where Git has the Swift packages of others.
    try FileManager.default.createDirectory(
      at: checkout.url.appending(path: ".build"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: checkout.url.appending(path: ".build/checkouts"),
      withDestinationURL: Repository.root.appending(path: ".build/checkouts"))
  }

  private func make(_ package: String) throws {
    let result = try RunningProgram.run(
      checkout.url.appending(path: "scripts/package"), ["--source", package])
    #expect(result.errors == "package: the source package is in .build/package/source\n")
    try #require(result.status == 0)
  }

  private func version() throws -> String {
    let log = try SourceTree.file("packaging/debian/changelog").lines
    return String(try #require(log.first?.firstMatch(of: #/\((.*)\)/#)?.1))
  }

  /// Unpacks a source package, and returns where it is.
  private func unpack(_ package: String) throws -> URL {
    let tree = checkout.url.appending(path: "tree")
    let unpacked = try RunningProgram.run(
      URL(filePath: "/usr/bin/dpkg-source"),
      ["-x", made.appending(path: "\(package)_\(try version())-1.dsc").path, tree.path])
    try #require(unpacked.status == 0, "\(unpacked.errors)")
    return tree
  }

  @Test(
    "its files are the same bytes each time, and are of the version that there is",
    arguments: ["libtouchroute", "touchroute"])
  func reproducible(package: String) throws {
    let version = try version()
    var names = ["_\(version).orig.tar.gz", "_\(version)-1.debian.tar.xz", "_\(version)-1.dsc"]
    if package == "touchroute" { names.append("_\(version).orig-vendor.tar.gz") }
    try make(package)
    let first = try names.map { try Data(contentsOf: made.appending(path: package + $0)) }
    try make(package)
    #expect(try names.map { try Data(contentsOf: made.appending(path: package + $0)) } == first)
  }

  @Test("a package that there is not is refused")
  func refused() throws {
    let result = try RunningProgram.run(
      checkout.url.appending(path: "scripts/package"), ["--source", "touch"])
    #expect(result.status == 64)
    #expect(result.errors.contains("no source package touch, only libtouchroute and touchroute"))
  }

  @Test("a source package and a tarball of programs are not made at once")
  func either() throws {
    for arguments in [
      ["--tarball", "--source", "touchroute"], ["--source", "touchroute", "--tarball"],
    ] {
      let result = try RunningProgram.run(
        checkout.url.appending(path: "scripts/package"), arguments)
      #expect(result.errors.contains("--tarball and --source can't be given together"))
      #expect(result.status == 64)
      #expect(!FileManager.default.fileExists(atPath: made.path))
    }
  }

  @Test("what is unpacked of libtouchroute builds and passes the vectors by itself")
  func selfContained() throws {
    try make("libtouchroute")
    let tree = try unpack("libtouchroute")
    let checked = try RunningProgram.run(
      URL(filePath: "/usr/bin/make"),
      ["--silent", "-C", tree.appending(path: "clients/c").path, "check", "CFLAGS=-O0"]
        + ["ROUNDS=50", "BUILD=\(checkout.file("built"))"])
    #expect(checked.output.hasSuffix("inputs\n50 rounds\n"), "\(checked.output)\(checked.errors)")
    let generated = try RunningProgram.run(
      tree.appending(path: "scripts/generate"), ["--check"], in: tree)
    #expect(generated.errors.contains("abi.py") == false)
  }

  @Test("the daemon's has each Swift package in it, under a licence, and fetches none")
  func vendored() throws {
    let lines = try SourceTree.file("packaging/touchroute/vendored").lines
    let names = lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    let fetched = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appending(path: ".build/checkouts").path)
    #expect(Set(names) == Set(fetched))
    let licences = try SourceTree.file("packaging/touchroute/copyright").lines
    for name in names {
      #expect(licences.contains { $0.hasSuffix(" vendor/\(name)/*") }, "\(name)")
    }
    try make("touchroute")
    let tree = try unpack("touchroute")
    var environment = ProcessInfo.processInfo.environment
    environment["TOUCHROUTE_VENDORED"] = tree.appending(path: "vendor").path
    environment["SWIFTCI_USE_LOCAL_DEPS"] = "1"
    let shown = try RunningProgram.run(
      URL(filePath: "/usr/bin/env"),
      ["swift", "package", "show-dependencies", "--format", "flatlist"], in: tree,
      environment: environment)
    try #require(shown.status == 0, "\(shown.output)\(shown.errors)")
    #expect(Set(shown.output.split(separator: "\n").map(String.init)) == Set(names))
    let described = try RunningProgram.run(
      URL(filePath: "/usr/bin/env"),
      ["swift", "package", "show-dependencies", "--format", "json"], in: tree,
      environment: environment)
    #expect(described.output.contains("vendor/swift-nio"))
    #expect(!described.output.contains("https:"))
  }
}
