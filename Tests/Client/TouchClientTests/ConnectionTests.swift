import CTouchroute
import DaemonSupport
import Foundation
import Glibc
import Testing
import TouchClient
import TouchModel

/// TouchConnection against a daemon that the test plays.
@Suite("TouchConnection")
struct ConnectionTests {
  @Test("a socket that is not there is named, and what to look at")
  func missing() throws {
    let error = try #require(throws: TouchClientError.self) {
      try TouchConnection(path: "/nonexistent/touchroute.sock")
    }
    #expect(error.kind == .connect)
    #expect(
      error.description
        == "there is no socket at /nonexistent/touchroute.sock: is touchrouted running?")
  }

  @Test("a socket that no program listens at is told from one that is not there")
  func deserted() throws {
    let peer = try Peer()
    shutdown(peer.listener, CInt(SHUT_RDWR))
    let error = try #require(throws: TouchClientError.self) {
      try TouchConnection(path: peer.path)
    }
    #expect(error.description == "no program listens at \(peer.path): is touchrouted running?")
  }

  @Test("a path that no socket can have is refused with the limit")
  func longPath() throws {
    let error = try #require(throws: TouchClientError.self) {
      try TouchConnection(path: "/tmp/" + String(repeating: "x", count: 200))
    }
    #expect(error.description.hasPrefix("the path of a socket can have 107 bytes at most: /tmp/xx"))
  }

  @Test(
    "a name that is too long is cut between letters, never within one's bytes",
    arguments: [
      (String(repeating: "x", count: 300), 255), (String(repeating: "x", count: 254) + "é", 254),
      (String(repeating: "x", count: 253) + "é", 255), (String(repeating: "🚗", count: 70), 252),
      (String(repeating: "ナ", count: 100), 255),
    ])
  func longName(name: String, size: Int) throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path, name: name)
    defer { _ = connection }
    try peer.accept()
    let hello = peer.receive()
    let start = MemoryLayout<touchroute_hello>.size
    let sent = hello.withUnsafeBytes { $0.loadUnaligned(as: touchroute_hello.self).name_size }
    #expect(Int(sent) == size)
    #expect(Array(hello[start..<start + size]) == Array(name.utf8.prefix(size)))
  }

  @Test("the same descriptor is polled, for writing too while requests wait (F1)")
  func full() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    try peer.accept()
    #expect(connection.pollEvents == CShort(POLLIN))
    var pings = 0
    let error = try #require(throws: TouchClientError.self) {
      while true {
        _ = try connection.ping()
        pings += 1
      }
    }
    #expect(error.kind == .full)
    #expect(error.description.contains("which does not read them"))
    #expect(connection.pollEvents == CShort(POLLIN | POLLOUT))
    #expect(try !connection.flush())

    // An attachment is never refused for that: it goes out when there is room.
    let attachment = try connection.attach(to: "home")
    var received: [UInt8] = []
    while connection.pollEvents & CShort(POLLOUT) != 0 || received.count < pings * 16 {
      received += peer.receive()
      try connection.dispatch { _ in }
    }
    received += peer.receive()
    let attach = [UInt8]([32, 0, 0, 0, 2, 0, 0, 0, UInt8(attachment.rawValue & 0xff)])
    #expect(received.suffix(32).starts(with: attach))
    _ = try connection.ping()
  }

  @Test("an attachment that had no room goes out while dispatch waits for the daemon (F1)")
  func owedWhileWaiting() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    try peer.accept()
    let error = try #require(throws: TouchClientError.self) {
      while true { _ = try connection.ping() }
    }
    #expect(error.kind == .full)
    let attachment = try connection.attach(to: "home")
    // Now there is room for what is queued, and no byte that would wake the connection.
    _ = peer.receive()
    let daemon = peer.client
    let answer = Messages.welcome() + Messages.attached(serial: attachment.rawValue, id: 1)
    // A daemon that answers nothing but the attachment.
    Thread.detachNewThread {
      let attach = [UInt8]([32, 0, 0, 0, UInt8(TOUCHROUTE_ATTACH.rawValue), 0, 0, 0])
      var end: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65536)
      while end.count < 32 || !end.suffix(32).starts(with: attach) {
        let count = recv(daemon, &chunk, chunk.count, 0)
        guard count > 0 else { return }
        end = (end + chunk.prefix(count)).suffix(32)
      }
      _ = send(daemon, answer, answer.count, CInt(MSG_NOSIGNAL))
    }
    var events: [TouchEvent] = []
    try connection.dispatch(timeoutMilliseconds: 60_000) { events.append($0) }
    #expect(!events.isEmpty)
    #expect(peer.client == daemon)
  }

  @Test("requests out of range are refused before they are sent")
  func arguments() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    func sentence(_ request: () throws -> Void) throws -> String {
      try #require(throws: TouchClientError.self) { try request() }.description
    }
    #expect(
      try sentence { _ = try connection.attach(to: "") }
        == "attaching needs the path of a responder")
    #expect(
      try sentence { _ = try connection.attach(to: "home", handles: []) }.contains("name phases"))
    #expect(
      try sentence { _ = try connection.attach(to: "home", handles: .began, passes: .ended) }
        .contains("only phases that it handles"))
    #expect(
      try sentence { _ = try connection.attach(to: String(repeating: "a", count: 3073)) }
        .contains("3072 bytes, this has 3073"))
    #expect(
      try sentence { try connection.lock("panel", milliseconds: 999) }
        == "999 ms: a lock lasts at least a second")
    try connection.lock("panel", milliseconds: 1_000)
    #expect(
      try sentence { _ = try connection.describe("", count: 129) }
        == "one answer describes 128 views at most")
    #expect(
      try sentence { try connection.detach(AttachmentID(77)) }
        == "there is no attachment 77, or it is being detached")
    #expect(
      try sentence { try connection.accept(TouchID(5), for: AttachmentID(77)) }
        == "there is no attachment 77, or it is not attached yet")
    let home = try connection.attach(to: "home")
    #expect(
      try sentence { try connection.decline(TouchID(5), for: home) }
        == "there is no attachment \(home.rawValue), or it is not attached yet")
    #expect(try sentence { try connection.set([]) } == "there is nothing to set")
    #expect(
      try sentence {
        try connection.set([ViewChange("home", .hidden(true)), ViewChange("", .configured)])
      }
        == "change 2 of 2 has no path: set needs that of a view or window")
    for path in ["home\0", "\0"] {
      let sentences = [
        try sentence { _ = try connection.attach(to: path) },
        try sentence { try connection.set([ViewChange(path, .hidden(true))]) },
        try sentence { _ = try connection.describe(path) },
      ]
      #expect(sentences.allSatisfy { $0 == "a responder's path has to be text, without NUL" })
    }
    #expect(try sentence { try connection.inject([]) } == "a frame to inject needs a contact")
  }

  @Test("a batch that no request holds is refused whole, with the limit (F5)")
  func largeBatches() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    try peer.accept()
    _ = peer.receive()
    // 16 bytes of set, then 56 and 8 for each change: 63 fit into 4096.
    let changes = [ViewChange](repeating: ViewChange("home", .order(1)), count: 64)
    let many = try #require(throws: TouchClientError.self) { try connection.set(changes) }
    #expect(many.kind == .request)
    #expect(
      many.description == """
        63 of 64 changes fit into a request of 4096 bytes, the daemon's limit: set fewer at once
        """)
    // 24 bytes of inject, then 24 for each contact.
    let contacts = (0..<170).map { InjectedContact(slot: $0, .ended) }
    let fingers = try #require(throws: TouchClientError.self) { try connection.inject(contacts) }
    #expect(
      fingers.description == """
        a frame to inject can have 169 contacts, in a request of 4096 bytes, the daemon's limit; \
        this has 170
        """)
    #expect(peer.receive().isEmpty)
    _ = try connection.set(changes.dropLast())
    _ = try connection.inject(contacts.dropLast())
    #expect(peer.receive().count == 16 + 63 * 64 + 24 + 169 * 24)
  }

  @Test("a connection's attachments, and the bytes of their paths, have limits that are named (F5)")
  func limits() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    var made: [AttachmentID] = []
    let error = try #require(throws: TouchClientError.self) {
      while true { made.append(try connection.attach(to: "home/\(made.count)")) }
    }
    #expect(error.description == "a connection can have 256 attachments")
    #expect(made.count == 256)
    #expect(Set(made).count == 256)

    let other = try TouchConnection(path: peer.path)
    var bytes = 0
    let second = try #require(throws: TouchClientError.self) {
      while true {
        _ = try other.attach(to: String(repeating: "p", count: 3000))
        bytes += 3000
      }
    }
    #expect(second.description.contains("65536 bytes together"))
    #expect(bytes == 63000)
  }

  @Test("more fingers than the library has slots: every touch comes, the oldest path is forgotten")
  func manyTouches() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    try peer.accept()
    let attachment = try connection.attach(to: "home")
    try peer.send(Messages.welcome() + Messages.attached(serial: attachment.rawValue, id: 1))
    for touch in 1...200 as ClosedRange<UInt64> {
      try peer.send(Messages.touches([(touch, 1, .began, "home/\(touch)")]))
    }
    try peer.send(Messages.touches([(1, 1, .moved, ""), (200, 1, .moved, "")]))
    var paths: [String] = []
    for _ in 0..<10 {
      try connection.dispatch {
        if case .touches(let frame) = $0 { paths += frame.touches.map(\.targetPath) }
      }
    }
    #expect(paths == (1...200).map { "home/\($0)" } + ["", "home/200"])
  }

  @Test("of the last 16 touches that are declined nothing more is told, however late it comes (R5)")
  func declinedLately() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    try peer.accept()
    let attachment = try connection.attach(to: "home")
    try peer.send(Messages.welcome() + Messages.attached(serial: attachment.rawValue, id: 1))
    func told() throws -> [UInt64] {
      var touches: [UInt64] = []
      try connection.dispatch {
        if case .touches(let frame) = $0 { touches += frame.touches.map(\.id.rawValue) }
      }
      return touches
    }
    let all = (1...17).map { UInt64($0) }
    for touch in all { try peer.send(Messages.touches([(touch, 1, .began, "home")])) }
    #expect(try told() == all)
    for touch in all { try connection.decline(TouchID(touch), for: attachment) }
    // What was on its way, before the daemon knew. Of the first nothing is known any more.
    for touch in all { try peer.send(Messages.touches([(touch, 1, .moved, "")])) }
    #expect(try told() == [1])
  }

  @Test("however many touches are declined, those that are not keep their paths (R5)")
  func manyDeclined() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    try peer.accept()
    let attachment = try connection.attach(to: "home")
    try peer.send(Messages.welcome() + Messages.attached(serial: attachment.rawValue, id: 1))
    try peer.send(Messages.touches([(1, 1, .began, "home/kept")]))
    var paths: [String] = []
    func hear() throws {
      try connection.dispatch {
        if case .touches(let frame) = $0 { paths += frame.touches.map(\.targetPath) }
      }
    }
    try hear()
    _ = peer.receive()
    for touch in 2...500 as ClosedRange<UInt64> {
      try peer.send(Messages.touches([(touch, 1, .began, "home/\(touch)")]))
      try hear()
      try connection.decline(TouchID(touch), for: attachment)
      #expect(peer.receive().count == 24)
      #expect(throws: TouchClientError.self) {
        try connection.accept(TouchID(touch), for: attachment)
      }
      // What was on its way: nothing is told of the touch, and nothing where that is all there is.
      try peer.send(Messages.touches([(touch, 1, .moved, "")]))
    }
    try peer.send(Messages.touches([(1, 1, .moved, ""), (500, 1, .moved, "")]))
    try hear()
    #expect(paths == ["home/kept"] + (2...500).map { "home/\($0)" } + ["home/kept"])
  }
}
