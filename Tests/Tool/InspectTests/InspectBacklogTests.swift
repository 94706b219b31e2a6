import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// What a peer that has the token asks for and does not read.
@Suite("touchroute inspect, not read")
struct InspectBacklogTests {
  @Test("answers that a peer asks for and does not read don't pile up (S52)")
  func answers() throws {
    let inspection = try Inspection()
    let peer = try inspection.connect()
    var time = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(
      peer.descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    let text = String(repeating: inspection.text("GET", inspection.folder + "page.js"), count: 100)
    // Of some 10 kB each: 200 MB in all.
    for _ in 0..<200 {
      guard peer.send(text) else { break }
    }
    // Others are served meanwhile.
    for _ in 0..<200 { #expect(try inspection.request("GET", "").status == 200) }
    let kilobytes = try #require(inspection.serverStatus("VmHWM").split(separator: " ").first)
    #expect(try #require(Int(kilobytes)) < 100_000)
  }

  @Test("whoever asks and leaves keeps a place until touchroute has answered (S52)")
  func places() throws {
    let inspection = try Inspection()
    inspection.inspect.signal(SIGSTOP)
    defer { inspection.inspect.signal(SIGCONT) }
    func ask() throws -> RawHTTP {
      let connection = try inspection.connect()
      connection.send(
        inspection.text(
          "POST", inspection.folder + "draw", ["Content-Type: application/json"], body: "{}"))
      return connection
    }
    for _ in 0..<16 { shutdown(try ask().descriptor, Int32(SHUT_WR)) }
    // A page's place is another one.
    for _ in 0..<4 { shutdown(try inspection.listen().descriptor, Int32(SHUT_RDWR)) }
    for _ in 0..<50 { #expect(try inspection.request("GET", "").status == 200) }
    #expect(try ask().answer()?.status == 503)
    #expect(try inspection.request("GET", "events").status == 503)
    inspection.inspect.signal(SIGCONT)
    for _ in 0..<3000 {
      if try inspection.post("draw", "{}").status != 503 { break }
      usleep(10_000)
    }
    #expect(try inspection.post("draw", "{}").status == 422)
    _ = try inspection.listen().event(with: "touchroute-record")
  }

  /// A page that has not read, and one that has read all, of more than is kept for a page.
  private func flooded(
    _ inspection: Inspection
  ) throws -> (slow: RawHTTP, quick: RawHTTP, flood: ObservedFlood) {
    let slow = try inspection.listen(buffer: 4096)
    _ = try slow.event(with: "touchroute-record")
    let quick = try inspection.listen()
    _ = try quick.event(with: "touchroute-record")
    let flood = try ObservedFlood(inspection)
    try flood.play(while: quick)
    return (slow, quick, flood)
  }

  @Test("a page that does not read loses lines and is told how many, and others lose none (S52)")
  func slow() throws {
    let inspection = try Inspection()
    let (slow, _, flood) = try flooded(inspection)
    var seen = 0
    while let line = try slow.line(), line != "event: behind" {
      if line.contains("\"frame\"") { seen += 1 }
    }
    let lost = try #require(Int(try slow.event()))
    // The daemon's state, once a second, is lost too.
    let all = flood.frames..<flood.frames * 2
    #expect(lost > 0 && all.contains(seen + lost), "\(seen) and \(lost)")
    let header = try slow.event(with: "touchroute-record")
    #expect(header.contains("\"path\":\"home/dial\""))
    try flood.end()
    #expect(try slow.event(with: "\"phase\":\"ended\"").contains("\"frame\""))
  }

  @Test("a page that does not read is told of no daemon that came and went meanwhile (S52)")
  func daemons() throws {
    let inspection = try Inspection()
    let daemon = try #require(inspection.daemon)
    let (slow, quick, _) = try flooded(inspection)
    for _ in 0..<3 {
      try daemon.stop()
      while let line = try quick.line(), line != "event: away" {}
      try daemon.start()
      try daemon.wait(for: "READY=1")
      _ = try quick.event(with: "touchroute-record")
    }
    var events: [String] = []
    while let line = try slow.line(), line != "event: record" {
      if line.hasPrefix("event: ") { events.append(line) }
    }
    #expect(events == ["event: behind"])
    #expect(try slow.event(with: "touchroute-record").contains("\"path\":\"home/dial\""))
    #expect(try inspection.run("tap", "10", "10").status == 2)
    #expect(try slow.event(with: "\"phase\":\"began\"").contains("\"at\":[10,10]"))
  }
}

/// Thirty fingers whose moves are more than the server keeps for a page, and the kernel for both
/// ends.
private struct ObservedFlood {
  let frames = 3000
  private let control: DaemonClient

  init(_ inspection: Inspection) throws {
    control = try DaemonClient(try #require(inspection.daemon?.controlSocket))
  }

  /// Plays them no faster than a page reads each frame.
  func play(while page: RawHTTP) throws {
    for first in stride(from: 0, to: frames, by: 10) {
      let some = first..<first + 10
      for frame in some {
        let y = 5.123456789 + Double(frame % 400)
        try inject { slot in
          let place = Point(x: Double(slot) * 10.123456789, y: y)
          return frame == 0 ? .began(place) : .moved(place)
        }
      }
      for frame in some {
        _ = try control.next(\.completion)
        #expect(try page.event(with: "\"frame\"").contains(frame == 0 ? "began" : "moved"))
      }
    }
  }

  /// Lifts the fingers.
  func end() throws {
    try inject { _ in .ended }
    _ = try control.next(\.completion)
  }

  private func inject(_ change: (Int32) -> InjectedContact.Change) throws {
    _ = try control.connection.inject((0..<30).map { InjectedContact(slot: $0, change($0)) })
  }
}
