import Gestures
import Layout
import Routing
import TestSupport
import Testing
import TouchModel

/// Feedback in the daemon's pipeline, where somebody listens.
@Suite("Feedback where something was hit")
struct FeedbackTests {
  /// RoutingWorld's layout, where views say these names.
  private func layout(_ names: [String: String], secure: Set<String> = []) throws -> Layout {
    try RoutingWorld.layout { description in
      for index in description.windows.indices {
        let path = description.windows[index].name
        description.windows[index].properties.feedback = names[path] ?? ""
        description.windows[index].properties.secure = secure.contains(path)
      }
      for index in description.views.indices {
        let path = description.views[index].path
        description.views[index].properties.feedback = names[path] ?? ""
        description.views[index].properties.secure = secure.contains(path)
      }
    }
  }

  private func world(
    _ names: [String: String], secure: Set<String> = [], gestures: [RecognizerSpec] = []
  ) throws -> RoutingWorld {
    let world = RoutingWorld(try layout(names, secure: secure), gestures: gestures)
    world.pipeline.wantsFeedback = true
    return world
  }

  private func tap(
    _ view: String, feedback: String, _ change: (inout RecognizerDescription) -> Void = { _ in }
  ) -> RecognizerSpec {
    var description = RecognizerDescription(.tap(.init()))
    description.cancelsTouches = false
    change(&description)
    var spec = RecognizerSpec(.view(view), "tap", description)
    spec.feedback = feedback
    return spec
  }

  /// The feedback among what a world says.
  private func feedback(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("feedback") } }

  @Test("a touch gives its view's feedback, or that of the view around it, behind its began (D10)")
  func inherits() throws {
    let world = try world(["home": "click", "home/toolbar/back": "tick", "nav/map": "none"])
    try world.attach(0, "home")
    try world.attach(1, "nav")
    #expect(
      world.tap(10, 10) == [
        "0: began 1 a1 (2, 2)", "feedback tick touch home/toolbar/back", "0: ended 1 a1 (2, 2)",
      ])
    #expect(feedback(world.tap(100, 10)) == ["feedback click touch home/toolbar"])
    #expect(feedback(world.tap(100, 200)) == ["feedback click touch home"])
    #expect(feedback(world.tap(150, 400)) == [])
    #expect(feedback(world.tap(50, 300)) == [])
  }

  @Test("nothing is told where nobody holds what was hit, nor where nobody listens (D10, D11)")
  func held() throws {
    let world = try world(["home": "click", "nav": "click", "media": "click"])
    try world.attach(0, "home/toolbar", handles: [.moved, .ended])
    try world.attach(1, "nav")
    try world.attach(2, "media")
    // Nobody gets began here.
    #expect(feedback(world.tap(100, 10)) == [])
    #expect(feedback(world.tap(100, 200)) == [])
    world.setUnresponsive(1, true)
    #expect(feedback(world.tap(50, 300)) == [])
    #expect(feedback(world.tap(500, 300)) == ["feedback click touch media"])
    world.pipeline.wantsFeedback = false
    #expect(feedback(world.tap(500, 300)) == [])
    world.pipeline.wantsFeedback = true
    world.goAway(2)
    #expect(feedback(world.tap(500, 300)) == [])
    // Where there is no window.
    #expect(feedback(world.tap(500, 470)) == [])
  }

  @Test("dark and locked screens give none, but for what they leave out (D3, D9, D10)")
  func keptOut() throws {
    let world = try world(["home": "click"])
    try world.attach(0, "home")
    let panel = ScreenIndex(0)
    _ = world.pipeline.setScreen(panel, isOn: false, at: world.time)
    #expect(feedback(world.tap(10, 10)) == [])
    _ = world.pipeline.setScreen(panel, isOn: true, at: world.time)
    #expect(feedback(world.tap(10, 10)) == [], "within the guard")
    world.now += 1_000_000
    #expect(feedback(world.tap(10, 10)).count == 1)
    let lock = TouchLocks.Request(milliseconds: 10_000, exceptions: ["home/toolbar/back"])
    world.pipeline.lock(panel, lock, at: world.time)
    #expect(feedback(world.tap(100, 10)) == [])
    #expect(feedback(world.tap(10, 10)) == ["feedback click touch home/toolbar/back"])
  }

  @Test("a gesture gives none whose touch is in a view that has become secure since (D12, S40)")
  func becomesSecure() throws {
    for isSecure in [false, true] {
      var press = RecognizerSpec(
        .view("home/toolbar/back"), "press", RecognizerDescription(.longPress(.init())))
      press.feedback = "buzz"
      let world = try world([:], gestures: [press])
      world.pipeline.readers = SecureReaders { _ in { _ in .named } }
      try world.attach(0, "home/toolbar/back", gestures: true)
      world.down(0, 10, 10)
      _ = world.frame()
      let secure: Set<String> = isSecure ? ["home/toolbar/back"] : []
      world.pipeline.replaceLayout(try layout([:], secure: secure), at: world.time)
      world.pipeline.reviewReaders(at: world.time)
      _ = world.said()
      world.now += 600_000
      world.pipeline.advance(to: world.time)
      let said = world.said()
      #expect(!said.isEmpty, "it begins")
      #expect(feedback(said).isEmpty == isSecure, "\(said)")
    }
  }

  @Test("a touch that is declined gives its feedback once (D10, R5)")
  func declined() throws {
    let world = try world(["home": "click"])
    try world.attach(0, "home")
    try world.attach(1, "home/toolbar")
    world.down(0, 100, 10)
    #expect(feedback(world.frame()).count == 1)
    #expect(
      world.decline(1, through: 2, by: 1) == ["0: began replayed 1 a1 (100, 10)"])
  }

  @Test("a touch that is held back gives it when it is let go of, a taken one never (D10, G11)")
  func heldBack() throws {
    let drag = RecognizerSpec(
      .view("home"), "drag",
      {
        var description = RecognizerDescription(.pan(.init(.horizontal)))
        description.delaysBegan = true
        return description
      }())
    let world = try world(["home": "click"], gestures: [drag])
    try world.attach(0, "home", gestures: true)
    try world.attach(1, "home/toolbar")
    world.down(0, 100, 30)
    #expect(world.frame() == [])
    world.move(0, 100, 50)
    #expect(
      world.frame() == [
        "0: home#drag failed: moved 20 points across, slop is 10",
        "1: began replayed 1 a2 (100, 30)", "feedback click touch home/toolbar",
        "1: moved 1 a2 (100, 50)",
      ])
    world.up(0)
    _ = world.frame()
    // Over before it is let go of: the finger is lifted with that frame.
    world.down(0, 100, 30)
    _ = world.frame()
    world.up(0)
    #expect(feedback(world.frame()) == ["feedback click touch home/toolbar"])
    world.down(0, 100, 30)
    _ = world.frame()
    world.move(0, 130, 30)
    #expect(feedback(world.frame()) == [])
    world.up(0)
    #expect(feedback(world.frame()) == [])
    // Held back as its client goes.
    world.down(0, 100, 30)
    _ = world.frame()
    world.goAway(1)
    world.goAway(0)
    world.up(0)
    #expect(feedback(world.frame()) == [])
  }

  @Test("a recognizer gives its own feedback as it recognizes or begins, not its view's (D10)")
  func gestures() throws {
    var drag = RecognizerSpec(.view("nav"), "drag", RecognizerDescription(.pan(.init())))
    drag.feedback = "slide"
    let world = try world(
      ["home": "click"],
      gestures: [tap("home/toolbar", feedback: "tock"), drag, tap("media", feedback: "none")])
    try world.attach(0, "home", gestures: true)
    try world.attach(1, "nav", gestures: true)
    try world.attach(2, "media", gestures: true)
    #expect(
      feedback(world.tap(100, 30)) == [
        "feedback click touch home/toolbar", "feedback tock gesture home/toolbar#tap",
      ])
    world.down(0, 50, 300)
    _ = world.frame()
    world.move(0, 80, 300)
    #expect(
      world.frame() == [
        "1: cancelled gesture 2 a2 (80, 60)", "1: nav#drag began",
        "feedback slide gesture nav#drag",
      ])
    world.move(0, 90, 300)
    world.up(0)
    #expect(feedback(world.frame()) == [])
    #expect(feedback(world.tap(500, 300)) == [])
    // Nobody hears of the gesture: it takes no part (G2).
    world.goAway(0)
    #expect(feedback(world.tap(100, 30)) == [])
  }

  @Test("a secure view tells its own feedback, whatever in it was hit, and no path (D12)")
  func secure() throws {
    let names = ["home": "click", "home/toolbar/back": "tick"]
    let world = try world(
      names, secure: ["home/toolbar"],
      gestures: [tap("home", feedback: "tock"), tap("home/toolbar/back", feedback: "tack")])
    world.pipeline.readers = SecureReaders { _ in { _ in .named } }
    try world.attach(0, "home", gestures: true)
    #expect(feedback(world.tap(10, 10)) == ["feedback click touch (secure)"])
    #expect(feedback(world.tap(100, 10)) == ["feedback click touch (secure)"])
    #expect(
      feedback(world.tap(100, 200)) == [
        "feedback click touch home", "feedback tock gesture home#tap",
      ])
    let silent = try self.world(names.filter { $0.key != "home" }, secure: ["home/toolbar"])
    silent.pipeline.readers = SecureReaders { _ in { _ in .named } }
    try silent.attach(0, "home")
    #expect(feedback(silent.tap(10, 10)) == [])
  }

  @Test("an overridden feedback counts from the change on (D10, L6)")
  func override() throws {
    let world = try world(["home": "click"])
    try world.attach(0, "home")
    let other = try layout(["home": "click", "home/toolbar": "none"])
    world.pipeline.replaceLayout(other, at: world.time)
    #expect(feedback(world.tap(100, 10)) == [])
    #expect(feedback(world.tap(100, 200)) == ["feedback click touch home"])
  }

  @Test("100,000 points: none where nobody holds what was hit, and one where somebody does (D10)")
  func randomPoints() throws {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    var (silent, given) = (0, 0)
    for round in 0..<400 {
      // In every second world nobody holds anything.
      let scene = FeedbackScene(&random, isHeld: !round.isMultiple(of: 2))
      let world = RoutingWorld(try Layout(scene.description))
      world.pipeline.wantsFeedback = true
      world.pipeline.readers = SecureReaders { _ in { _ in .named } }
      for (index, path) in scene.held.sorted().enumerated() {
        try world.attach(UInt32(index), path)
      }
      for _ in 0..<500 {
        let point = Point(x: Double(random.below(400)), y: Double(random.below(300)))
        let told = feedback(of: world, at: point)
        let expected = scene.feedback(at: point)
        if scene.held.isEmpty { silent += 1 }
        given += expected.count
        guard told == expected else {
          Issue.record("seed \(seed), layout \(round), \(point): \(told) and not \(expected)")
          return
        }
      }
      #expect(world.pipeline.checker.violationCount == 0)
    }
    #expect(silent >= 100_000)
    // Often enough to mean something: some one in three.
    #expect(given > 10_000, "seed \(seed): \(given)")
  }

  /// What a tap gives, without the words of all else.
  private func feedback(of world: RoutingWorld, at point: Point) -> [String] {
    world.down(0, point.x, point.y)
    world.feed(.frame(world.device, time: world.time))
    let deliveries = world.pipeline.takeDeliveries()
    let told = deliveries.feedbacks.indices.map { index in
      let feedback = deliveries.feedbacks[index]
      return "feedback \(feedback.name) \(feedback.cause) \(feedback.target ?? "(secure)")"
    }
    world.up(0)
    world.feed(.frame(world.device, time: world.time))
    world.pipeline.finishDeliveries()
    world.now += 1_000
    return told
  }
}

/// A random layout of plain rectangles, and what its feedback is, by the rules alone: the layout
/// that the daemon makes of it is not asked.
private struct FeedbackScene {
  struct Node {
    let path: String
    let parent: Int?
    /// In points of the screen.
    let frame: Rect
    let feedback: String
    let isSecure: Bool
  }

  let description: LayoutDescription
  let held: Set<String>
  private let nodes: [Node]

  init(_ random: inout SeededGenerator, isHeld: Bool) {
    var nodes: [Node] = []
    var description = LayoutDescription(screens: [
      Screen(name: "panel", size: Size(width: 400, height: 300))
    ])
    for number in 0..<(1 + random.below(8)) {
      let isWindow = number == 0 || random.oneIn(3)
      let parent = isWindow ? nil : random.below(nodes.count)
      let around = parent.map { nodes[$0].frame } ?? Rect(x: 0, y: 0, width: 400, height: 300)
      let x = Double(random.below(Int(around.width) / 3))
      let y = Double(random.below(Int(around.height) / 3))
      let frame = Rect(
        x: x, y: y, width: Double(100 + random.below(300)), height: Double(100 + random.below(200)))
      let path = parent.map { "\(nodes[$0].path)/v\(number)" } ?? "w\(number)"
      var properties = ViewProperties(frame: FrameDescription(frame))
      properties.feedback = random.pick(["", "click", "tick", "tock", "none"])
      properties.secure = random.oneIn(12)
      nodes.append(
        Node(
          path: path, parent: parent,
          frame: Rect(
            x: around.x + x, y: around.y + y, width: frame.width, height: frame.height),
          feedback: properties.feedback, isSecure: properties.secure))
      if isWindow {
        description.windows.append(
          .init(name: path, screen: ScreenIndex(0), properties: properties))
      } else {
        description.views.append(.init(path: path, properties: properties))
      }
    }
    self.description = description
    self.nodes = nodes
    held = Set(nodes.filter { _ in isHeld && random.oneIn(2) }.map(\.path))
  }

  /// What a finger that comes down there gives.
  func feedback(at point: Point) -> [String] {
    guard
      let hit = nodes.indices.reversed().first(where: { nodes[$0].parent == nil && isIn($0, point) }
      )
    else { return [] }
    var target = hit
    while let inner = nodes.indices.reversed().first(where: {
      nodes[$0].parent == target && isIn($0, point)
    }) {
      target = inner
    }
    let chain = chain(of: target)
    guard chain.contains(where: { held.contains(nodes[$0].path) }) else { return [] }
    let secure = chain.last { nodes[$0].isSecure }
    // Nobody but who may attach to it gets what hits it: here that is anybody.
    let from = secure.map(self.chain(of:)) ?? chain
    guard let name = from.map({ nodes[$0].feedback }).first(where: { !$0.isEmpty }), name != "none"
    else { return [] }
    return ["feedback \(name) touch \(secure == nil ? nodes[target].path : "(secure)")"]
  }

  /// From a view up.
  private func chain(of node: Int) -> [Int] {
    Array(sequence(first: node) { nodes[$0].parent })
  }

  private func isIn(_ node: Int, _ point: Point) -> Bool {
    let frame = nodes[node].frame
    return point.x >= frame.x && point.x < frame.x + frame.width && point.y >= frame.y
      && point.y < frame.y + frame.height
  }
}
