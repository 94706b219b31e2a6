import CFeed
import DaemonSupport
import Foundation
import TestSupport
import Testing

@testable import TouchModel

/// Outputs between a daemon and a broker that mean them badly.
@Suite("Outputs and hostile peers", .serialized)
struct HostilePeerTests {
  /// An output of that kind, for that daemon.
  private func output(
    _ kind: String, _ daemon: String, port: UInt16, _ arguments: String...
  ) throws -> RunningProgram {
    try RunningProgram(
      Repository.program("touchroute"),
      ["output", kind, "home", "--to", "127.0.0.1:\(port)"] + arguments,
      environment: ["TOUCHROUTE_SOCKET": daemon])
  }

  @Test("C and Swift escape the same characters in the same way (F4, S34)")
  func sameForms() {
    for value in UInt32(1)...0x10ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar)bü\(scalar)b"
      var buffer = [CChar](repeating: 0, count: 64)
      let shown = String(cString: printable(&buffer, buffer.count, text, PRINTABLE_LINE))
      if shown != text.printable() {
        #expect(shown == text.printable(), "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test("what is no UTF-8 is shown as such, and what does not fit is left out whole (F4)")
  func badBytes() {
    func shown(_ bytes: [UInt8], size: Int = 64, _ form: printable_form = PRINTABLE_LINE) -> String
    {
      var buffer = [CChar](repeating: 0, count: size)
      let text = bytes.map { CChar(bitPattern: $0) } + [0]
      return String(cString: printable(&buffer, size, text, form))
    }
    #expect(shown([0x61, 0x9b, 0x62]) == "a\u{fffd}b")
    #expect(shown([0xe2, 0x82]) == "\u{fffd}\u{fffd}")
    #expect(shown([0xed, 0xa0, 0x80]) == "\u{fffd}\u{fffd}\u{fffd}")
    #expect(shown([0xc0, 0x8a, 0xf5]) == "\u{fffd}\u{fffd}\u{fffd}")
    #expect(shown([0x61, 0x1b, 0x62], size: 8) == "a\\u001b")
    #expect(shown([0x61, 0x1b, 0x62], size: 7) == "a")
    #expect(shown(Array("a\"\\b".utf8), PRINTABLE_JSON) == "a\\\"\\\\b")
  }

  @Test(
    "what a daemon says steers no terminal through an output (F4, S34)",
    arguments: [HostileDaemon.Manner.refuses, .waits, .attaches])
  func words(_ manner: HostileDaemon.Manner) throws {
    let receiver = try UDPReceiver()
    for kind in ["tuio", "mqtt"] {
      let daemon = try HostileDaemon(manner)
      let output = try output(kind, daemon.path, port: receiver.port)
      try waitUntil("\(kind) has said why: \(output.errors.debugDescription)") {
        output.errors.contains("\\u001b]0;y")
      }
      #expect(HostileDaemon.isHarmless(output.errors), "\(output.errors.debugDescription)")
      output.kill()
    }
  }

  @Test("a daemon's paths are strings of JSON at a broker, whatever is in them (F4, S34)")
  func paths() throws {
    let broker = try HostileBroker()
    let daemon = try HostileDaemon(.attaches)
    let output = try output("mqtt", daemon.path, port: broker.port, "--name", "hall")
    try broker.accept()
    var payloads: [[String: String]] = []
    while payloads.count < 2 {
      let (type, body) = try broker.packet()
      guard type & 0xf0 == 0x30 else { continue }
      let topic = String(decoding: body.dropFirst(2).prefix(Int(body[1])), as: UTF8.self)
      guard topic.hasSuffix("/tap") || topic.hasSuffix("/gesture") else { continue }
      let text = String(decoding: body.dropFirst(2 + Int(body[1])), as: UTF8.self)
      #expect(HostileDaemon.isHarmless(text), "\(text.debugDescription)")
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
      payloads.append(object.compactMapValues { $0 as? String })
    }
    #expect(payloads.contains { $0["view"] == HostileDaemon.words })
    #expect(payloads.contains { $0["gesture"] == HostileDaemon.words })
    output.kill()
  }

  @Test("a broker that accepts a connection twice is left, and that is said once (S34)")
  func acceptedTwice() throws {
    let fingers = try InjectedFingers(rightHalf)
    let broker = try HostileBroker()
    let output = try output("mqtt", fingers.daemon.socket, port: broker.port)
    try broker.accept()
    for _ in 0..<1000 {
      guard broker.send([0x20, 2, 0, 0]) else { break }
    }
    try waitUntil("it has left: \(output.errors)") { output.errors.hasSuffix("\n") }
    #expect(
      output.errors
        == "touchroute: 127.0.0.1 port \(broker.port) does not keep to MQTT; the connection was "
        + "ended, and is tried again\n")
    // It comes again.
    try broker.accept()
    #expect(output.isRunning)
    output.kill()
  }

  /// The most memory that a process has had, in MiB.
  private func mostMemory(of process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    return try #require(words.count == 3 ? Int(words[1]) : nil) / 1024
  }

  @Test(
    "a broker's packets that are too long are refused before memory is taken for them (F4, S34)",
    arguments: [1, 200])
  func longPackets(_ mebibytes: Int) throws {
    let fingers = try InjectedFingers(rightHalf)
    let broker = try HostileBroker()
    let output = try output("mqtt", fingers.daemon.socket, port: broker.port)
    try broker.accept()
    // A message of QoS 2, which is kept until it is released: one of 200 MiB, or two hundred.
    let length = mebibytes == 1 ? 1 << 20 : 200 << 20
    var header: [UInt8] = [0x34]
    var rest = length
    while rest > 0 {
      header.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
      rest >>= 7
    }
    let piece = [UInt8](repeating: 0x61, count: 1 << 16)
    var isTaken = true
    for number in UInt8(0)..<(mebibytes == 1 ? 200 : 1) where isTaken {
      // The topic a, and an identifier.
      isTaken = broker.send(header + [0, 1, 0x61, 1, number])
      var left = length - 5
      while isTaken, left > 0 {
        isTaken = broker.send(Array(piece.prefix(left)))
        left -= piece.count
      }
    }
    #expect(!isTaken, "it has taken 200 MiB")
    try waitUntil("it says so: \(output.errors)") {
      output.errors.contains("port \(broker.port) sends packets for which there is no room: ")
    }
    #expect(try mostMemory(of: output.identifier) < 40)
    #expect(output.isRunning)
    // It goes on once the broker behaves.
    try broker.accept()
    try waitUntil("it says so: \(output.errors)") {
      output.errors.hasSuffix("port \(broker.port) has accepted the connection\n")
    }
    output.kill()
  }
}
