import Foundation
import Layout
import TestSupport
import Testing
import TouchModel

@Suite("Changing a layout")
struct LayoutEditorTests {
  /// Everything that there is to know of a layout, view by view.
  static func summary(_ layout: Layout) -> [String] {
    (0..<Int32(layout.viewCount)).map { number in
      let view = ViewIndex(number)
      let properties = layout[view]
      let controller = layout.controller(of: view).map(layout.path(of:)) ?? "-"
      func path(_ view: ViewIndex) -> String { layout.path(of: view) }
      let secure = (number..<properties.end.rawValue).first { layout[ViewIndex($0)].isSecure }
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
        \(properties.isGated) \(properties.isSecure) \(properties.multipleTouch) \
        \(properties.exclusiveTouch) \(properties.end) \(layout.window(of: view)) \
        \(String(describing: properties.parent)) \(layout.transform(of: view)) \
        \(layout.screenTransform(of: view)) \(layout.outset(of: view)) \(layout.shape(of: view)) \
        \(inside) \(hit) \(layout.view(at: path(view)) == view) \
        \(layout.firstSecureView(in: view)?.rawValue == secure) \
        \(layout.feedback(of: view) ?? "-")
        """
    }
  }

  @Test(
    "any changes give what the changed description gives, or nothing where that is invalid (H8)",
    arguments: Seeds.fresh(30))
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
          ViewChange.random(of: scene.description, &random)
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
    arguments: Seeds.fresh(40))
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
        let over = LayoutSetter.attachment(UInt32.random(in: 1...3, using: &random))
        let left = remaining.filter { $0.setter != over }
        // What is not possible without it is dropped: that is for another test.
        guard Self.layout(left, description) != nil else { continue }
        #expect(editor.end { setter, _ in setter == over }.isEmpty)
        remaining = left
      } else if random.chance(0.1) {
        // A reload that changes nothing.
        let layout = try Layout(description)
        #expect(editor.move(to: layout, of: description, limits: .default).isEmpty)
      } else {
        let number = UInt32.random(in: 0...3, using: &random)
        let change = SetChange(
          ViewChange.random(of: description, &random),
          by: number == 0 ? .administrator(0) : .attachment(number))
        if Self.isWindowOrder(change, description) { continue }
        guard editor.apply([[change]]) == [nil] else { continue }
        remaining.append(change)
      }
      let expected = try #require(Self.layout(remaining, description))
      let summary = Self.summary(expected)
      try #require(Self.summary(editor.layout) == summary, "seed \(seed), round \(round)")
      let again = editor.changes
      #expect(Self.layout(again, description).map(Self.summary) == summary)
    }
  }

  /// Only lasting setters may place windows; and `configured` of others leaves windows' places.
  private static func isWindowOrder(_ set: SetChange, _ description: LayoutDescription) -> Bool {
    set.setter != .administrator(0) && description.windows.contains { $0.name == set.change.path }
      && [.order, .level, .configured].contains(set.change.property.kind)
  }

  /// The layout of those sets, one after the other, by the plainest means; nil where it can't be.
  private static func layout(_ sets: [SetChange], _ configured: LayoutDescription) -> Layout? {
    var oracle = OracleEditor(configured: configured)
    for set in sets { oracle.force(set) }
    return try? Layout(oracle.description())
  }

  @Test("a rule that names what is not there is refused, and a level that no window can have")
  func references() throws {
    var editor = try editor()
    for (path, property, words) in [
      ("a", ViewChange.Property.hit(.redirect("none")), "\"a\" has no descendant \"none\""),
      ("a", .hit(.first("b/in")), "\"a\" has no descendant \"b/in\""),
      ("a", .inside(.children(["v", "in"])), "\"a\" has no subview \"in\""),
      ("a", .inside(.children(["v/in"])), "\"a\" has no subview \"v/in\""),
      ("a", .shape(.rounded(radius: -1)), "the radius -1.0 is not a finite number of 0 or more"),
      ("a", .shape(.polygon([])), "a polygon has at least 3 points, not 0"),
      ("a", .outset(Outset(.nan)), "nan is not a finite number"),
      ("a/v", .level(1), "only a window has a level"),
      (
        "a/v", .enabled(false),
        "only a gesture is enabled or not, by its path PATH#NAME; of a view it is interaction"
      ),
      ("a", .level(1_000_001), "1000001 is not from -1000000 to 1000000"),
    ] {
      let refusal = editor.apply([[ViewChange(path, property)]])[0]
      #expect(refusal?.message == words)
      #expect(editor.isEmpty)
    }
    #expect(editor.apply([[ViewChange("a", .hit(.first("v/in")))]]) == [nil])
    #expect(editor.apply([[ViewChange("a", .level(2))]]) == [nil])
    #expect(editor.layout.windows.map(\.name) == ["b", "top", "a"])
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

  @Test("whoever wants an index alone, or last, has it, wherever the others go (L6)")
  func displaced() throws {
    for (places, expected) in [
      ([("v", 3), ("x", 3), ("w", 2)], "a y v in w x b top"),
      ([("x", 3), ("v", 3), ("w", 2), ("y", 1)], "a x y w v in b top"),
      ([("v", 0), ("w", 0), ("x", 0), ("y", 1)], "a x y w v in b top"),
      ([("v", 7), ("w", 9), ("x", 3)], "a y x v in w b top"),
    ] {
      var editor = try editor()
      for (name, place) in places {
        #expect(editor.apply([[ViewChange("a/" + name, .order(place))]]) == [nil])
      }
      #expect(names(editor.layout) == expected, "\(places)")
    }
  }

  @Test("a batch of which one change is not possible changes nothing, and the change is named (L6)")
  func atomic() throws {
    var editor = try editor()
    let before = editor.layout
    let good = ViewChange("a/v", .alpha(0.5))
    let mistakes: [(ViewChange, String)] = [
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
    for (mistake, words) in mistakes {
      let refusal = try #require(editor.apply([[good, mistake]])[0])
      #expect(refusal.change == 1 && refusal.message == words)
      #expect(editor.layout === before && editor.isEmpty)
    }
    // Nobody's own mistake: a subview's width is a share of what was set.
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

  @Test("of two that want one index the later gets it, also where a reload came in between (L6)")
  func laterThanAReload() throws {
    var editor = try editor()
    #expect(
      editor.apply([[ViewChange("a/v", .alpha(0.5)), ViewChange("a/y", .order(0))]]) == [nil])
    let scene = scene()
    #expect(
      editor.move(to: try scene.layout(), of: scene.description, limits: .default).isEmpty)
    #expect(names(editor.layout) == "a y v in w x b top")
    #expect(editor.apply([[ViewChange("a/x", .order(0))]]) == [nil])
    #expect(names(editor.layout) == "a x y v in w b top")
  }
}
