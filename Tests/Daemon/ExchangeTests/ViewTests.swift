import Configuration
import DaemonSupport
import Layout
import Routing
import Server
import TestSupport
import Testing
import TouchClient
import TouchModel

@testable import Exchange

@Suite("Views that programs add")
struct ViewTests {
  private let bench: ExchangeBench
  private let program: DaemonClient
  private let list: TouchClient.AttachmentID

  init() throws {
    bench = try ExchangeBench(ExchangeBench.list)
    (program, list) = try Self.holder(bench, "left/list")
  }

  private static func holder(
    _ bench: ExchangeBench, _ path: String, _ options: AttachOptions = []
  ) throws -> (DaemonClient, TouchClient.AttachmentID) {
    let client = try bench.client()
    let attachment = try client.connection.attach(to: path, options: options)
    _ = try client.next(meanwhile: bench.turn, \.geometry)
    return (client, attachment)
  }

  private static func row(_ number: Int, _ properties: Change.Property...) -> Subview {
    var row = Subview(
      "row\(number)", frame: Rect(x: 0, y: 40 * Double(number), width: 400, height: 40))
    row.properties = properties
    return row
  }

  /// Changes views: nil where they were changed, or why they were not.
  private func change(
    _ steps: ViewStep..., by client: DaemonClient? = nil,
    in attachment: TouchClient.AttachmentID? = nil
  ) throws -> RequestFailure? {
    let client = client ?? program
    try client.connection.changeViews(steps, in: attachment ?? list)
    return try answer(client)
  }

  private func answer(_ client: DaemonClient) throws -> RequestFailure? {
    try client.next(meanwhile: bench.turn) { event -> RequestFailure?? in
      event.completion != nil ? .some(nil) : event.failure.map { .some($0) }
    }
  }

  private func paths() -> [String] {
    let layout = bench.exchange.pipeline.layout
    return (0..<Int32(layout.viewCount)).map { layout.path(of: ViewIndex($0)) }
      .filter { $0.hasPrefix("left/list/") }.map { String($0.dropFirst("left/list/".count)) }
  }

  private func reload(_ text: String) throws {
    _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    bench.exchange.endTurn()
  }

  @Test("a touch finds views that a program has added, moved and removed (L7, H1)")
  func touches() throws {
    #expect(try change(.add(Self.row(0)), .add(Self.row(1))) == nil)
    #expect(paths() == ["row0", "row1"])
    func target(_ y: Double) throws -> String? {
      bench.down(0, 10, y)
      bench.frame()
      bench.up(0)
      bench.frame()
      return try bench.touches(of: program).first { $0.phase == .began }?.targetPath
    }
    #expect(try target(110) == "left/list/row0")
    #expect(try target(150) == "left/list/row1")
    #expect(
      try change(
        .change("row1", [.frame(Rect(x: 0, y: 200, width: 400, height: 40))]),
        .change("", [.boundsOrigin(Point(x: 0, y: 100))])) == nil)
    #expect(try target(210) == "left/list/row1")
    #expect(try change(.remove("row1")) == nil)
    #expect(try target(210) == "left/list")
  }

  @Test("a batch is a tree: views, what lies in them, their order and controllers (L7, L3)")
  func trees() throws {
    try program.connection.addViews(in: list) {
      Subview(
        "panel", frame: Rect(x: 0, y: 0, width: 400, height: 100), .shape(.ellipse),
        controller: "pages"
      ) {
        for number in 0..<3 { Self.row(number) }
      }
      Self.row(7, .order(0), .hidden(true))
    }
    #expect(try answer(program) == nil)
    #expect(paths() == ["row7", "panel", "panel/row0", "panel/row1", "panel/row2"])
    #expect(try bench.attach(program, "left/list/panel@pages") == nil)
    #expect(try bench.attach(program, "left/list/panel/row1") == nil)
  }

  @Test("what is set of one lies over what it was added with, which is what is configured of it")
  func settings() throws {
    #expect(try change(.add(Self.row(0, .hidden(true)))) == nil)
    func isHidden() -> Bool {
      let layout = bench.exchange.pipeline.layout
      return layout.view(at: "left/list/row0").map { layout[$0].isHidden } ?? false
    }
    #expect(isHidden())
    #expect(try bench.set(program, Change("left/list/row0", .hidden(false))) == nil)
    #expect(!isHidden())
    #expect(try change(.change("row0", [.configured])) == nil)
    #expect(isHidden())
    #expect(try change(.change("row0", [.hidden(false)])) == nil)
    #expect(try change(.remove("row0"), .add(Self.row(0, .hidden(true)))) == nil)
    #expect(isHidden(), "what was set of the one before is over")
  }

  @Test("nothing happens of a batch of which one step is impossible, and the step is named (L7)")
  func refusals() throws {
    #expect(try change(.add(Self.row(0))) == nil)
    let before = bench.exchange.pipeline.layout
    func refusal(_ step: ViewStep) throws -> String {
      let failure = try change(.add(Self.row(5)), step)
      #expect(bench.exchange.pipeline.layout === before)
      return "\(failure.map { "\($0.code)" } ?? "none") \(failure?.text ?? "")"
    }
    let big = Rect(x: 0, y: 0, width: 2e9, height: 1)
    #expect(
      try refusal(.add(Self.row(0)))
        == "invalid change_views: step 2, add of \"row0\": there is another view "
        + "\"left/list/row0\"")
    #expect(
      try refusal(.add(Self.row(1), to: "none")).contains("step 2, add of \"none/row1\": there is"))
    #expect(
      try refusal(.add(Subview("a b", frame: .zero))).contains("step 2, add of \"a b\": "))
    #expect(try refusal(.add(Subview("x", frame: big))).contains("`coordinate`"))
    #expect(
      try refusal(.add(Self.row(1, .hit(.redirect("no"))))).contains(
        "step 2, add of \"row1\": hit:"))
    #expect(try refusal(.remove("none")).hasPrefix("noResponder change_views: step 2, remove of"))
    #expect(try refusal(.change("none", [.hidden(true)])).hasPrefix("noResponder change_views: st"))
    #expect(try refusal(.change("row0", [.level(1)])).contains("only a window has a level"))
    #expect(
      try refusal(.add(Self.row(1, .secure(true)))).hasPrefix(
        "notAllowed change_views: step 2, add of \"row1\": for a program that does not hold"))
    #expect(
      try change(.add(Self.row(1)), .change("row1", [.secure(true)]))?.text.hasPrefix(
        "change_views: step 2, change of \"row1\": for a program that does not hold") == true,
      "what it may not be added with, the same batch may not set of it")
    #expect(bench.exchange.pipeline.layout === before)
    let deep = String(repeating: "a/", count: 64) + "a"
    #expect(try refusal(.add(Subview(deep, frame: .zero))).contains("limits.depth_per_client"))
  }

  @Test("nobody adds or removes below what another holds, or what was configured (L7, F6)")
  func others() throws {
    #expect(try change(.add(Self.row(0))) == nil)
    let (owner, window) = try Self.holder(bench, "left")
    #expect(
      try change(.remove("list/row0"), by: owner, in: window)?.text
        == "change_views: step 1, remove of \"list/row0\": it was added through another attachment")
    #expect(try change(.remove("list"), by: owner, in: window)?.code == .notAllowed)
    let (application, all) = try Self.holder(bench, "app:dashboard")
    #expect(
      try change(.add(Self.row(0)), by: application, in: all)?.code == .notAllowed)
    #expect(paths() == ["row0"])
  }

  @Test("they go with their attachment, and touches of them are cancelled (L7, R8)")
  func ends() throws {
    #expect(try change(.add(Self.row(0)), .add(Subview("panel", frame: .zero))) == nil)
    let (owner, _) = try Self.holder(bench, "left")
    let (other, row) = try Self.holder(bench, "left/list/row0", .gestures)
    try other.connection.addGesture(.tap("open"), to: row)
    _ = try answer(other)
    bench.down(0, 10, 110)
    bench.frame()
    #expect(try bench.touches(of: other).map(\.phase) == [.began])
    try program.connection.detach(list)
    _ = try answer(program)
    try bench.turn()
    #expect(paths() == [])
    let events = other.pending()
    let touches = events.compactMap(\.frame).flatMap(\.touches)
    #expect(touches.map(\.phase) == [.cancelled])
    #expect(touches.first?.cancelReason == .targetRemoved)
    #expect(events.contains { $0.detachment?.reason == .removed })
    #expect(bench.exchange.pipeline.router.recognizers.id(of: "left/list/row0#open") == nil)
    #expect(owner.pending().contains { $0.newLayout != nil })
    #expect(bench.exchange.pipeline.counters[.violations] == 0)
  }

  @Test("they go with a program that dies, and its recognizers of them with one that is removed")
  func deaths() throws {
    let (other, attachment) = try Self.holder(bench, "left", .gestures)
    try other.connection.changeViews([.add(Subview("x", frame: .zero))], in: attachment)
    #expect(try answer(other) == nil)
    var tap = GestureRecognizer.tap("open")
    tap.view = "left/x"
    try other.connection.addGesture(tap, to: attachment)
    #expect(try answer(other) == nil)
    #expect(try change(.remove("x"), by: other, in: attachment) == nil)
    #expect(bench.exchange.pipeline.router.recognizers.id(of: "left/x#open") == nil)
    do {
      let (third, right) = try Self.holder(bench, "right")
      #expect(try change(.add(Self.row(0)), by: third, in: right) == nil)
      #expect(bench.exchange.pipeline.layout.view(at: "right/row0") != nil)
    }
    try bench.turn { bench.exchange.pipeline.layout.view(at: "right/row0") == nil }
    #expect(bench.exchange.pipeline.layout.view(at: "right/row0") == nil)
  }

  @Test("a reload takes its recognizers away with an added view that it drops (L7, L6, G1)")
  func reloadedWithRecognizers() throws {
    let (other, attachment) = try Self.holder(bench, "left", .gestures)
    func isThere() -> Bool {
      bench.exchange.pipeline.router.recognizers.id(of: "left/box/x#open") != nil
    }
    func addBoth() throws {
      let view = Subview("x", frame: .zero)
      #expect(try change(.add(view, to: "box"), by: other, in: attachment) == nil)
      var tap = GestureRecognizer.tap("open")
      tap.view = "left/box/x"
      try other.connection.addGesture(tap, to: attachment)
      #expect(try answer(other) == nil)
      #expect(isThere())
    }
    func view(_ path: String) -> String { "[[view]]\npath = \"\(path)\"\nframe = [0, 0, 9, 9]\n" }
    let box = ExchangeBench.list + view("left/box")
    try reload(box)
    try addBoth()
    try reload(box + "[touch]\ntap_distance = 40\n")
    #expect(isThere())
    // Its superview goes, and comes back.
    try reload(ExchangeBench.list)
    #expect(!isThere())
    try reload(box)
    #expect(!isThere())
    try addBoth()
    // The configuration takes its path.
    try reload(box + view("left/box/x"))
    #expect(!isThere())
  }

  @Test("a reload keeps them where their superview stays and has no view of that path (L7, L6)")
  func reloads() throws {
    #expect(try change(.add(Self.row(0)), .add(Self.row(1)), .add(Self.row(2), to: "row1")) == nil)
    try reload(ExchangeBench.list + "[touch]\ntap_distance = 40\n")
    #expect(paths() == ["row0", "row1", "row1/row2"])
    let row = "[[view]]\npath = \"left/list/row0\"\nframe = [0, 0, 10, 10]\n"
    try reload(ExchangeBench.list + row)
    #expect(paths() == ["row0", "row1", "row1/row2"])
    try reload(ExchangeBench.list)
    #expect(paths() == ["row1", "row1/row2"])
    try reload(twoWindows)
    #expect(bench.exchange.pipeline.layout.view(at: "left/list/row1") == nil)
    try reload(ExchangeBench.list)
    #expect(paths() == [])
  }

  @Test("whose views a reload does not keep is told how many are left, whatever is there now (L7)")
  func counts() throws {
    func left() throws -> AttachmentGeometry {
      try program.next(meanwhile: bench.turn) { event in
        if case .layout(let geometry) = event { geometry } else { nil }
      }
    }
    try program.connection.changeViews([.add(Self.row(0)), .add(Self.row(1))], in: list)
    var geometry = try left()
    #expect(geometry.addedCount == 2)
    let count = geometry.viewCount
    // In the very place of one.
    let row = "[[view]]\npath = \"left/list/row0\"\nframe = [0, 0, 400, 40]\n"
    try reload(ExchangeBench.list + row)
    geometry = try left()
    #expect(geometry.addedCount == 1)
    #expect(geometry.viewCount == count)
    try program.connection.changeViews([.remove("row1")], in: list)
    #expect(try left().addedCount == 0)
  }

  @Test("access rules and secure views hold for views of programs (L7, F6)")
  func access() throws {
    let rule =
      "[[view]]\npath = \"left/list/pin\"\nframe = [0, 0, 10, 10]\n"
      + "[[access]]\npath = \"left/list/pin\"\nusers = [\"root\"]\n"
    let secure = "[[view]]\npath = \"left/list/safe\"\nframe = [0, 0, 10, 10]\nsecure = true\n"
    try reload(ExchangeBench.list + rule)
    #expect(try change(.add(Self.row(0))) == nil)
    let policy = bench.exchange.policy
    let stranger = ConnectedProgram(
      client: ClientID(slot: 999, generation: 1), isControl: false, user: 4711, groups: [],
      name: "pid 1")
    let layout = bench.exchange.pipeline.layout
    let window = layout.windows[0]
    let view = ViewProperties(frame: FrameDescription(.zero))
    #expect(
      policy.refusal(toAdd: view, at: "left/list/pin/key", in: window, by: stranger)?
        .contains("is for root alone") == true)
    #expect(policy.refusal(toAdd: view, at: "left/list/x", in: window, by: stranger) == nil)
    try reload(ExchangeBench.list + secure)
    let now = bench.exchange.policy
    #expect(now.refusal(toAttachTo: "left/list/safe", by: stranger) != nil)
  }

  @Test("one client, one user and the layout have so many views and no more, by name (L7, F5)")
  func limits() throws {
    func limit(_ key: String, _ value: Int) throws {
      try reload(ExchangeBench.list + "[limits]\n\(key) = \(value)\n")
    }
    try limit("views_per_client", 2)
    #expect(try change(.add(Self.row(0)), .add(Self.row(1))) == nil)
    let failure = try change(.remove("row0"), .add(Self.row(2)), .add(Self.row(3)))
    #expect(failure?.code == .limit)
    #expect(failure?.text.contains("(limits.views_per_client)") == true)
    #expect(try change(.remove("row0"), .add(Self.row(2))) == nil)
    #expect(paths() == ["row1", "row2"])
    try limit("views_per_user", 2)
    #expect(try change(.add(Self.row(3)))?.text.contains("(limits.views_per_user)") == true)
    try limit("views", 6)
    #expect(try change(.add(Self.row(3))) == nil)
    #expect(try change(.add(Self.row(4)))?.text.contains("(limits.views)") == true)
    #expect(try change(.remove("row1"), .remove("row2"), .remove("row3")) == nil)
  }

  /// A polygon of so many points.
  private static func polygon(_ count: Int) -> Change.Property {
    .shape(.polygon((0..<count).map { Point(x: Double($0), y: Double($0 * $0)) }))
  }

  @Test("a user's programs have 64 secure views by default, and no more (F5, S6)")
  func secureViews() throws {
    let (holder, left) = try Self.holder(bench, "left")
    func add(_ numbers: Range<Int>) throws -> RequestFailure? {
      try holder.connection.changeViews(
        numbers.map { .add(Self.row($0, .secure(true))) }, in: left)
      return try answer(holder)
    }
    let refused = try #require(try add(0..<65))
    #expect(refused.code == .limit && refused.text.hasSuffix("and 2500 for each secure view"))
    #expect(try add(0..<64) == nil)
    #expect(try add(64..<65)?.code == .limit)
  }

  @Test("beyond a limit that a reload made smaller a program changes views, and adds none (F5)")
  func beyondSmallerLimit() throws {
    try program.connection.changeViews((0..<400).map { .add(Self.row($0)) }, in: list)
    #expect(try answer(program) == nil)
    #expect(try change(.change("row0", [.hidden(true)])) == nil)
    try reload(ExchangeBench.list + "[limits]\nbytes_per_user = 65536\n")
    let refused = try #require(try change(.add(Self.row(400))))
    #expect(refused.code == .limit && refused.text.contains("(limits.bytes_per_user)"))
    #expect(try change(.change("row0", [.hidden(false)])) == nil)
  }

  @Test("what one user's programs add or set may cost a lookup so much and no more (F5, S6)")
  func lookupCost() throws {
    try reload(ExchangeBench.list + "[limits]\nlookup_cost_per_user = 148\n")
    let words = "and 148 is the limit (limits.lookup_cost_per_user)"
    // A polygon of 8 points costs 72, a plain rectangle nothing.
    #expect(try change(.add(Self.row(0, Self.polygon(8)))) == nil)
    // What is added whole counts whole, and is refused whole.
    let refused = try #require(
      try change(.add(Self.row(1, Self.polygon(8))), .add(Self.row(2, .shape(.ellipse)))))
    #expect(refused.code == .limit && refused.text.contains(words))
    #expect(refused.text.contains("would cost a lookup 208"))
    #expect(try change(.add(Self.row(1)), .add(Self.row(2))) == nil)
    #expect(paths() == ["row0", "row1", "row2"])
    // Another program of the user, on what is configured.
    let (other, right) = try Self.holder(bench, "right")
    #expect(try bench.set(other, Change("right", Self.polygon(12))) == nil)
    let more = try #require(try bench.set(other, Change("right", Self.polygon(13))))
    #expect(more.code == .limit && more.text.contains(words))
    #expect(more.text.hasPrefix("set: change 1, shape of \"right\": "))
    for costly in [Change.Property.inside(.always), .hit(.passThrough), .shape(.ellipse)] {
      #expect(try change(.change("row1", [costly]))?.code == .limit)
    }
    // What is over takes up nothing.
    #expect(try bench.set(other, Change("right", .shape(.rect))) == nil)
    #expect(try change(.change("row1", [Self.polygon(12)])) == nil)
    #expect(try bench.set(other, Change("right", Self.polygon(3)))?.code == .limit)
    #expect(try change(.remove("row0"), .remove("row1")) == nil)
    #expect(try bench.set(other, Change("right", Self.polygon(84))) == nil)
    _ = try other.connection.detach(right)
    _ = try other.next(meanwhile: bench.turn, \.completion)
    #expect(try change(.add(Self.row(3, Self.polygon(84)))) == nil)
    // The control socket has no limits of a user.
    let control = try bench.client(.control)
    #expect(try bench.set(control, Change("left/list/row3", Self.polygon(200))) == nil)
  }

  @Test("who waits in line for a view of a program is given it when it is there again (L7, R2)")
  func lines() throws {
    #expect(try change(.add(Self.row(0))) == nil)
    let (waiter, _) = try Self.holder(bench, "left/list/row0", .wait)
    #expect(try change(.remove("row0")) == nil)
    _ = try waiter.next(meanwhile: bench.turn, \.waiting)
    #expect(try change(.add(Self.row(0))) == nil)
    _ = try waiter.next(meanwhile: bench.turn, \.geometry)
  }

  @Test(
    "4,096 rows come in a few messages, and go in a few; the largest is refused whole if it must")
  func many() throws {
    for start in stride(from: 0, to: 4_000, by: 1_000) {
      let steps = (start..<start + 1_000).map { ViewStep.add(Self.row($0)) }
      try program.connection.changeViews(steps, in: list)
      #expect(try answer(program) == nil)
    }
    #expect(paths().count == 4_000)
    let steps = (0..<1_000).map { ViewStep.add(Self.row(4_000 + $0)) }
    try program.connection.changeViews(steps, in: list)
    #expect(try answer(program)?.code == .limit)
    try program.connection.changeViews((0..<4_000).map { .remove("row\($0)") }, in: list)
    #expect(try answer(program) == nil)
    #expect(paths() == [])
  }
}
