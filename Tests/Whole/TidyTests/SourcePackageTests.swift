import Foundation
import TestSupport
import Testing

/// The source package of the C library and the Python module, as `scripts/package --source` makes
/// it. Building it takes Debian's build dependencies, so that is not done here.
@Suite(
  "scripts/package --source",
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-source"),
    "a source package is made on Debian"))
struct SourcePackageTests {
  private let checkout: TemporaryDirectory
  private var made: URL { checkout.url.appending(path: ".build/package/source") }

  /// A copy of what it is made of, since other tests may make packages meanwhile.
  init() throws {
    checkout = try TemporaryDirectory()
    for name in [
      "CHANGELOG.md", "LICENSE", "Sources/Client", "Tests/Client", "Tests/Whole/FuzzTests/Corpora",
      "clients", "docs", "examples", "packaging", "scripts",
    ] {
      let copy = checkout.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Repository.root.appending(path: name), to: copy)
    }
  }

  private func make() throws {
    let result = try RunningProgram.run(
      checkout.url.appending(path: "scripts/package"), ["--source"])
    #expect(result.errors == "package: the source package is in .build/package/source\n")
    try #require(result.status == 0)
  }

  @Test("its files are the same bytes each time, and are of the version that there is")
  func reproducible() throws {
    let version = try #require(
      try SourceTree.file("packaging/debian/changelog").lines.first?
        .firstMatch(of: #/\((.*)\)/#)?.1)
    let names = [
      "libtouchroute_\(version).orig.tar.gz", "libtouchroute_\(version)-1.debian.tar.xz",
      "libtouchroute_\(version)-1.dsc",
    ]
    try make()
    let first = try names.map { try Data(contentsOf: made.appending(path: $0)) }
    try make()
    #expect(try names.map { try Data(contentsOf: made.appending(path: $0)) } == first)
  }

  @Test("what is unpacked of it builds and passes the vectors without the rest of the checkout")
  func selfContained() throws {
    try make()
    let version = try #require(
      try SourceTree.file("clients/python/pyproject.toml").lines.compactMap {
        $0.wholeMatch(of: #/version = "(.*)"/#)?.1
      }.first)
    let tree = checkout.url.appending(path: "tree")
    let unpacked = try RunningProgram.run(
      URL(filePath: "/usr/bin/dpkg-source"),
      ["-x", made.appending(path: "libtouchroute_\(version)-1.dsc").path, tree.path])
    try #require(unpacked.status == 0, "\(unpacked.errors)")
    let checked = try RunningProgram.run(
      URL(filePath: "/usr/bin/make"),
      ["--silent", "-C", tree.appending(path: "clients/c").path, "check", "CFLAGS=-O0"]
        + ["ROUNDS=50", "BUILD=\(checkout.file("built"))"])
    #expect(checked.output.hasSuffix("inputs\n50 rounds\n"), "\(checked.output)\(checked.errors)")
    let generated = try RunningProgram.run(
      tree.appending(path: "scripts/generate"), ["--check"], in: tree)
    #expect(generated.errors.contains("abi.py") == false)
  }
}
