import CAllocationCount
import Configuration
import DaemonSupport
import Gestures
import Layout
import Routing
import Server
import Testing
import TouchClient
import TouchModel
import Wire

@testable import Exchange

/// `enabled` of recognizers, set while they are in force.
@Suite("Exchange, gestures that are set")
struct GestureSettingsTests {
  private static let gestures = """
    [[view]]
    path = "left/list"
    frame = [0, 0, 400, 400]
    [[gesture]]
    view = "left"
    name = "pages"
    kind = "pan"
    [[gesture]]
    view = "left/list"
    name = "scroll"
    kind = "pan"
    enabled = false
    [[gesture]]
    screen = "panel"
    name = "back"
    kind = "edge_pan"
    edge = "left"
    to = "left"

    """

  private func bench(_ more: String = "") throws -> ExchangeBench {
    try ExchangeBench(twoWindows + Self.gestures + more)
  }

  private func holder(
    _ bench: ExchangeBench, _ path: String
  ) throws -> (client: DaemonClient, attachment: TouchClient.AttachmentID) {
    let client = try bench.client()
    let attachment = try client.connection.attach(to: path, options: .gestures)
    _ = try client.next(meanwhile: bench.turn, \.geometry)
    return (client, attachment)
  }

  private func isEnabled(_ bench: ExchangeBench, _ path: String) -> Bool? {
    guard let id = bench.exchange.pipeline.router.recognizers.id(of: path) else { return nil }
    return bench.exchange.pipeline.router.recognizer(id)?.description.isEnabled
  }

  private func gesture(_ event: TouchEvent) -> Gesture? {
    if case .gesture(let gesture) = event { gesture } else { nil }
  }

  @Test("to name a gesture that is not there costs the same beside 10 and beside 2,000 (F1, S3)")
  func unknown() throws {
    var counts: [UInt] = []
    for count in [10, 2_000] {
      var text = ""
      for number in 0..<count {
        text += "[[gesture]]\nview = \"right\"\nname = \"g\(number)\"\nkind = \"pan\"\n"
      }
      let bench = try bench(text)
      let left = try holder(bench, "left").client
      var fewest = UInt.max
      for _ in 0..<8 {
        try left.connection.set([Change("left#page", .enabled(true))])
        _ = left.pending()
        let before = allocation_count()
        var failure: RequestFailure?
        try bench.turn {
          failure = left.pending().compactMap(\.failure).last ?? failure
          return failure != nil
        }
        fewest = min(fewest, allocation_count() - before)
        #expect(failure?.text.hasSuffix("the nearest is \"left#pages\"") == true)
      }
      counts.append(fewest)
    }
    #expect(counts[1] <= counts[0] + 16, "\(counts)")
  }

  @Test("a gesture that lasts is cancelled before the answer once it is disabled (G2, G12)")
  func live() throws {
    let bench = try bench()
    let left = try holder(bench, "left").client
    bench.down(0, 100, 100)
    bench.frame()
    bench.move(0, 130, 100)
    bench.frame()
    try bench.turn()
    #expect(left.pending().compactMap(gesture).map(\.state) == [.began])
    let serial = try left.connection.set([Change("left#pages", .enabled(false))])
    try bench.turn()
    let events = left.pending()
    #expect(events.compactMap(gesture).map(\.cancelReason) == [.requested])
    let end = try #require(events.firstIndex { gesture($0) != nil })
    #expect(try #require(events.firstIndex { $0.completion?.serial == serial }) > end)
    // The finger that is down goes on for nobody, and one that comes is taken once it is enabled.
    #expect(try bench.set(left, Change("left#pages", .enabled(true))) == nil)
    bench.move(0, 180, 100)
    bench.frame()
    #expect(left.pending().compactMap(gesture) == [])
    bench.up(0)
    bench.frame()
    bench.down(0, 100, 100)
    bench.frame()
    bench.move(0, 130, 100)
    bench.frame()
    try bench.turn()
    #expect(left.pending().compactMap(gesture).map(\.state) == [.began])
  }

  @Test("what was set through an attachment goes with it, and configured lies over others (L6)")
  func layers() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    #expect(try bench.set(control, Change("left/list#scroll", .enabled(true))) == nil)
    var left: DaemonClient? = try holder(bench, "left").client
    let scroll = Change("left/list#scroll", .enabled(false))
    #expect(try bench.set(#require(left), scroll) == nil)
    #expect(isEnabled(bench, "left/list#scroll") == false)
    #expect(try bench.set(#require(left), Change("left#pages", .enabled(false))) == nil)
    left = nil
    try bench.turn { isEnabled(bench, "left#pages") == true }
    #expect(isEnabled(bench, "left#pages") == true)
    #expect(isEnabled(bench, "left/list#scroll") == true)
    var next: DaemonClient? = try holder(bench, "left").client
    #expect(try bench.set(#require(next), Change("left/list#scroll", .configured)) == nil)
    #expect(isEnabled(bench, "left/list#scroll") == false)
    #expect(try bench.set(control, Change("left/list#scroll", .configured)) == nil)
    next = nil
    try bench.turn { bench.exchange.pipeline.router.attachments.all.isEmpty }
    #expect(isEnabled(bench, "left/list#scroll") == false)
  }

  @Test("a reload keeps what was set as long as the recognizer is there (L6)")
  func reload() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    #expect(try bench.set(control, Change("left#pages", .enabled(false))) == nil)
    func apply(_ text: String) throws {
      _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    }
    try apply(twoWindows + Self.gestures + "delays_ended = false\n")
    #expect(isEnabled(bench, "left#pages") == false)
    try apply(twoWindows)
    #expect(isEnabled(bench, "left#pages") == nil)
    try apply(twoWindows + Self.gestures)
    #expect(isEnabled(bench, "left#pages") == true)
  }

  @Test("what was set of an added recognizer goes with that (G1)")
  func added() throws {
    let bench = try bench()
    let (left, attachment) = try holder(bench, "left/list")
    let handle = try left.connection.addGesture(.tap("tap"), to: attachment)
    _ = try left.next(meanwhile: bench.turn, \.completion)
    #expect(try left.connection.enableGesture(handle, false) != nil)
    _ = try left.next(meanwhile: bench.turn, \.completion)
    let control = try bench.client(.control)
    #expect(try bench.set(control, Change("left/list#tap", .enabled(false))) == nil)
    #expect(isEnabled(bench, "left/list#tap") == false)
    try left.connection.removeGesture(handle)
    _ = try left.next(meanwhile: bench.turn, \.completion)
    try left.connection.addGesture(.tap("tap"), to: attachment)
    _ = try left.next(meanwhile: bench.turn, \.completion)
    #expect(isEnabled(bench, "left/list#tap") == true)
  }

  @Test("a batch of views and recognizers is in force whole, or not at all (L6)")
  func batches() throws {
    let bench = try bench()
    let control = try bench.client(.control)
    let failure = try bench.set(
      control, Change("left#pages", .enabled(false)), Change("left/list", .alpha(7)))
    #expect(failure?.text.hasPrefix("set: change 2, alpha of \"left/list\": ") == true)
    #expect(isEnabled(bench, "left#pages") == true)
    let other = try bench.set(
      control, Change("left/list", .hidden(true)), Change("left#pagse", .enabled(false)))
    #expect(
      other?.text
        == "set: change 2, enabled of \"left#pagse\": there is no gesture \"left#pagse\"; "
        + "the nearest is \"left#pages\"")
    let layout = bench.exchange.pipeline.router.layout
    #expect(!layout[try #require(layout.view(at: "left/list"))].isHidden)
    let both = try bench.set(
      control, Change("left#pages", .enabled(false)), Change("left/list", .hidden(true)))
    #expect(both == nil)
    #expect(isEnabled(bench, "left#pages") == false)
  }

  @Test(
    "what can't be set, or is not the program's to set, is refused in words (G1, F6)",
    arguments: [
      (
        Change("left#nothing", .enabled(false)), "there is no gesture \"left#nothing\"",
        Wire.ErrorCode.noResponder
      ),
      (
        Change("left/lsit#scroll", .enabled(false)),
        "no responder is named \"left/lsit\"; the nearest is \"left/list\"", .noResponder
      ),
      (
        Change("left#pages", .hidden(true)),
        "a gesture has no such property: enabled is all that can be set", .invalid
      ),
      (
        Change("left/list", .enabled(false)),
        "only a gesture is enabled or not, by its path PATH#NAME; of a view it is interaction",
        .invalid
      ),
      (
        Change("screen:panel#back", .enabled(false)),
        "a screen's gestures are for the control socket", .notAllowed
      ),
      (
        Change("right#x", .enabled(false)),
        "this client holds neither that nor what it lies in, and no rule names it; attach first, "
          + "or use the control socket", .notAllowed
      ),
    ])
  func refused(_ change: Change, _ words: String, _ code: Wire.ErrorCode) throws {
    let bench = try bench()
    let left = try holder(bench, "left").client
    let failure = try #require(try bench.set(left, change))
    let title = "set: change 1, \(change.property.name) of \"\(change.path)\": "
    #expect(failure.text == title + words)
    #expect(failure.code == code)
  }
}
