import Layout
import TestSupport
import Testing
import TouchModel

/// A hit-tester that went along with the changes of a layout answers as one that is made of the
/// result does, for every point (H8).
@Suite("Hit-testing a layout that changes")
struct HitChangesTests {
  @Test(
    "any changes leave a hit-tester that answers as the recursion does (H8)",
    arguments: Seeds.fresh(60))
  func random(seed: UInt64) throws {
    for isExact in [true, false] {
      var scene = RandomScene(seed: seed &+ 5000, isExact: isExact)
      guard let first = try? Layout(scene.description), first.viewCount < 200 else { continue }
      var random = SeededGenerator(seed: seed)
      var editor = LayoutEditor(first, of: scene.description)
      var oracle = OracleEditor(configured: scene.description)
      var tester = HitTester(first, isToChange: seed % 2 == 0)
      // Where no view gets another place, nothing is compiled anew, and the changes add up.
      let keepsPlaces = seed % 3 > 0
      var changed: [ViewIndex] = []
      for round in 0..<10 {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let change = ViewChange.random(of: scene.description, &random)
          if keepsPlaces, [.order, .level].contains(change.property.kind) { continue }
          guard editor.apply([[change]]) == [nil] else { continue }
          _ = oracle.apply([change])
          changed += [editor.layout.view(at: change.path)].compactMap(\.self)
        }
        tester.move(to: editor.layout)
        let arithmetic = isExact ? Oracle.Arithmetic.literal : .folded
        let recursion = Oracle(editor.layout, oracle.description(), arithmetic)
        for number in 0..<150 {
          let point = scene.point(editor.layout, at: keepsPlaces ? changed : [])
          let screen = ScreenIndex(number % 8 == 0 ? 1 : 0)
          try #require(
            tester.hitTest(point, on: screen) == recursion.hitTest(point, on: screen),
            "seed \(seed), exact \(isExact), round \(round), point \(point.x) \(point.y)")
        }
      }
    }
  }

  @Test(
    "lists in lists that scroll, with rows that change, are hit as the recursion says (H8)",
    arguments: Seeds.fresh(40))
  func lists(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let isExact = seed % 2 == 0
    var lists = RandomLists(seed: seed, isExact: isExact)
    let first = try Layout(lists.description)
    var editor = LayoutEditor(first, of: lists.description)
    var oracle = OracleEditor(configured: lists.description)
    var tester = HitTester(first, isToChange: seed % 3 == 0)
    for round in 0..<12 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let batch = [lists.change()]
        if editor.apply([batch]) == [nil] { _ = oracle.apply(batch) }
      }
      if round == 8 { tester = HitTester(editor.layout) } else { tester.move(to: editor.layout) }
      let recursion = Oracle(editor.layout, oracle.description(), isExact ? .literal : .folded)
      for _ in 0..<40 {
        let point = lists.point(editor.layout)
        try #require(
          tester.hitTest(point, on: Scene.screen) == recursion.hitTest(point, on: Scene.screen),
          "seed \(seed), round \(round), point \(point.x) \(point.y)")
      }
    }
  }

  /// A list of rows, of which the first 20 or so are within it, beside a button.
  private static func list(rows: Int) throws -> (Layout, LayoutEditor) {
    func view(_ path: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double)
      -> LayoutDescription.View
    {
      let frame = FrameDescription(Rect(x, y, width, height))
      return LayoutDescription.View(path: path, properties: ViewProperties(frame: frame))
    }
    var description = LayoutDescription(
      screens: [Screen(name: "s", size: Size(width: 500, height: 1000))],
      windows: [
        LayoutDescription.Window(
          name: "w", screen: ScreenIndex(0),
          properties: ViewProperties(frame: FrameDescription(Rect(0, 0, 500, 1000))))
      ])
    description.views = [view("w/list", 0, 0, 400, 1000), view("w/button", 400, 0, 100, 100)]
    for row in 0..<rows {
      description.views.append(view("w/list/\(row)", 0, 50 * Double(row), 400, 50))
    }
    let layout = try Layout(description)
    return (layout, LayoutEditor(layout, of: description))
  }

  private static func path(_ tester: HitTester, _ x: Double, _ y: Double) -> String? {
    tester.hitTest(Point(x: x, y: y), on: ScreenIndex(0)).map(tester.layout.path(of:))
  }

  @Test("what was compiled ahead answers for a layout that came of it, and for no other (H8)")
  func compiledAhead() throws {
    var (layout, editor) = try Self.list(rows: 200)
    let compiled = CompiledLayout(layout)
    var tester = HitTester(try Self.list(rows: 3).0)
    let change = ViewChange("w/list", .boundsOrigin(Point(x: 0, y: 5000)))
    #expect(editor.apply([[change]]) == [nil])
    layout = editor.layout
    tester.move(to: layout, taking: compiled)
    #expect(tester.layout === layout)
    #expect(Self.path(tester, 10, 0) == "w/list/100")
    // It is taken once.
    let other = try Self.list(rows: 30).0
    tester.move(to: other, taking: compiled)
    #expect(Self.path(tester, 10, 60) == "w/list/1")
    tester.move(to: layout, taking: CompiledLayout(other))
    #expect(Self.path(tester, 10, 0) == "w/list/100")
  }

  @Test("a list that scrolls, and rows that move, are hit where they are (H8)")
  func rows() throws {
    var (layout, editor) = try Self.list(rows: 2000)
    var tester = HitTester(layout)
    func set(_ path: String, _ property: ViewChange.Property) {
      #expect(editor.apply([[ViewChange(path, property)]]) == [nil])
      layout = editor.layout
      tester.move(to: layout)
    }
    set("w/list", .boundsOrigin(Point(x: 0, y: 75_000)))
    #expect(Self.path(tester, 10, 0) == "w/list/1500")
    #expect(Self.path(tester, 10, 999.5) == "w/list/1519")
    #expect(Self.path(tester, 450, 50) == "w/button")
    #expect(Self.path(tester, 450, 150) == "w")
    set("w/list/3", .frame(Rect(10, 75_040, 100, 20)))
    #expect(Self.path(tester, 20, 45) == "w/list/1500", "a later sibling is in front")
    set("w/list/1500", .hidden(true))
    #expect(Self.path(tester, 20, 45) == "w/list/3")
    #expect(Self.path(tester, 5, 45) == "w/list")
    set("w/list/1999", .frame(Rect(0, -1e8, 400, 2e8)))
    #expect(Self.path(tester, 20, 45) == "w/list/1999")
    set("w/list/1999", .configured)
    set("w/list/1500", .configured)
    #expect(Self.path(tester, 20, 45) == "w/list/1500")
    set("w/list/3", .configured)
    set("w/list", .configured)
    #expect(Self.path(tester, 20, 170) == "w/list/3")
  }

  @Test("a list that was moved and then scrolls far is hit up to its edge, roundings included (H8)")
  func movedAndScrolled() throws {
    var (layout, editor) = try Self.list(rows: 60)
    var tester = HitTester(layout)
    // So far from the origin numbers lie 6e-8 apart: points beside the list are rounded into it.
    for property in [
      ViewChange.Property.frame(Rect(420, 200, 50, 50)),
      .boundsOrigin(Point(x: 536_086_894.75, y: 0)),
    ] {
      #expect(editor.apply([[ViewChange("w/list", property)]]) == [nil])
      layout = editor.layout
      tester.move(to: layout)
    }
    let fresh = HitTester(layout)
    #expect(Self.path(fresh, 420 - 1e-8, 225) == "w/list")
    for step in -20...20 {
      let x = 420 + Double(step) * 1e-8
      #expect(Self.path(tester, x, 225) == Self.path(fresh, x, 225), "\(x)")
    }
  }

  @Test("however many views of a window were changed, each is hit where it is (H8)")
  func many() throws {
    let rows = 12
    var (layout, editor) = try Self.list(rows: rows)
    var tester = HitTester(layout)
    var changed: Set<Int> = []
    for number in 0..<rows {
      // Here and there: 2, 7, 0, 5, 10, 3 ...
      let next = (5 * number + 2) % rows
      let frame = Rect(0, 50 * Double(next), 200, 50)
      #expect(editor.apply([[ViewChange("w/list/\(next)", .frame(frame))]]) == [nil])
      changed.insert(next)
      layout = editor.layout
      tester.move(to: layout)
      for row in 0..<rows {
        let y = 50 * Double(row) + 25
        #expect(Self.path(tester, 100, y) == "w/list/\(row)")
        let beside = changed.contains(row) ? "w/list" : "w/list/\(row)"
        #expect(Self.path(tester, 300, y) == beside, "row \(row), changed \(changed)")
      }
    }
  }

  @Test("a layout knows the views that the latest changes touched, and no more (L6)")
  func lineage() throws {
    var (layout, editor) = try Self.list(rows: 600)
    let first = layout
    func set(_ path: String, _ property: ViewChange.Property) {
      #expect(editor.apply([[ViewChange(path, property)]]) == [nil])
    }
    set("w/list/500", .alpha(0.5))
    set("w/list/2", .hidden(true))
    layout = editor.layout
    #expect(layout.changedViews(since: first)?.map(layout.path(of:)) == ["w/list/2", "w/list/500"])
    #expect(layout.changedViews(since: layout) == [])
    #expect(first.changedViews(since: layout) == nil)
    #expect(first[try #require(first.view(at: "w/list/2"))].isHidden == false)
    for number in 0..<10 { set("w/list/\(number)", .secure(true)) }
    #expect(editor.layout.changedViews(since: layout) == nil, "too long ago")
    set("w/list/7", .order(0))
    #expect(editor.layout.changedViews(since: layout) == nil, "the views have other places")
  }
}
