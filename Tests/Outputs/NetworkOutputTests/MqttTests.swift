import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// `touchroute output mqtt` with the built daemon, injected fingers and Debian's mosquitto, which
/// dies and comes back.
@Suite(
  "touchroute output mqtt",
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/mosquitto"),
    "Debian's mosquitto is not installed"),
  .serialized)
struct MqttTests {
  private static let layout = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    [[view]]
    path = "home/light"
    frame = [100, 100, 100, 100]
    [[gesture]]
    name = "next"
    view = "home"
    kind = "swipe"
    touches = 2
    direction = "left"
    duration_ms = 60000
    gather_ms = 60000
    """

  private let fingers: InjectedFingers
  private let folder: TemporaryDirectory
  private let port: UInt16

  init() throws {
    fingers = try InjectedFingers(Self.layout)
    folder = try TemporaryDirectory()
    port = try TCPPort.free()
  }

  private func broker(_ settings: String = "allow_anonymous true") throws -> RunningProgram {
    let file = try folder.write(
      "mosquitto.conf", "listener \(port) 127.0.0.1\n\(settings)\nuser root\n")
    return try RunningProgram(URL(filePath: "/usr/sbin/mosquitto"), ["-c", file])
  }

  private func output(_ arguments: String...) throws -> RunningProgram { try output(arguments) }

  private func output(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(
      Repository.program("touchroute"),
      ["output", "mqtt", "home", "--name", "hall", "--to", "127.0.0.1:\(port)"] + arguments,
      environment: ["TOUCHROUTE_SOCKET": fingers.daemon.socket])
  }

  private func wait(for line: String, of program: RunningProgram) throws {
    try waitUntil("\(line); it said \(program.lines), \(program.errors)") {
      program.lines.last == line
    }
  }

  /// A subscriber of somebody else's, that prints "TOPIC PAYLOAD", once the output is online.
  private func online(_ arguments: String...) throws -> RunningProgram { try online(arguments) }

  private func online(_ arguments: [String]) throws -> RunningProgram {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      let listener = try RunningProgram(
        URL(filePath: "/usr/bin/mosquitto_sub"),
        ["-h", "127.0.0.1", "-p", "\(port)", "-v", "-t", "#"] + arguments)
      while listener.isRunning, ContinuousClock.now < end {
        if listener.lines.contains("touchroute/hall/home/availability online") { return listener }
        usleep(10_000)
      }
    }
    throw Missing("touchroute/hall/home/availability never was online")
  }

  private static func fields(_ line: String) throws -> [String: String] {
    let text = line.drop { $0 != "{" }
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    return object.mapValues { "\($0)" }
  }

  @Test(
    "a tap is JSON at its topic, and what moved or was cancelled is none (T7, T10)",
    .timeLimit(.minutes(10)))
  func taps() async throws {
    let broker = try broker()
    let output = try output()
    let listener = try online()
    try await fingers.inject(.began(Point(x: 150, y: 130)), .cancelled)
    try await fingers.inject(.began(Point(x: 150, y: 130)), .moved(Point(x: 300, y: 130)), .ended)
    try await fingers.inject(.began(Point(x: 150, y: 130)), .ended)
    try waitUntil("the tap has come") { listener.lines.contains { $0.contains("/tap ") } }
    let taps = listener.lines.filter { $0.hasPrefix("touchroute/hall/home/tap ") }
    #expect(taps.count == 1)
    let tap = try Self.fields(try #require(taps.first))
    #expect(tap["view"] == "home/light" && tap["count"] == "1", "\(tap)")
    let places = ["x", "y", "view_x"].map { tap[$0].flatMap { Double($0) } }
    #expect(places == [150, 130, 50], "\(tap)")
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
    try wait(for: "touchroute/hall/home/availability offline", of: listener)
    broker.kill()
  }

  @Test(
    "a gesture of the configuration is JSON once it is recognized (G12)", .timeLimit(.minutes(10)))
  func gestures() async throws {
    let broker = try broker()
    let output = try output()
    let listener = try online()
    for (slot, y) in [(Int32(0), 300.0), (1, 340)] {
      try await fingers.inject(.began(Point(x: 600, y: y)), slot: slot)
    }
    for x in stride(from: 560.0, through: 200, by: -40) {
      try await fingers.control.inject([
        InjectedContact(slot: 0, .moved(Point(x: x, y: 300))),
        InjectedContact(slot: 1, .moved(Point(x: x, y: 340))),
      ])
    }
    try await fingers.control.inject([
      InjectedContact(slot: 0, .ended), InjectedContact(slot: 1, .ended),
    ])
    try waitUntil("the gesture has come: \(output.errors)") {
      listener.lines.contains { $0.contains("/gesture ") }
    }
    let line = try #require(listener.lines.first { $0.contains("/gesture ") })
    let gesture = try Self.fields(line)
    #expect(line.hasPrefix("touchroute/hall/home/gesture "))
    #expect(gesture["gesture"] == "home#next" && gesture["event_type"] == "swipe", "\(gesture)")
    #expect(gesture["direction"] == "left" && gesture["state"] == "recognized", "\(gesture)")
    broker.kill()
  }

  @Test("a broker that dies is waited for, and so is a daemon", .timeLimit(.minutes(10)))
  func restarts() async throws {
    let first = try broker()
    let output = try output()
    _ = try online()
    first.kill()
    try waitUntil("it says so") { output.errors.contains("has ended the connection; it is tried") }
    // What nobody hears is not said later.
    try await fingers.inject(.began(Point(x: 150, y: 130)), .ended)
    let second = try broker()
    let listener = try online()
    try await fingers.inject(.began(Point(x: 250, y: 250)), .ended)
    try waitUntil("the tap has come") { listener.lines.contains { $0.contains("/tap ") } }
    #expect(
      try listener.lines.filter { $0.contains("/tap ") }.map(Self.fields).map { $0["view"] } == [
        "home"
      ])
    try await fingers.inject(.began(Point(x: 250, y: 250)))
    fingers.daemon.kill()
    try wait(for: "touchroute/hall/home/availability offline", of: listener)
    try fingers.restart()
    try wait(for: "touchroute/hall/home/availability online", of: listener)
    #expect(listener.lines.filter { $0.contains("/tap ") }.count == 1)
    // A last will, of one that can't say farewell.
    output.kill()
    try wait(for: "touchroute/hall/home/availability offline", of: listener)
    second.kill()
  }

  @Test(
    "what a broker has not confirmed is not said again to the next one (QoS 1)",
    .timeLimit(.minutes(10)))
  func unconfirmed() async throws {
    let first = try broker()
    let output = try output("--qos", "1")
    _ = try online("-q", "1")
    first.signal(SIGSTOP)
    try await fingers.inject(.began(Point(x: 150, y: 130)), .ended)
    fingers.daemon.kill()
    try waitUntil("it says so") { output.errors.contains("touchrouted is waited for") }
    try fingers.restart()
    try waitUntil("it says so") { output.errors.contains("touchrouted is there") }
    first.kill()
    try waitUntil("it says so") { output.errors.contains("has ended the connection; it is tried") }
    let second = try broker()
    let listener = try online("-q", "1")
    try await fingers.inject(.began(Point(x: 250, y: 250)), .ended)
    try waitUntil("the tap has come") { listener.lines.contains { $0.contains("\"home\"") } }
    #expect(listener.lines.filter { $0.contains("/tap ") }.count == 1, "\(listener.lines)")
    #expect(!listener.lines.contains { $0.hasSuffix(" offline") }, "\(listener.lines)")
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
    try wait(for: "touchroute/hall/home/availability offline", of: listener)
    second.kill()
  }

  @Test(
    "one that another output keeps out does not say offline of that one", .timeLimit(.minutes(10)))
  func second() async throws {
    let broker = try broker()
    let output = try output()
    let listener = try online()
    let waiting = try self.output("--wait")
    try waitUntil("it waits: \(waiting.errors)") {
      waiting.errors.contains("waiting for home: ")
    }
    let refused = try self.output().finish()
    #expect(refused.status == 1 && refused.errors.contains("is held by"), "\(refused.errors)")
    // What they have said has come before their end, and so before the tap.
    waiting.signal(SIGTERM)
    #expect(waiting.finish().status == 0)
    try await fingers.inject(.began(Point(x: 150, y: 130)), .ended)
    try waitUntil("the tap has come") { listener.lines.contains { $0.contains("/tap ") } }
    #expect(!listener.lines.contains { $0.hasSuffix(" offline") }, "\(listener.lines)")
    output.signal(SIGTERM)
    try wait(for: "touchroute/hall/home/availability offline", of: listener)
    broker.kill()
  }

  @Test("a password comes from a file, and a wrong one is said", .timeLimit(.minutes(10)))
  func passwords() throws {
    let passwords = try folder.write("passwords", "panel:secret\n")
    _ = try RunningProgram.run("mosquitto_passwd", "-U", passwords)
    let broker = try broker("password_file \(passwords)")
    let wrong = try folder.write("wrong", "guess\n")
    chmod(wrong, 0o600)
    let refused = try output("--user", "panel", "--password-file", wrong)
    try waitUntil("it is refused: \(refused.errors)") {
      refused.errors.contains("refuses the connection: ")
    }
    refused.kill()
    let right = try folder.write("right", "secret\n")
    chmod(right, 0o644)
    let output = try output("--user", "panel", "--password-file", right)
    _ = try online("-u", "panel", "-P", "secret")
    #expect(
      output.errors
        == "touchroute: \(right) can be read by others than its owner: chmod 600 \(right)\n")
    broker.kill()
  }

  /// Those of an authority, and of a broker that it has signed, in the folder.
  private func certificates() throws -> (authority: String, broker: String, key: String) {
    let names = try folder.write("names", "subjectAltName=IP:127.0.0.1\n")
    let files = ["authority", "broker"].map { folder.file($0) }
    let new = "-newkey rsa:2048 -nodes -days 2 -keyout"
    for arguments in [
      "req -x509 \(new) \(files[0]).key -out \(files[0]).pem -subj /CN=authority",
      "req \(new) \(files[1]).key -out \(files[1]).request -subj /CN=broker",
      "x509 -req -days 2 -in \(files[1]).request -CA \(files[0]).pem -CAkey \(files[0]).key"
        + " -CAcreateserial -extfile \(names) -out \(files[1]).pem",
    ] {
      let result = try RunningProgram.run(
        URL(filePath: "/usr/bin/openssl"), arguments.split(separator: " ").map(String.init))
      guard result.status == 0 else { throw Missing("openssl \(arguments): \(result)") }
    }
    return (files[0] + ".pem", files[1] + ".pem", files[1] + ".key")
  }

  @Test(
    "with TLS a broker shows its certificate, is waited for, and one of others is not believed",
    .timeLimit(.minutes(10)))
  func encrypted() throws {
    let files = try certificates()
    let settings = """
      allow_anonymous true
      cafile \(files.authority)
      certfile \(files.broker)
      keyfile \(files.key)
      require_certificate true
      """
    let first = try broker(settings)
    let stranger = try output("--tls")
    try waitUntil("it says so: \(stranger.errors)") {
      stranger.errors.contains("can't agree on TLS") && stranger.errors.contains("verify failed")
    }
    #expect(stranger.isRunning)
    stranger.kill()
    let options = [
      "--ca-file", files.authority, "--cert-file", files.broker, "--key-file", files.key,
    ]
    let output = try output(["--tls"] + options)
    let listen = ["--cafile", files.authority, "--cert", files.broker, "--key", files.key]
    let listener = try online(listen)
    first.kill()
    try waitUntil("it says so") { output.errors.contains("has ended the connection; it is tried") }
    listener.kill()
    let second = try broker(settings)
    _ = try online(listen)
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
    second.kill()
  }

  /// A broker that accepts, acknowledges nothing, and prints the kind of each packet.
  private static let deafBroker = """
    import socket, sys
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    print("listening", flush=True)
    stream = listener.accept()[0].makefile("rwb", buffering=0)
    while first := stream.read(1):
        size, shift = 0, 0
        while True:
            byte = stream.read(1)[0]
            size, shift = size | (byte & 127) << shift, shift + 7
            if byte < 128: break
        stream.read(size)
        print(first[0] >> 4, flush=True)
        if first[0] >> 4 == 1: stream.write(b"\\x20\\x02\\x00\\x00")
    """

  @Test(
    "to a broker that takes nothing, nothing more is sent, nor is leave taken of it",
    .timeLimit(.minutes(10)))
  func deaf() async throws {
    let broker = try RunningProgram(
      URL(filePath: "/usr/bin/python3"), ["-c", Self.deafBroker, "\(port)"])
    try wait(for: "listening", of: broker)
    let output = try output("--qos", "1")
    // What was said last, `online`, is not acknowledged.
    try wait(for: "3", of: broker)
    for _ in 0..<600 {
      guard !output.errors.contains("has taken no message for a while") else { break }
      try await fingers.inject(.began(Point(x: 150, y: 130)), .ended)
      try await Task.sleep(for: .milliseconds(100))
    }
    let count = broker.lines.count
    for _ in 0..<5 { try await fingers.inject(.began(Point(x: 150, y: 130)), .ended) }
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
    try waitUntil("the connection has ended") { !broker.isRunning }
    // At most the last word, and no DISCONNECT, which would take back the will.
    #expect([[], ["3"]].contains(broker.lines.dropFirst(count)), "\(broker.lines)")
  }

  @Test("Home Assistant finds what there is", .timeLimit(.minutes(10)))
  func discovery() throws {
    let broker = try broker()
    let output = try output("--home-assistant")
    let listener = try online()
    try waitUntil("it is described") {
      listener.lines.contains { $0.contains("/gesture/config ") }
    }
    let line = try #require(
      listener.lines.first { $0.contains("_hall_home/tap/config ") })
    let entity = try Self.fields(line)
    #expect(entity["state_topic"] == "touchroute/hall/home/tap")
    #expect(entity["availability_topic"] == "touchroute/hall/home/availability")
    #expect(output.isRunning)
    broker.kill()
  }

  @Test("what can't be is a sentence", .timeLimit(.minutes(10)))
  func refused() throws {
    let unreached = try output()
    // From 2.1 on libmosquitto does not tell why.
    let beginning = "touchroute: 127.0.0.1 port \(port) can't be reached"
    try waitUntil("it says so") {
      ["", ": Connection refused"].map { beginning + $0 + "; it is tried again\n" }
        .contains(unreached.errors)
    }
    unreached.signal(SIGTERM)
    #expect(unreached.finish().status == 0)
    let nobody = try RunningProgram(
      Repository.program("touchroute"),
      ["output", "mqtt", "home", "--to", "no-such-host.invalid"],
      environment: ["TOUCHROUTE_SOCKET": fingers.daemon.socket]
    ).finish()
    #expect(nobody.status == 1)
    #expect(
      nobody.errors == "touchroute: no-such-host.invalid port 1883: that name can't be found\n")
    let secret = try output("--user", "panel", "--password-file", "/nowhere").finish()
    #expect(secret.status == 1)
    #expect(
      secret.errors
        == "touchroute: the password can't be read from /nowhere: No such file or directory\n")
    let certificate = try output("--tls", "--ca-file", "/nowhere").finish()
    #expect(certificate.status == 1)
    #expect(
      certificate.errors
        == "touchroute: --ca-file can't be read from /nowhere: No such file or directory\n")
    let empty = try folder.write("empty.pem", "")
    let key = try output("--tls", "--cert-file", empty, "--key-file", "/nowhere").finish()
    #expect(key.status == 1)
    #expect(
      key.errors
        == "touchroute: --key-file can't be read from /nowhere: No such file or directory\n")
  }
}
