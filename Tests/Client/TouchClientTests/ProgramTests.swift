import Foundation
import TestSupport
import Testing
import TouchModel

/// The C library as a program's author meets it: compiled, copied, and run.
@Suite("Programs")
struct ProgramTests {
  private static let strict = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror"]

  @Test(
    "touchroute.c compiles without a warning as C11", arguments: ["gcc", "clang"])
  func compilesStrictly(_ name: String) throws {
    let folder = try TemporaryDirectory()
    guard let compiler = Program.find(name) else { return }
    let object = folder.url.appending(path: "touchroute.o").path
    for level in ["-O0", "-O2"] {
      let result = try RunningProgram.run(
        compiler,
        Self.strict + [level, "-I", Program.include, "-c", Program.library, "-o", object])
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test("the three files copied next to each other compile with nothing but cc -c")
  func compilesPlainly() throws {
    let folder = try TemporaryDirectory()
    let files = [
      Program.library, Program.include + "/touchroute.h",
      Program.include + "/touchroute-protocol.h",
    ]
    for file in files {
      let source = URL(filePath: file)
      try FileManager.default.copyItem(
        at: source, to: folder.url.appending(path: source.lastPathComponent))
    }
    let result = try RunningProgram.run(
      try #require(Program.find("cc") ?? Program.find("clang")),
      [
        "-c", folder.url.appending(path: "touchroute.c").path, "-o",
        folder.url.appending(path: "touchroute.o").path,
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors == "")
  }

  @Test("a serial in use is not taken again, and an answer to nobody is nobody's")
  func serials() throws {
    let result = try Self.runIncluding("serials.c")
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("touchroute-protocol.h needs no other header of ours", arguments: ["-xc", "-xc++"])
  func compilesAlone(_ language: String) throws {
    let folder = try TemporaryDirectory()
    let header = folder.url.appending(path: "touchroute-protocol.h")
    try FileManager.default.copyItem(
      at: URL(filePath: Program.include + "/touchroute-protocol.h"), to: header)
    let result = try RunningProgram.run(
      try #require(Program.find("cc") ?? Program.find("clang")),
      [language, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", header.path])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("touchroute.h compiles without a warning as C++17", arguments: ["g++", "clang++"])
  func compilesAsCPlusPlus(_ name: String) throws {
    let folder = try TemporaryDirectory()
    guard let compiler = Program.find(name) else { return }
    let source = folder.url.appending(path: "use.cpp")
    try "#include <touchroute.h>\nstatic touchroute_listener listener{};\nint main() {\n"
      .appending("  return touchroute_connect(nullptr, nullptr, 0, &listener, nullptr) != 0;\n}\n")
      .write(to: source, atomically: true, encoding: .utf8)
    let result = try RunningProgram.run(
      compiler,
      [
        "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", Program.include,
        "-fsyntax-only", source.path,
      ])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("broken vectors do no harm under the sanitizers (F5)")
  func fuzz() throws {
    let folder = try TemporaryDirectory()
    let compiler = try #require(Program.find("gcc") ?? Program.find("clang"))
    let program = folder.url.appending(path: "fuzz")
    let sources = ["Client/CFuzzClient/client.c", "Client/TouchClientTests/Programs/fuzz.c"]
      .map { Repository.root.appending(path: "Tests/\($0)").path }
    let include = Repository.root.appending(path: "Tests/Client/CFuzzClient/include").path
    let built = try RunningProgram.run(
      compiler,
      [
        "-std=c11", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
        "-I", Program.include, "-I", include, Program.library,
      ] + sources + ["-o", program.path])
    try #require(built.status == 0, "\(built.errors)")
    let rounds = 3000
    let first = Seeds.fresh()
    let result = try RunningProgram.run(
      program, [Vector.folder.path, "\(first)", "\(rounds)", Program.clientInputs])
    #expect(result.errors == "")
    let inputs = try FileManager.default.contentsOfDirectory(atPath: Program.clientInputs)
    #expect(result.output == "\(inputs.count) inputs\n\(rounds) rounds\n")
  }

  @Test("connecting allocates once, and dispatching ten-finger frames nothing")
  func allocations() throws {
    let folder = try TemporaryDirectory()
    let program = folder.url.appending(path: "allocations")
    let source = Repository.root.appending(
      path: "Tests/Client/TouchClientTests/Programs/allocations.c"
    ).path
    let built = try RunningProgram.run(
      try #require(Program.find("cc") ?? Program.find("clang")),
      [
        "-std=c11", "-D_GNU_SOURCE", "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc", "-I",
        Program.include, source, Program.library, "-o", program.path,
      ])
    try #require(built.status == 0, "\(built.errors)")
    let result = try RunningProgram.run(program, ["10000"])
    #expect(result.output == "connecting 1, then 0 for 100010 records\n")
  }

  @Test("without memory a change is refused or kept as it is, nothing is lost, nothing leaks (L7)")
  func scarceMemory() throws {
    let result = try Self.runIncluding("scarce.c")
    #expect(result.errors == "")
    #expect(
      result.output
        == "29 allocations failed in turn; 2 steps were asked for anew, 21 without memory\n")
  }

  @Test(
    "tries to connect come ever later, descriptor 0 serves, and only unsent requests wait for room")
  func links() throws {
    let result = try Self.runIncluding("links.c")
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  /// Builds a program that includes the library, under sanitizers, and runs it.
  private static func runIncluding(_ name: String) throws -> RunningProgram.Result {
    let folder = try TemporaryDirectory()
    let source = Repository.root.appending(path: "Tests/Client/TouchClientTests/Programs/\(name)")
    let program = folder.url.appending(path: "program")
    let library = URL(filePath: Program.library).deletingLastPathComponent().path
    let built = try RunningProgram.run(
      try #require(Program.find("gcc") ?? Program.find("clang")),
      [
        "-std=gnu11", "-D_GNU_SOURCE", "-g", "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all", "-I", Program.include, "-I", library, source.path, "-o",
        program.path,
      ])
    try #require(built.status == 0, "\(built.errors)")
    return try RunningProgram.run(program, [])
  }

  @Test("a signal ends the wait of dispatch, whatever its handler was installed with")
  func signals() throws {
    let folder = try TemporaryDirectory()
    let program = folder.url.appending(path: "signals")
    let source = Repository.root.appending(
      path: "Tests/Client/TouchClientTests/Programs/signals.c"
    ).path
    let built = try RunningProgram.run(
      try #require(Program.find("cc") ?? Program.find("clang")),
      [
        "-std=c11", "-D_GNU_SOURCE", "-I", Program.include, source, Program.library, "-o",
        program.path,
      ])
    try #require(built.status == 0, "\(built.errors)")
    #expect(try RunningProgram.run(program, []).output == "0 0\n")
  }

  @Test(
    "the Python client passes its own tests, and with them the vectors, with few descriptors",
    .timeLimit(.minutes(10)))
  func python() throws {
    let python = try #require(Program.find("python3"), "python3 is not installed")
    let shell = try #require(Program.find("sh"))
    let result = try RunningProgram.run(
      shell,
      [
        "-c", "ulimit -n 64 && exec \"$@\"", "sh", python.path, "-B", "-m", "unittest", "discover",
        "-t", ".", "-s", "tests",
      ], in: Repository.root.appending(path: "clients/python"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("\nOK"))
  }

  @Test("the examples print what comes, in C, Swift and Python", .timeLimit(.minutes(10)))
  func hello() async throws {
    let folder = try TemporaryDirectory()
    for (program, arguments) in try hellos(in: folder) {
      let peer = try Peer()
      let running = try RunningProgram(
        program, arguments + ["home"],
        environment: try Self.variables(socket: peer.path))
      try await peer.acceptLater()
      try await peer.play(try Vector(name: "one_touch"))
      peer.disconnect()
      let result = running.finish()
      #expect(
        result.output == """
          began home/toolbar/back 1.0 2.0
          moved home/toolbar/back 3.0 4.5
          stationary home/toolbar/back 3.0 4.5
          ended home/toolbar/back 3.0 4.5

          """)
      #expect(result.errors == "touchrouted at \(peer.path) ended the connection\n")
      #expect(result.status == 1)
    }
  }

  @Test("the examples say what is wrong when the daemon refuses", .timeLimit(.minutes(10)))
  func refused() async throws {
    let folder = try TemporaryDirectory()
    for (program, arguments) in try hellos(in: folder) + sharers(in: folder) {
      let peer = try Peer()
      let running = try RunningProgram(
        program, arguments + ["home/nav"],
        environment: try Self.variables(socket: peer.path))
      try await peer.acceptLater()
      try peer.send(try Vector(name: "errors").bytes)
      let result = running.finish()
      #expect(result.output == "")
      #expect(result.errors == "\"home/nav\" is held by pid 812 (nav-app), user kiosk\n")
      #expect(result.status == 1)
    }
  }

  /// The hello of each language, with the arguments that come before its own.
  private func hellos(in folder: TemporaryDirectory) throws -> [(URL, [String])] {
    [
      (try build("hello", in: folder), []), (Repository.program("hello"), []),
      try Program.python("hello.py"),
    ]
  }

  /// The programs that share a window, likewise.
  private func sharers(in folder: TemporaryDirectory) throws -> [(URL, [String])] {
    [
      (try build("list", in: folder), []), (Repository.program("drawer"), []),
      try Program.python("photo.py"),
    ]
  }

  private static func variables(socket: String) throws -> [String: String] {
    try PythonClient.variables().merging(["TOUCHROUTE_SOCKET": socket]) { $1 }
  }

  @Test("a program with a loop of its own survives the daemon's restart", .timeLimit(.minutes(10)))
  func ownLoop() async throws {
    let folder = try TemporaryDirectory()
    let program = try build("own_loop", in: folder)
    let peer = try Peer()
    // Standard input that stays open until the test lets go of it.
    let input = Pipe()
    let output = Pipe()
    let process = try ChildProcess(
      program, ["home/a", "home/b"],
      environment: ProcessInfo.processInfo.environment
        .merging(["TOUCHROUTE_SOCKET": peer.path]) { $1 },
      input: input.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor)
    try output.fileHandleForWriting.close()
    try await peer.acceptLater()
    try await peer.received(32 + 32 + 32)
    try peer.send(
      Messages.welcome() + Messages.attached(serial: 2, id: 1) + Messages.attached(serial: 3, id: 2)
    )
    try peer.send(Messages.touches([(1, 1, .began, "home/a"), (2, 2, .began, "home/b")]))
    try peer.send(Messages.touches([(1, 1, .ended, "")]))
    peer.disconnect()
    try await peer.acceptLater()
    try await peer.received(32 + 32 + 32)
    try peer.send(Messages.welcome() + Messages.attached(serial: 3, id: 7))
    try peer.send(Messages.touches([(1, 7, .began, "home/b")]))
    var text = ""
    while !text.hasSuffix("home/b: 0 x 0 points\nhome/b: 1 down\n") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "it ended after: \(text)")
      text += String(decoding: data, as: UTF8.self)
    }
    try input.fileHandleForWriting.close()
    #expect(process.waitForExit() == 0)
    #expect(
      text == """
        home/a: 0 x 0 points
        home/b: 0 x 0 points
        home/a: 1 down
        home/b: 1 down
        home/a: 0 down
        home/b: 0 down (connection lost)
        lost: touchrouted at \(peer.path) ended the connection
        home/b: 0 x 0 points
        home/b: 1 down

        """)
  }

  private func build(_ example: String, in folder: TemporaryDirectory) throws -> URL {
    let program = folder.url.appending(path: example)
    let source = Repository.root.appending(path: "examples/c/\(example).c").path
    let result = try RunningProgram.run(
      try #require(Program.find("cc") ?? Program.find("clang")),
      Self.strict + Program.sanitizers
        + ["-I", Program.include, source, Program.library, "-o", program.path])
    try #require(result.status == 0, "\(result.errors)")
    return program
  }
}
