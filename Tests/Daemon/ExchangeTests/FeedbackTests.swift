import CThreadCredentials
import Configuration
import DaemonSupport
import EventLoop
import Glibc
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// Feedback, by real clients on the daemon's own exchange.
@Suite("Exchange, feedback", .enabled(if: geteuid() == 0))
struct FeedbackTests {
  private static let layout = twoWindows.replacing(
    "path = \"right/button\"", with: "path = \"right/button\"\nfeedback = \"click\"")

  private static func access(_ user: Int) -> String {
    "[[access]]\npath = \"feedback:panel\"\nusers = [\"\(user)\"]\n"
  }

  private func bench(_ more: String = "") throws -> ExchangeBench {
    let bench = try ExchangeBench(Self.layout + more, time: 1_000_000)
    try #require(chmod(bench.path(.client), 0o666) == 0)
    return bench
  }

  private func program(_ bench: ExchangeBench, user: UInt32) throws -> DaemonClient {
    try #require(thread_become(user, 9, [], 0) == 0)
    defer { precondition(thread_become_root() == 0, "root again") }
    return try DaemonClient(bench.path(.client), name: "player")
  }

  /// Answers to watch_feedback: nil where it is done.
  private func watch(
    _ bench: ExchangeBench, _ client: DaemonClient, _ screen: String = "panel",
    _ isWanted: Bool = true
  ) throws -> RequestFailure? {
    try client.connection.watchFeedback(screen, isWanted)
    return try client.next(meanwhile: bench.turn) { event -> RequestFailure?? in
      event.completion != nil ? .some(nil) : event.failure.map { .some($0) }
    }
  }

  private func tap(_ bench: ExchangeBench, _ x: Double, _ y: Double) {
    bench.down(0, x, y)
    bench.frame()
    bench.up(0)
    bench.frame()
  }

  /// What a client has been told, without another turn of the daemon.
  private func told(_ bench: ExchangeBench, _ client: DaemonClient) throws -> [FeedbackNotice] {
    try bench.turn()
    return client.pending().compactMap(\.feedback)
  }

  @Test("who listens hears name, target and time of what is hit, and nothing of all else (D10)")
  func hears() throws {
    let bench = try bench()
    let listener = try bench.client(name: "player")
    let right = try bench.client(attachedTo: "right")
    #expect(try watch(bench, listener) == nil)
    let time = bench.now
    tap(bench, 550, 150)
    let notice = try #require(try told(bench, listener).first)
    #expect(notice.name == "click" && notice.target == "right/button" && notice.cause == .touch)
    #expect(notice.time == time.microseconds && notice.screen == 0)
    // Beside the button, and in a window of which nobody holds anything.
    tap(bench, 420, 20)
    tap(bench, 100, 100)
    #expect(try told(bench, listener) == [])
    #expect(try watch(bench, listener, "panel", false) == nil)
    tap(bench, 550, 150)
    #expect(try told(bench, listener) == [])
    #expect(try bench.touches(of: right).count == 6)
  }

  @Test("feedback is on its way in the turn of the touch that it is about (D10)")
  func sameTurn() throws {
    let bench = try bench()
    let listener = try bench.client(name: "player")
    let right = try bench.client(attachedTo: "right")
    #expect(try watch(bench, listener) == nil)
    bench.down(0, 550, 150)
    // The frame and the end of its turn, and none after it.
    bench.frame()
    #expect(listener.pending().compactMap(\.feedback).count == 1)
    #expect(right.pending().compactMap(\.frame).count == 1)
  }

  @Test("only root, administrators and whom a rule names may listen (D11, S40)")
  func rights() throws {
    let bench = try bench(Self.access(4001))
    let named = try program(bench, user: 4001)
    let other = try program(bench, user: 4002)
    #expect(try watch(bench, named) == nil)
    let refusal = try #require(try watch(bench, other))
    #expect(refusal.code == .notAllowed)
    #expect(refusal.text.contains("path = \"feedback:panel\" names"), "\(refusal.text)")
    let unknown = try #require(try watch(bench, named, "door"))
    #expect(unknown.text == "watch_feedback: there is no screen \"door\", only \"panel\"")
    let control = try bench.client(.control)
    #expect(try watch(bench, control) == nil)
    _ = try bench.client(attachedTo: "right")
    let right = try bench.client(attachedTo: "right/button")
    tap(bench, 550, 150)
    #expect(try told(bench, named).count == 1)
    #expect(try told(bench, control).count == 1)
    #expect(try told(bench, other) == [])
    // A right that a reload takes away is over at once.
    let reloaded = try Configuration.parse([
      (file: "t.toml", text: Self.layout + Self.access(4002))
    ])
    #expect(bench.exchange.apply(reloaded) != "")
    tap(bench, 550, 150)
    #expect(try told(bench, named) == [])
    #expect(try told(bench, control).count == 1)
    // One that a reload gives back is there again: nobody has to ask anew.
    let restored = try Configuration.parse([
      (file: "t.toml", text: Self.layout + Self.access(4001))
    ])
    #expect(bench.exchange.apply(restored) != "")
    tap(bench, 550, 150)
    #expect(try told(bench, named).count == 1)
    _ = right
  }

  @Test("a rule for a screen gives no right to its feedback, nor the other way round (D2, D11)")
  func separateRights() throws {
    let bench = try bench(
      Self.access(4001) + "[[access]]\npath = \"screen:panel\"\nusers = [\"4002\"]\n")
    let player = try program(bench, user: 4001)
    let blanker = try program(bench, user: 4002)
    #expect(try watch(bench, blanker)?.code == .notAllowed)
    try player.connection.setScreen("panel", isOn: false)
    #expect(try player.next(meanwhile: bench.turn, \.failure).code == .notAllowed)
  }

  @Test("dark and locked screens give no feedback, and a secure view tells no path (D3, D9, D12)")
  func silent() throws {
    let bench = try bench()
    let listener = try bench.client(name: "player")
    let right = try bench.client(attachedTo: "right")
    #expect(try watch(bench, listener) == nil)
    let control = try bench.client(.control)
    try control.connection.lock("panel", milliseconds: 5_000)
    _ = try control.next(meanwhile: bench.turn, \.completion)
    tap(bench, 550, 150)
    #expect(try told(bench, listener) == [])
    try control.connection.unlock("panel")
    _ = try control.next(meanwhile: bench.turn, \.completion)
    try control.connection.setScreen("panel", isOn: false)
    _ = try control.next(meanwhile: bench.turn, \.completion)
    tap(bench, 550, 150)
    #expect(try told(bench, listener) == [])
    bench.loop.advance(to: bench.loop.now + 6_000_000)
    bench.catchUp()
    try bench.set(right, Change("right/button", .secure(true)))
    tap(bench, 550, 150)
    let notices = try told(bench, listener)
    #expect(notices.map(\.name) == ["click"] && notices.map(\.target) == [nil])
  }

  @Test("a program names and silences the feedback of what it holds (D10, L6)")
  func overrides() throws {
    let bench = try bench()
    let listener = try bench.client(name: "player")
    let right = try bench.client(attachedTo: "right")
    #expect(try watch(bench, listener) == nil)
    #expect(try bench.set(right, Change("right", .feedback("tock"))) == nil)
    tap(bench, 420, 20)
    #expect(try bench.set(right, Change("right/button", .feedback("none"))) == nil)
    tap(bench, 550, 150)
    #expect(try bench.set(right, Change("right/button", .feedback(""))) == nil)
    tap(bench, 550, 150)
    #expect(try bench.set(right, Change("right/button", .configured)) == nil)
    tap(bench, 550, 150)
    #expect(try told(bench, listener).map(\.name) == ["tock", "tock", "click"])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("a recognizer that a program adds gives the feedback that it names (D10, G1)")
  func addedRecognizer() throws {
    let bench = try bench()
    let listener = try bench.client(name: "player")
    let right = try bench.client()
    let attachment = try right.connection.attach(to: "right", options: .gestures)
    _ = try right.next(meanwhile: bench.turn, \.geometry)
    #expect(try watch(bench, listener) == nil)
    func add(_ recognizer: GestureRecognizer) throws -> RequestFailure? {
      try right.connection.addGesture(recognizer, to: attachment)
      return try right.next(meanwhile: bench.turn) { event -> RequestFailure?? in
        event.completion != nil ? .some(nil) : event.failure.map { .some($0) }
      }
    }
    var press = GestureRecognizer.tap("press")
    press.feedback = "tock"
    #expect(try add(press) == nil)
    #expect(try add(GestureRecognizer.tap("quiet", taps: 2)) == nil)
    // On the window, which has no feedback of its own.
    tap(bench, 420, 20)
    let notices = try told(bench, listener)
    #expect(notices.map(\.name) == ["tock"] && notices.map(\.target) == ["right#press"])
    #expect(notices.map(\.cause) == [.gesture])
    for (name, what) in [
      ("a/b", "letters, digits"), (String(repeating: "x", count: 41), "40 is the most"),
    ] {
      var bad = GestureRecognizer.tap("bad")
      bad.feedback = name
      let refusal = try #require(try add(bad))
      #expect(refusal.code == .invalid)
      #expect(
        refusal.text.hasPrefix("add_gesture: gesture \"right#bad\": feedback: "), "\(refusal.text)")
      #expect(refusal.text.contains(what), "\(refusal.text)")
    }
  }

  private func isGiven(_ bench: ExchangeBench) -> Bool { bench.exchange.pipeline.wantsFeedback }

  @Test("a listener that goes is forgotten, and nothing is given where nobody listens (D11)")
  func goes() throws {
    let bench = try bench()
    var listener: DaemonClient? = try bench.client(name: "player")
    #expect(try watch(bench, try #require(listener)) == nil)
    #expect(isGiven(bench))
    listener = nil
    try bench.turn { !isGiven(bench) }
    #expect(!isGiven(bench))
  }
}
