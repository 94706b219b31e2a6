import Foundation
import TestSupport
import Testing

/// What docs/porting.md shows, and the recipes that it names, as far as this machine can judge it.
@Suite("docs/porting.md")
struct PortingTests {
  private static let yoctoRecipe = "packaging/recipes/yocto/touchroute_0.2.0.bb"
  private static let buildrootFile =
    "packaging/recipes/buildroot/package/touchroute/touchroute.mk"
  private static let nixRecipes = "packaging/recipes/nix"

  private struct Block {
    let language: String
    let text: String
  }

  @Test("every script of the page is one to a shell")
  func scripts() throws {
    let scripts = try blocks().filter { $0.language == "sh" }
    #expect(scripts.count == 5)
    for script in scripts {
      let folder = try TemporaryDirectory()
      let result = try RunningProgram.run(
        URL(filePath: "/bin/sh"), ["-n", try folder.write("script", script.text)])
      #expect(result == .init(status: 0, output: "", errors: ""), "\(script.text)")
    }
  }

  @Test("every supervisor starts the page's one script")
  func oneScript() throws {
    let scripts = try blocks().filter { $0.language == "sh" }.map(\.text)
    let starting = scripts.filter { $0.contains("/usr/libexec/touchroute/run") }
    #expect(starting.count == 3)
    #expect(scripts.count { $0.contains("exec prlimit") } == 1)
  }

  @Test("the recipes name the users and groups of sysusers.d, as the shell's lines do")
  func users() throws {
    let sysusers = try SourceTree.file("systemd/sysusers.d/touchroute.conf").lines
    let names = sysusers.filter { $0.hasPrefix("u ") || $0.hasPrefix("g ") }
      .map { $0.split(separator: " ")[1] }
    #expect(names.count == 6)
    let users = sysusers.filter { $0.hasPrefix("u ") }.map { $0.split(separator: " ")[1] }
    let shell = try block("sh", with: "groupadd")
    let yocto = try text(of: Self.yoctoRecipe)
    let buildroot = try text(of: Self.buildrootFile)
    let nix = try text(of: "\(Self.nixRecipes)/module.nix")
    for name in names {
      #expect(nix.contains("users.groups.\(name) = { };"), "\(name)")
      #expect(shell.contains(" \(name)"), "\(name)")
      #expect(yocto.contains("--system \(name)"), "\(name)")
      #expect(buildroot.contains(" \(name) "), "\(name)")
    }
    for user in users {
      #expect(nix.contains("users.users.\(user) = user \"\(user)\";"), "\(user)")
      #expect(yocto.contains("-g \(user) \(user)"), "\(user)")
      #expect(buildroot.contains("\t\(user) -1 \(user) "), "\(user)")
    }
  }

  @Test("Yocto's recipe names units that there are, and the licence's checksum")
  func yocto() throws {
    let recipe = try text(of: Self.yoctoRecipe)
    let match = try #require(recipe.firstMatch(of: #/SYSTEMD_SERVICE.*"(.*)"/#))
    for unit in match.1.split(separator: " ") { _ = try SourceTree.file("systemd/\(unit)") }
    let sum = try RunningProgram.run(
      URL(filePath: "/usr/bin/md5sum"), [Repository.root.appending(path: "LICENSE").path])
    #expect(recipe.contains("md5=\(sum.output.prefix(32))\""))
  }

  @Test("Yocto's recipe is of the version that there is")
  func yoctoVersion() throws {
    let version = try #require(
      try SourceTree.file("packaging/debian/changelog").lines.first?
        .firstMatch(of: #/\((.*)\)/#)?.1)
    #expect(Self.yoctoRecipe.hasSuffix("_\(version).bb"))
  }

  @Test("Buildroot's file is one to GNU make, and is of the version that there is")
  func buildroot() throws {
    let text = try text(of: Self.buildrootFile)
    let folder = try TemporaryDirectory()
    let file = try folder.write("touchroute.mk", text + "\nprint:\n\t@echo $(TOUCHROUTE_SOURCE)\n")
    let make = try #require(["/usr/bin/make"].first { FileManager.default.fileExists(atPath: $0) })
    let result = try RunningProgram.run(
      URL(filePath: make), ["-f", file, "ARCH=aarch64", "print"])
    let log = try SourceTree.file("packaging/debian/changelog").lines
    let version = try #require(log.first?.firstMatch(of: #/\((.*)\)/#)?.1)
    #expect(
      result == .init(status: 0, output: "touchroute-\(version)-aarch64.tar.gz\n", errors: ""))
    let page = try SourceTree.file("docs/porting.md").lines.joined(separator: "\n")
    for machine in ["x86_64", "aarch64"] {
      #expect(page.contains("touchroute-\(version)-\(machine).tar.gz"))
    }
  }

  @Test("the recipes of Nix are ones to Nix, and are of the version that there is")
  func nix() throws {
    let folder = Repository.root.appending(path: Self.nixRecipes).path
    #expect(try evaluate("builtins.isFunction (import \(folder)/module.nix)") == "true\n")
    let source = try evaluate(
      """
      toString (import \(folder)/default.nix {
        lib = { licenses = { mit = 1; asl20 = 1; }; sourceTypes.binaryNativeCode = 1; };
        stdenv = {
          mkDerivation = attributes: let result = attributes result; in result;
          hostPlatform.parsed.cpu.name = "aarch64";
          cc.cc.lib = "";
        };
        autoPatchelfHook = ""; coreutils = ""; libevdev = ""; libinput = ""; systemd = "";
      }).src
      """)
    let log = try SourceTree.file("packaging/debian/changelog").lines
    let version = try #require(log.first?.firstMatch(of: #/\((.*)\)/#)?.1)
    #expect(source == "\"\(folder)/touchroute-\(version)-aarch64.tar.gz\"\n")
  }

  /// What an expression is to Nix, which builds nothing for that.
  private func evaluate(_ expression: String) throws -> String {
    let home = try TemporaryDirectory()
    let result = try RunningProgram.run(
      URL(filePath: "/usr/bin/nix-instantiate"),
      ["--store", "dummy://", "--eval", "--strict", "--expr", expression],
      environment: ["HOME": home.path])
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  private func text(of path: String) throws -> String {
    try SourceTree.file(path).lines.joined(separator: "\n")
  }

  private func block(_ language: String, with words: String) throws -> String {
    try #require(
      try blocks().first { $0.language == language && $0.text.contains(words) }?.text)
  }

  private func blocks() throws -> [Block] {
    let page = try SourceTree.file("docs/porting.md").lines.joined(separator: "\n")
    return page.matches(of: #/\n```([a-z]+)\n((?s:.*?)\n)```/#).map {
      Block(language: String($0.1), text: String($0.2))
    }
  }
}
