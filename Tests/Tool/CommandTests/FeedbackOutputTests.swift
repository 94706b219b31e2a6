import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// `touchroute output feedback` with the built daemon and injected fingers.
@Suite("touchroute output feedback", .serialized)
struct FeedbackOutputTests {
  private static let layout = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    frame = [0, 0, 400, 480]
    [[view]]
    path = "home/back"
    frame = [100, 100, 100, 100]
    feedback = "click"
    [[view]]
    path = "home/list"
    frame = [100, 300, 100, 100]
    feedback = "tock"
    [[window]]
    name = "nav"
    frame = [400, 0, 400, 480]
    feedback = "click"
    """

  private let fingers: InjectedFingers
  private let folder: TemporaryDirectory
  /// The program that holds `home`: without one nothing there gives feedback.
  private let holder: TouchSession

  init() async throws {
    fingers = try InjectedFingers(Self.layout)
    folder = try TemporaryDirectory()
    holder = try TouchSession(path: fingers.daemon.socket, name: "dashboard")
    _ = try await holder.attach(to: "home")
  }

  private func output(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try RunningProgram(
      Repository.program("touchroute"), ["output", "feedback"] + arguments,
      environment: environment.merging(["TOUCHROUTE_SOCKET": fingers.daemon.socket]) { $1 })
  }

  private func tap(_ x: Double, _ y: Double) async throws {
    try await fingers.inject(.began(Point(x: x, y: y)), .ended)
  }

  private func bytes(of file: String) -> Data {
    (try? Data(contentsOf: URL(filePath: file))) ?? Data()
  }

  private func lines(of file: String) -> [String] {
    String(decoding: bytes(of: file), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Taps until the output has done something about it: from then on it listens.
  private func tapUntilHeard(_ output: RunningProgram, _ isHeard: () -> Bool) async throws {
    for _ in 0..<600 {
      guard !isHeard() else { break }
      try await tap(150, 150)
      try await Task.sleep(for: .milliseconds(50))
    }
    if !isHeard() { throw Missing("nothing was heard: \(output.errors), \(fingers.daemon.log)") }
  }

  @Test(
    "commands run for what is hit and held, by name, and * for every other name (D10)",
    .timeLimit(.minutes(10)))
  func commands() async throws {
    let file = folder.file("heard")
    func command(_ word: String) -> String {
      "echo \(word) $TOUCHROUTE_FEEDBACK $TOUCHROUTE_TARGET >> '\(file)'"
    }
    let output = try output([
      "--most", "100", "--run", "click=\(command("named"))", "--run", "*=\(command("other"))",
    ])
    try await tapUntilHeard(output) { !lines(of: file).isEmpty }
    // In a window that nobody holds, and beside every view that names feedback.
    try await tap(600, 200)
    try await tap(20, 20)
    try await tap(150, 350)
    try waitUntil("the other command has run") {
      lines(of: file).contains { $0.hasPrefix("other") }
    }
    #expect(Set(lines(of: file)) == ["named click home/back", "other tock home/list"])
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
  }

  @Test(
    "commands have the usual signals, and go on to run, whatever it was started with (D10)",
    .timeLimit(.minutes(10)))
  func signals() async throws {
    let file = folder.file("signals")
    let tool = Repository.program("touchroute").path
    let command = "click=grep SigIgn /proc/self/status >> \(file)"
    let output = try RunningProgram(
      URL(filePath: "/bin/sh"),
      ["-c", "trap '' CHLD PIPE; exec \(tool) output feedback --most 100 --run '\(command)'"],
      environment: ["TOUCHROUTE_SOCKET": fingers.daemon.socket])
    try await tapUntilHeard(output) { !lines(of: file).isEmpty }
    // More than may run at once.
    for _ in 0..<10 {
      let count = lines(of: file).count
      try await tapUntilHeard(output) { lines(of: file).count > count }
    }
    for line in lines(of: file) {
      let ignored = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
      #expect([SIGCHLD, SIGPIPE].allSatisfy { ignored >> UInt64($0 - 1) & 1 == 0 }, "\(line)")
    }
    output.signal(SIGTERM)
    #expect(output.finish().status == 0)
  }

  @Test("further feedback within the time that --most leaves is left out", .timeLimit(.minutes(10)))
  func limit() async throws {
    let file = folder.file("heard")
    let output = try output(["--most", "1", "--run", "click=echo click >> '\(file)'"])
    let start = ContinuousClock.now
    try await tapUntilHeard(output) { !lines(of: file).isEmpty }
    for _ in 0..<20 { try await tap(150, 150) }
    // One of another name is not in its way, and comes behind all of them.
    try await Task.sleep(for: .milliseconds(100))
    output.signal(SIGTERM)
    _ = output.finish()
    let seconds = Int((ContinuousClock.now - start).components.seconds)
    #expect(lines(of: file).count <= seconds + 1)
  }

  @Test(
    "a WAV file comes out of the sound device as it is, and so does the click",
    .timeLimit(.minutes(10)))
  func sounds() async throws {
    let samples = (0..<800).map { Int16($0 * 40 - 16_000) }
    let wave = folder.file("tick.wav")
    try Self.wave(samples).write(to: URL(filePath: wave))
    let played = folder.file("played.raw")
    let settings = try folder.write(
      "asound.conf",
      """
      pcm.panel {
        type file
        slave.pcm { type null }
        file "\(played)"
        format raw
      }
      """)
    for (option, first) in [("click=\(wave)", samples), ("click", nil)] {
      try? FileManager.default.removeItem(atPath: played)
      let output = try output(
        ["--device", "panel", "--sound", option], environment: ["ALSA_CONFIG_PATH": settings])
      // The file's buffer is written as the device is closed.
      try await tapUntilHeard(output) { FileManager.default.fileExists(atPath: played) }
      output.signal(SIGTERM)
      #expect(output.finish().status == 0)
      let heard = bytes(of: played).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      if let first {
        #expect(Array(heard.prefix(800)) == first, "\(output.errors)")
      } else {
        #expect(heard.contains { $0 > 8_000 } && heard.contains { $0 < -8_000 }, "\(heard.count)")
      }
    }
  }

  @Test("what can't give feedback is named at the start, with what to do")
  func refusals() throws {
    let file = try folder.write("noise.wav", "this is no sound")
    let cut = folder.file("cut.wav")
    try Self.wave([1, 2, 3]).dropLast(2).write(to: URL(filePath: cut))
    let mp3 = folder.file("mp3.wav")
    try Self.wave([1], format: 85).write(to: URL(filePath: mp3))
    for (option, value, words) in [
      ("--sound", "click=\(file)", "the sound \(file) can't be played: it is no WAV file"),
      ("--sound", "click=/none.wav", "it can't be read: No such file or directory"),
      ("--sound", "click=\(folder.url.path)", "it is no file"),
      ("--sound", "click=\(cut)", "it is cut off"),
      ("--sound", "click=\(mp3)", "its format is 85 with 16 bits, and only PCM of"),
      ("--rumble", "click=/dev/none", "/dev/none can't give feedback: it can't be opened: No such"),
      ("--beep", "click=/dev/null", "/dev/null can't give feedback: it is no input device"),
      ("--periodic", "click=\(file)", "it is no input device"),
      ("--screen", "door", "no screen is named door"),
    ] {
      let output = try output([option, value])
      let result = output.finish()
      #expect(result.status == 1)
      #expect(result.errors.contains(words), "\(option) \(value): \(result.errors)")
    }
  }

  @Test(
    "a device that can't be opened is said once, and the output goes on", .timeLimit(.minutes(10)))
  func silentDevice() async throws {
    let file = folder.file("heard")
    let output = try output([
      "--device", "none", "--sound", "click", "--run", "click=echo x >> '\(file)'",
    ])
    try await tapUntilHeard(output) { !lines(of: file).isEmpty }
    try waitUntil("it is said") {
      output.errors.contains("the sound device \"none\" can't be opened")
    }
    try await tap(150, 150)
    try await tap(150, 150)
    output.signal(SIGTERM)
    let result = output.finish()
    #expect(result.status == 0)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  /// A WAV file of one channel.
  private static func wave(_ samples: [Int16], format: UInt16 = 1) -> Data {
    func bytes(_ number: some FixedWidthInteger) -> Data {
      withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }
    var data = Data("RIFF".utf8) + bytes(UInt32(36 + samples.count * 2)) + Data("WAVEfmt ".utf8)
    data += bytes(UInt32(16)) + bytes(format) + bytes(UInt16(1)) + bytes(UInt32(8_000))
    data += bytes(UInt32(16_000)) + bytes(UInt16(2)) + bytes(UInt16(16))
    data += Data("data".utf8) + bytes(UInt32(samples.count * 2))
    for sample in samples { data += bytes(sample) }
    return data
  }
}
