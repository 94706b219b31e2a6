import CThreadCredentials
import Configuration
import DaemonSupport
import Glibc
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// Programs of other users, as the kernel tells of them: only root can make such.
@Suite("Exchange, access rules", .enabled(if: geteuid() == 0))
struct AccessTests {
  private static let rules = """
    [[access]]
    path = "left"
    users = ["4001"]
    groups = ["4100"]
    [[access]]
    path = "right/button"
    users = []

    """

  private func bench() throws -> ExchangeBench {
    let bench = try ExchangeBench(twoWindows + Self.rules)
    for kind in SocketKind.allCases { try #require(chmod(bench.path(kind), 0o666) == 0) }
    return bench
  }

  /// What a program of that user is told when it attaches: nil where it may.
  private func refusal(
    _ bench: ExchangeBench, _ path: String, user: UInt32, group: UInt32 = 9, groups: [UInt32] = [],
    _ kind: SocketKind = .client, takesOver: Bool = false
  ) throws -> RequestFailure? {
    let client = try self.client(bench, user: user, group: group, groups: groups, kind)
    _ = try client.connection.attach(to: path, options: takesOver ? .takeOver : [])
    var held: AttachmentGeometry?
    let failure = try client.next(meanwhile: bench.turn) { event -> RequestFailure?? in
      held = event.geometry
      return held != nil ? .some(nil) : event.failure.map { .some($0) }
    }
    // A thread that closes may keep the client's socket open for a moment: its end is no detaching.
    if let held {
      _ = try client.connection.detach(held.attachment)
      _ = try client.next(meanwhile: bench.turn, \.completion)
    }
    return failure
  }

  private func client(
    _ bench: ExchangeBench, user: UInt32, group: UInt32 = 9, groups: [UInt32] = [],
    _ kind: SocketKind = .client
  ) throws -> DaemonClient {
    try #require(thread_become(user, group, groups, groups.count) == 0)
    defer { precondition(thread_become_root() == 0, "root again") }
    return try DaemonClient(bench.path(kind))
  }

  @Test("those whom the rule names may attach, by user, by group and by supplementary group (F6)")
  func allowed() throws {
    let bench = try bench()
    #expect(try refusal(bench, "left", user: 4001) == nil)
    #expect(try refusal(bench, "left", user: 4002, group: 4100) == nil)
    #expect(try refusal(bench, "left", user: 4002, groups: [7, 4100]) == nil)
    #expect(try refusal(bench, "left", user: 4002, groups: Array(5000..<5100) + [4100]) == nil)
    #expect(try refusal(bench, "right", user: 4002) == nil)
    #expect(try refusal(bench, "app:dashboard", user: 4001) == nil)
    #expect(try refusal(bench, "right/button", user: 0) == nil)
    #expect(try refusal(bench, "right/button", user: 4002, .control) == nil)
  }

  @Test("who may not open a socket is told the group that may, and how to join it")
  func unopened() throws {
    let bench = try bench()
    let path = bench.path(.client)
    let start = "user 4002 may not open \(path): "
    for (group, mode, reason): (UInt32, mode_t, String) in [
      (
        4100, 0o660,
        "it is for the group 4100. Join it (sudo usermod -aG 4100 4002), then log in or start the "
          + "service anew"
      ), (0, 0o660, "only user root may, as with sudo"),
      (4100, 0o600, "only user root may, as with sudo"),
    ] {
      try #require(chown(path, 0, group) == 0 && chmod(path, mode) == 0)
      let error = #expect(throws: TouchClientError.self) { try client(bench, user: 4002) }
      #expect(error?.kind == .connect)
      #expect(error?.description == start + reason)
    }
  }

  @Test("who may not search a socket's folder is told so")
  func unsearched() throws {
    let bench = try bench()
    let path = bench.path(.client)
    try #require(chmod(String(path.dropLast("/client".count)), 0o700) == 0)
    let error = #expect(throws: TouchClientError.self) { try client(bench, user: 4002) }
    #expect(error?.kind == .connect)
    #expect(
      error?.description == "user 4002 may not open \(path): the user may not search its folder")
  }

  @Test("others are refused, with who they are, who may, and by which rule (F6, S19)")
  func refused() throws {
    let bench = try bench()
    let failure = try #require(try refusal(bench, "left", user: 4002, group: 4001, groups: [41]))
    #expect(failure.code == .notAllowed)
    #expect(
      failure.text == "\"left\" is for user 4001, group 4100 and root, by the rule at "
        + "test.toml:15:8; this is pid \(getpid()) (test), uid 4002")
    let button = try #require(try refusal(bench, "right/button", user: 4001))
    #expect(button.text.hasPrefix("\"right/button\" is for root alone, by the rule at "))
    #expect(try refusal(bench, "right/buton", user: 4001)?.code == .noResponder)
  }

  @Test("a responder is taken over only by those who may attach to it (R2, F6)")
  func takeOver() throws {
    let bench = try bench()
    let holder = try client(bench, user: 4001)
    _ = try holder.connection.attach(to: "left")
    _ = try holder.next(meanwhile: bench.turn, \.geometry)
    let other = try refusal(bench, "left", user: 4002, group: 4100, takesOver: true)
    #expect(other?.text.contains("only programs of the same user") == true)
    let stranger = try refusal(bench, "left", user: 4002, takesOver: true)
    #expect(stranger?.text.contains("is for user 4001") == true)
    #expect(try refusal(bench, "left", user: 4001, takesOver: true) == nil)
    #expect(try holder.next(meanwhile: bench.turn, \.detachment).reason == .takenOver)
  }

  @Test("a reload that takes the right away ends the attachment and cancels its touches (F6)")
  func revoked() throws {
    let bench = try bench()
    let client = try client(bench, user: 4001)
    _ = try client.connection.attach(to: "left")
    _ = try client.next(meanwhile: bench.turn, \.geometry)
    _ = try client.connection.attach(to: "right")
    _ = try client.next(meanwhile: bench.turn, \.geometry)
    bench.down(0, 10, 10)
    bench.down(1, 600, 10)
    bench.frame()
    let text = twoWindows + Self.rules.replacing("\"4001\"", with: "\"4003\"")
    let changes = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    #expect(changes == "the rules for access changed")
    bench.exchange.endTurn()
    try bench.turn()
    let events = client.pending()
    let touches = events.compactMap(\.frame).flatMap(\.touches)
    #expect(touches.map(\.phase) == [.began, .began, .cancelled, .stationary])
    #expect(touches[2].cancelReason == .requested)
    #expect(events.compactMap(\.detachment).map(\.reason) == [.notAllowed])
    bench.up(0)
    bench.up(1)
    bench.frame()
    #expect(try bench.touches(of: client).map(\.phase) == [.ended])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }
  @Test("whose right a rule takes waits until another gives it back (R2, F6)")
  func waiting() throws {
    let bench = try bench()
    let client = try self.client(bench, user: 4001)
    _ = try client.connection.attach(to: "left", options: .wait)
    let held = try client.next(meanwhile: bench.turn, \.geometry)
    let other = twoWindows + Self.rules.replacing("\"4001\"", with: "\"4003\"")
    for text in [other, twoWindows + Self.rules] {
      _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
      bench.exchange.endTurn()
    }
    #expect(try client.next(meanwhile: bench.turn, \.waiting).reason == .notAllowed)
    let again = try client.next(meanwhile: bench.turn, \.geometry)
    #expect(again.attachment == held.attachment)
  }

  @Test("who gets a window gets what it waits for in it, also where nobody held it (R2, F6)")
  func windowOfItsOwn() throws {
    let bench = try ExchangeBench()
    for kind in SocketKind.allCases { try #require(chmod(bench.path(kind), 0o666) == 0) }
    let client = try self.client(bench, user: 4001)
    _ = try client.connection.attach(to: "right/button", options: .wait)
    let button = try client.next(meanwhile: bench.turn, \.geometry).attachment
    let secret = try Configuration.parse([
      (file: "test.toml", text: twoWindows + "secure = true\n")
    ])
    _ = bench.exchange.apply(secret)
    bench.exchange.endTurn()
    #expect(try client.next(meanwhile: bench.turn, \.waiting).attachment == button)
    _ = try client.connection.attach(to: "right")
    let first = try client.next(meanwhile: bench.turn, \.geometry)
    #expect(first.attachment != button)
    #expect(try client.next(meanwhile: bench.turn, \.geometry).attachment == button)
  }

  @Test("what a window's holder loses with it to a take-over is whose who waited for it (R2, F6)")
  func takenOver() throws {
    let secret = """
      [[view]]
      path = "left/pin"
      frame = [0, 0, 50, 50]
      secure = true

      """
    let bench = try ExchangeBench(twoWindows + secret)
    for kind in SocketKind.allCases { try #require(chmod(bench.path(kind), 0o666) == 0) }
    let holder = try self.client(bench, user: 4001)
    #expect(try bench.attach(holder, "left") == nil)
    #expect(try bench.attach(holder, "left/pin") == nil)
    let root = try bench.client()
    _ = try root.connection.attach(to: "left/pin", options: .wait)
    _ = try root.next(meanwhile: bench.turn, \.waiting)
    let successor = try self.client(bench, user: 4001)
    #expect(try bench.attach(successor, "left", .takeOver) == nil)
    _ = try root.next(meanwhile: bench.turn, \.geometry)
  }

  @Test("who holds a view beside a secure one of another user's takes no touches from it (F7)")
  func besideSecret() throws {
    let views = """
      [[view]]
      path = "left/pin"
      frame = [0, 0, 50, 50]
      secure = true
      [[view]]
      path = "left/ads"
      frame = [60, 0, 20, 20]

      """
    let bench = try ExchangeBench(twoWindows + views)
    for kind in SocketKind.allCases { try #require(chmod(bench.path(kind), 0o666) == 0) }
    let holder = try self.client(bench, user: 4001)
    #expect(try bench.attach(holder, "left") == nil)
    let vendor = try self.client(bench, user: 4002)
    #expect(try bench.attach(vendor, "left/ads") == nil)
    let over = Change("left/ads", .frame(Rect(x: 10, y: 0, width: 20, height: 20)))
    let refusal = try bench.set(vendor, over)
    #expect(refusal?.code == .notAllowed)
    #expect(
      refusal?.text
        == "set: change 1, frame of \"left/ads\": it would be in front of \"left/pin\", which is "
        + "secure; that is for the program that holds \"left\", for root, and for users that an "
        + "[[access]] rule for \"left/pin\" names")
    #expect(try bench.set(vendor, Change("left/ads", .alpha(0.5))) == nil)
    #expect(try bench.set(holder, over) == nil)
  }
}
