import Foundation
import Layout
import TestSupport
import Testing
import TouchModel

@Suite("Changing a layout")
struct LayoutEditorTests {
  /// Everything that there is to know of a layout, view by view.
  private static func summary(_ layout: Layout) -> [String] {
    (0..<Int32(layout.viewCount)).map { number in
      let view = ViewIndex(number)
      let properties = layout[view]
      let controller = layout.controller(of: view).map(layout.path(of:)) ?? "-"
      func path(_ view: ViewIndex) -> String { layout.path(of: view) }
      let hit: String =
        switch layout.hitRule(of: view) {
        case .redirect(let to): "redirect \(path(to))"
        case .first(let to): "first \(path(to))"
        case let rule: "\(rule)"
        }
      let inside: String =
        if case .children(let views) = layout.insideRule(of: view) {
          "\(views.map(path))"
        } else {
          "\(layout.insideRule(of: view))"
        }
      return """
        \(path(view)) \(controller) \(properties.frame) \(properties.boundsOrigin) \
        \(properties.alpha) \(properties.isHidden) \(properties.interaction) \
        \(properties.isGated) \(properties.end) \(layout.window(of: view)) \
        \(String(describing: properties.parent)) \(layout.transform(of: view)) \
        \(layout.screenTransform(of: view)) \(layout.outset(of: view)) \(layout.shape(of: view)) \
        \(inside) \(hit) \(layout.view(at: path(view)) == view)
        """
    }
  }

  private static func change(
    _ description: LayoutDescription, _ random: inout SeededGenerator
  ) -> ViewChange {
    let paths = description.windows.map(\.name) + description.views.map(\.path)
    func number() -> Double { Double(Int.random(in: -40...160, using: &random)) / 4 }
    let property: ViewChange.Property =
      switch Int.random(in: 0..<11, using: &random) {
      case 0: .hidden(random.chance(0.5))
      case 1: .alpha(random.pick([0, 0.01, 0.5, 1, 1.5, .nan]))
      case 2: .interaction(random.chance(0.5))
      case 3, 4: .frame(Rect(number(), number(), number(), number() + 10))
      case 5: .boundsOrigin(Point(x: number(), y: random.chance(0.1) ? .infinity : number()))
      case 6:
        .transform(
          random.pick([
            .identity, AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: number()),
            AffineTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0),
            AffineTransform(a: 1e5, b: 0, c: 0, d: 1e5, tx: 0, ty: 0),
          ]))
      case 7, 8, 9: .order(Int.random(in: 0...5, using: &random))
      default: .configured
      }
    let path = random.chance(0.03) ? "w0/none" : random.pick(paths)
    return ViewChange(path, property)
  }

  @Test(
    "any changes give the layout that the changed description gives, or none where that is invalid",
    arguments: 0..<30)
  func oracle(seed: UInt64) throws {
    let scene = RandomScene(seed: seed, isExact: true)
    guard scene.description.views.count < 50, let first = try? Layout(scene.description) else {
      return
    }
    var random = SeededGenerator(seed: seed &+ 77)
    var oracle = OracleEditor(configured: scene.description)
    var editor = LayoutEditor(first, of: scene.description)
    for round in 0..<12 {
      let batches = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Self.change(scene.description, &random)
        }
      }
      let refusals = editor.apply(batches)
      let expected = batches.map { oracle.apply($0) }
      #expect(refusals.map { $0 == nil } == expected, "seed \(seed), round \(round)")
      #expect(
        Self.summary(editor.layout) == Self.summary(try Layout(oracle.description())),
        "seed \(seed), round \(round): \(batches)")
      #expect(editor.isEmpty == oracle.isEmpty)
      try #require(refusals.map { $0 == nil } == expected)
    }
  }

  @Test(
    "sets and ends of any setters give what compiling the sets that remain gives (L6)",
    arguments: 0..<40)
  func setters(seed: UInt64) throws {
    let scene = RandomScene(seed: seed, isExact: true)
    guard scene.description.views.count < 50, var description = Optional(scene.description),
      (try? Layout(description)) != nil
    else { return }
    for index in description.windows.indices { description.windows[index].isResizable = true }
    var random = SeededGenerator(seed: seed &+ 770)
    var editor = LayoutEditor(try Layout(description), of: description)
    var remaining: [SetChange] = []
    for round in 0..<40 {
      if random.chance(0.3) {
        let over = LayoutSetter.passing(UInt32.random(in: 1...3, using: &random))
        let left = remaining.filter { $0.setter != over }
        // What is not possible without it is dropped: that is for another test.
        guard Self.layout(left, description) != nil else { continue }
        #expect(editor.end { setter, _ in setter == over }.isEmpty)
        remaining = left
      } else {
        let number = UInt32.random(in: 0...3, using: &random)
        let change = SetChange(
          Self.change(description, &random), by: number == 0 ? .lasting(0) : .passing(number))
        if Self.isWindowOrder(change, description) { continue }
        guard editor.apply([[change]]) == [nil] else { continue }
        remaining.append(change)
      }
      let expected = try #require(Self.layout(remaining, description))
      try #require(
        Self.summary(editor.layout) == Self.summary(expected), "seed \(seed), round \(round)")
      let again = editor.changes
      #expect(Self.layout(again, description).map(Self.summary) == Self.summary(expected))
    }
  }

  /// Only lasting setters may place windows; and `configured` of others leaves windows' places.
  private static func isWindowOrder(_ set: SetChange, _ description: LayoutDescription) -> Bool {
    set.setter != .lasting(0) && description.windows.contains { $0.name == set.change.path }
      && [.order, .configured].contains(set.change.property.kind)
  }

  /// The layout of those sets, one after the other, by the plainest means; nil where it can't be.
  private static func layout(_ sets: [SetChange], _ configured: LayoutDescription) -> Layout? {
    var oracle = OracleEditor(configured: configured)
    for set in sets { oracle.force(set.change) }
    return try? Layout(oracle.description())
  }

  private static let outside = Rect(50, 0, 100, 100)

  /// A window at the left of a screen of 200 by 100, and how it is set.
  private func reach(
    _ change: (inout ViewProperties) -> Void, _ property: ViewChange.Property, of path: String,
    resizable: Bool = false, by setter: LayoutSetter = .passing(1)
  ) throws -> Bool {
    var description = LayoutDescription(screens: [
      Screen(name: "s", size: Size(width: 200, height: 100))
    ])
    var root = ViewProperties(frame: FrameDescription(Rect(0, 0, 100, 100)))
    change(&root)
    description.windows = [
      .init(name: "w", screen: ScreenIndex(0), isResizable: resizable, properties: root)
    ]
    for path in ["w/a", "w/a/in"] {
      description.views.append(
        .init(path: path, properties: ViewProperties(frame: FrameDescription(Rect(0, 0, 50, 50)))))
    }
    var editor = LayoutEditor(try Layout(description), of: description)
    let refusal = editor.apply([[SetChange(ViewChange(path, property), by: setter)]])[0]
    #expect(refusal == nil || refusal?.isBeyondArea == true)
    return refusal == nil
  }

  @Test("a window's own frame, transform and outset stay in its area, unless it is resizable (L6)")
  func reachOfRoot() throws {
    let big = ViewChange.Property.transform(AffineTransform(scaleX: 1.1, y: 1))
    #expect(try !reach({ _ in }, .frame(Self.outside), of: "w"))
    #expect(try !reach({ _ in }, big, of: "w"))
    #expect(try reach({ _ in }, .frame(Self.outside), of: "w", resizable: true))
    #expect(try reach({ _ in }, .frame(Self.outside), of: "w", by: .lasting(1)))
    #expect(try reach({ _ in }, .frame(Rect(-60, 0, 100, 100)), of: "w"))
    #expect(try reach({ $0.outset = Outset(5) }, .frame(Rect(5, 0, 100, 100)), of: "w") == false)
    #expect(try reach({ $0.outset = Outset(5) }, .frame(Rect(0, 0, 100, 90)), of: "w"))
    #expect(try !reach({ $0.hit = .itself }, .frame(Self.outside), of: "w"))
    #expect(try !reach({ $0.hidden = true }, .frame(Self.outside), of: "w"))
    let half = AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
    #expect(try reach({ _ in }, .transform(half), of: "w"))
  }

  @Test("views of a window that does not clip stay in its area, of one that does anywhere (L6)")
  func reachOfViews() throws {
    let far = Point(x: -90, y: 0)
    let properties: [(String, ViewChange.Property)] = [
      ("w/a", .frame(Rect(80, 0, 50, 50))), ("w", .boundsOrigin(far)),
      ("w/a", .transform(AffineTransform(a: 5, b: 0, c: 0, d: 5, tx: 0, ty: 0))),
    ]
    let unclipped: [(inout ViewProperties) -> Void] = [
      { $0.inside = .always }, { $0.inside = .children([]) }, { $0.inside = .children(["a"]) },
      { $0.hit = .first("a") },
      {
        $0.inside = .always
        $0.hit = .passThrough
      },
    ]
    let clipped: [(inout ViewProperties) -> Void] = [
      { _ in }, { $0.hit = .redirect("a") }, { $0.hit = .passThrough }, { $0.inside = .never },
    ]
    for (path, property) in properties {
      for make in unclipped { #expect(try !reach(make, property, of: path), "\(property)") }
      for make in clipped { #expect(try reach(make, property, of: path), "\(property)") }
    }
    // The list that clips scrolls; what is asked first is not clipped by it.
    for make in unclipped { #expect(try reach(make, .boundsOrigin(far), of: "w/a")) }
    #expect(try !reach({ $0.hit = .first("a/in") }, .boundsOrigin(Point(x: -90, y: 0)), of: "w/a"))
  }

  @Test("two setters can't reach together what neither may, nor after a reload (L6)")
  func reachTogether() throws {
    var description = LayoutDescription(screens: [
      Screen(name: "s", size: Size(width: 300, height: 100))
    ])
    var root = ViewProperties(frame: FrameDescription(Rect(100, 0, 100, 100)))
    root.inside = .children([])
    description.windows = [.init(name: "w", screen: ScreenIndex(0), properties: root)]
    description.views = [
      .init(path: "w/a", properties: ViewProperties(frame: FrameDescription(Rect(0, 0, 50, 50))))
    ]
    var editor = LayoutEditor(try Layout(description), of: description)
    let origin = ViewChange("w", .boundsOrigin(Point(x: -50, y: 0)))
    let frame = ViewChange("w/a", .frame(Rect(-50, 0, 50, 50)))
    #expect(editor.apply([[SetChange(frame, by: .passing(2))]])[0]?.isBeyondArea == true)
    #expect(editor.apply([[SetChange(origin, by: .passing(1))]]) == [nil])
    #expect(editor.apply([[SetChange(frame, by: .passing(2))]]) == [nil])
    #expect(editor.end { setter, _ in setter == .passing(1) } == ["w"])
    #expect(editor.isEmpty && editor.layout[ViewIndex(1)].frame == Rect(0, 0, 50, 50))
    let moved = ViewChange("w", .frame(Rect(0, 0, 300, 100)))
    #expect(editor.apply([[SetChange(moved, by: .lasting(0))]]) == [nil])
    // What those with a right have given it is its area too.
    let inner = ViewChange("w", .frame(Rect(0, 0, 150, 100)))
    #expect(editor.apply([[SetChange(inner, by: .passing(1))]]) == [nil])
    description.windows[0].properties.frame.x.points = 0
    description.windows[0].properties.frame.width.points = 120
    #expect(editor.apply([[ViewChange("w", .configured)]]) == [nil])
    #expect(
      editor.apply([
        [SetChange(ViewChange("w", .frame(Rect(150, 0, 50, 50))), by: .passing(1))]
      ]) == [nil])
    let layout = try Layout(description)
    #expect(editor.move(to: layout, of: description, limits: .default) == ["w"])
    #expect(editor.isEmpty)
  }

  private func scene() -> Scene {
    var scene = Scene()
    for name in ["a", "b"] { scene.window(name, Rect(0, 0, 100, 100)) }
    scene.window("top", Rect(0, 0, 100, 100), level: 1)
    for name in ["v", "w", "x", "y"] { scene.view("a/\(name)", Rect(0, 0, 50, 50)) }
    scene.view("a/v/in", Rect(0, 0, 10, 10)) {
      $0.frame.width = Length(points: -20, fraction: 1)
    }
    return scene
  }

  private func editor() throws -> LayoutEditor {
    let scene = scene()
    return LayoutEditor(try scene.layout(), of: scene.description)
  }

  private func names(_ layout: Layout) -> String {
    (0..<Int32(layout.viewCount)).map { layout.name(of: ViewIndex($0)) }.joined(separator: " ")
  }

  @Test("what was placed last is where it was placed, and the others keep their order")
  func order() throws {
    var editor = try editor()
    for (path, place, expected) in [
      ("a/v", 3, "a w x y v in b top"), ("a/w", 3, "a x y v in w b top"),
      ("a/y", 0, "a y x v in w b top"), ("a/x", 99, "a y v in w x b top"),
      ("b", 0, "b a y v in w x top"), ("top", 0, "b a y v in w x top"),
    ] {
      #expect(editor.apply([[ViewChange(path, .order(place))]]) == [nil])
      #expect(names(editor.layout) == expected)
    }
    let all = ["a/v", "a/w", "a/x", "a/y", "b", "top"].map { ViewChange($0, .configured) }
    #expect(editor.apply([all]) == [nil])
    #expect(names(editor.layout) == "a v in w x y b top")
    #expect(editor.isEmpty)
  }

  @Test("a batch of which one change is not possible changes nothing, and the change is named (L6)")
  func atomic() throws {
    var editor = try editor()
    let before = editor.layout
    let good = ViewChange("a/v", .alpha(0.5))
    let faults: [(ViewChange, String)] = [
      (ViewChange("a/v", .alpha(1.5)), "1.5 is not from 0 to 1"),
      (ViewChange("a/v", .alpha(.nan)), "nan is not from 0 to 1"),
      (ViewChange("a", .frame(Rect(0, .nan, 1, 1))), "y is not a finite number"),
      (ViewChange("a/w", .frame(Rect(0, 0, 1, -1))), "the height is -1.0 points, below 0"),
      (
        ViewChange("a/w", .frame(Rect(2e9, 0, 1, 1))),
        "x is 2000000000.0 points, beyond the limit `coordinate` of 1000000000.0"
      ),
      (
        ViewChange("a", .boundsOrigin(Point(x: .infinity, y: 0))),
        "inf is not a finite number"
      ),
      (
        ViewChange("a", .transform(AffineTransform(a: 1, b: 1, c: 1, d: 1, tx: 0, ty: 0))),
        "the transform can't be inverted"
      ),
      (
        ViewChange("a/vv", .hidden(true)),
        "no window or view is named \"a/vv\"; "
          + "the nearest is \"a/v\""
      ),
    ]
    for (fault, words) in faults {
      let refusal = try #require(editor.apply([[good, fault]])[0])
      #expect(refusal.change == 1 && refusal.message == words)
      #expect(editor.layout === before && editor.isEmpty)
    }
    // Nobody's own fault: a subview's width is a share of what was set.
    let shrunk = editor.apply([[good, ViewChange("a/v", .frame(Rect(0, 0, 10, 10)))]])[0]
    #expect(shrunk?.change == nil)
    #expect(shrunk?.message == "\"a/v/in\": frame: the width is -10.0 points, below 0")
    #expect(editor.layout === before && editor.isEmpty)
  }

  @Test("of batches that can't all be, the first ones are")
  func together() throws {
    var editor = try editor()
    let scale = AffineTransform(a: 1e6, b: 0, c: 0, d: 1e6, tx: 0, ty: 0)
    let refusals = editor.apply([
      [ViewChange("a", .transform(scale))], [ViewChange("a/v", .hidden(true))],
      [ViewChange("a/v", .transform(scale))], [ViewChange("b", .alpha(0.5))],
    ])
    #expect(refusals.map { $0 == nil } == [true, true, false, true])
    #expect(
      refusals[2]?.message == "with those of its superviews the transform can't be inverted")
    let layout = editor.layout
    let views = try ["a", "a/v", "b"].map { layout[try #require(layout.view(at: $0))] }
    #expect(views[1].isHidden && views[2].alpha == 0.5)
  }

  @Test("another configuration takes over what was set where its view is still there (L6)")
  func move() throws {
    var editor = try editor()
    _ = editor.apply([
      [
        ViewChange("a/v", .frame(Rect(0, 0, 30, 30))), ViewChange("a/x", .hidden(true)),
        ViewChange("a/y", .order(0)),
      ]
    ])
    var next = Scene()
    next.window("a", Rect(0, 0, 90, 90))
    for name in ["y", "v", "z", "w"].reversed() { next.view("a/\(name)", Rect(0, 0, 50, 50)) }
    #expect(
      editor.move(to: try next.layout(), of: next.description, limits: .default).isEmpty)
    #expect(names(editor.layout) == "a y w z v")
    #expect(editor.layout[ViewIndex(4)].frame == Rect(0, 0, 30, 30))
    next.view("a/v/in", Rect(0, 0, 10, 10)) { $0.frame.height = Length(points: -40, fraction: 1) }
    #expect(
      editor.move(to: try next.layout(), of: next.description, limits: .default) == ["a/v"])
    #expect(names(editor.layout) == "a y w z v in")
    #expect(editor.apply([[ViewChange("a/y", .configured)]]) == [nil])
    #expect(editor.isEmpty)
  }
}

/// What was set by the plainest means: a description that is written anew for every layout.
private struct OracleEditor {
  let configured: LayoutDescription
  private var values: [String: [ViewChange.Property]] = [:]
  private var order: [(path: String, place: Int)] = []

  init(configured: LayoutDescription) { self.configured = configured }

  var isEmpty: Bool { values.isEmpty && order.isEmpty }

  /// Takes a batch in; false where it gives no layout, and nothing of it is taken.
  mutating func apply(_ batch: [ViewChange]) -> Bool {
    let before = self
    for change in batch {
      let paths = configured.windows.map(\.name) + configured.views.map(\.path)
      switch change.property {
      case .configured:
        values[change.path] = nil
        order.removeAll { $0.path == change.path }
      case .order(let place):
        order.removeAll { $0.path == change.path }
        order.append((change.path, place))
      default: values[change.path, default: []].append(change.property)
      }
      // Each change must be possible by itself, whatever comes behind it.
      guard paths.contains(change.path), Self.isPossible(change.property) else {
        self = before
        return false
      }
    }
    if (try? Layout(description())) != nil { return true }
    self = before
    return false
  }

  /// Takes a change in, whether it gives a layout or not.
  mutating func force(_ change: ViewChange) {
    switch change.property {
    case .configured:
      values[change.path] = nil
      order.removeAll { $0.path == change.path }
    case .order(let place):
      order.removeAll { $0.path == change.path }
      order.append((change.path, place))
    default: values[change.path, default: []].append(change.property)
    }
  }

  private static func isPossible(_ property: ViewChange.Property) -> Bool {
    switch property {
    case .alpha(let value): value >= 0 && value <= 1
    case .boundsOrigin(let point): point.x.isFinite && point.y.isFinite
    case .transform(let transform): transform.inverted() != nil
    default: true
    }
  }

  func description() -> LayoutDescription {
    var result = configured
    for index in result.windows.indices {
      change(&result.windows[index].properties, result.windows[index].name)
    }
    for index in result.views.indices {
      change(&result.views[index].properties, result.views[index].path)
    }
    let parents = Set(result.views.map { Self.parent($0.path) })
    result.views = parents.sorted().flatMap { parent in
      arranged(result.views.filter { Self.parent($0.path) == parent }, \.path)
    }
    let levels = Set(result.windows.map(\.level)).sorted()
    result.windows = levels.flatMap { level in
      arranged(result.windows.filter { $0.level == level }, \.name)
    }
    return result
  }

  private func arranged<Item>(_ items: [Item], _ path: KeyPath<Item, String>) -> [Item] {
    let moved = order.enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }
    var result = items.filter { item in !order.contains { $0.path == item[keyPath: path] } }
    for (_, move) in moved {
      guard let item = items.first(where: { $0[keyPath: path] == move.path }) else { continue }
      result.insert(item, at: min(move.place, result.count))
    }
    return result
  }

  private func change(_ properties: inout ViewProperties, _ path: String) {
    for property in values[path] ?? [] {
      switch property {
      case .hidden(let value): properties.hidden = value
      case .alpha(let value): properties.alpha = value
      case .interaction(let value): properties.interaction = value
      case .frame(let value): properties.frame = FrameDescription(value)
      case .boundsOrigin(let value): properties.boundsOrigin = value
      case .transform(let value): properties.transform = value
      case .order, .configured: break
      }
    }
  }

  private static func parent(_ path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
