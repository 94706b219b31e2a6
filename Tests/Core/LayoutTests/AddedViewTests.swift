import Layout
import TestSupport
import Testing
import TouchModel

@Suite("Views that come and go")
struct AddedViewTests {
  private static func view(_ path: String, _ frame: Rect = Rect(0, 0, 10, 10))
    -> LayoutDescription.View
  {
    LayoutDescription.View(path: path, properties: ViewProperties(frame: FrameDescription(frame)))
  }

  private static func description() -> LayoutDescription {
    LayoutDescription(
      screens: [Screen(name: "s", size: Size(width: 100, height: 100))],
      windows: [
        LayoutDescription.Window(
          name: "w", screen: ScreenIndex(0),
          properties: ViewProperties(frame: FrameDescription(Rect(0, 0, 50, 100))))
      ],
      views: [view("w/list", Rect(0, 0, 50, 50))])
  }

  private static func editor(limits: LayoutLimits = .default) throws -> LayoutEditor {
    let description = description()
    return LayoutEditor(
      try Layout(description, limits: limits), of: description, limits: limits)
  }

  private static func paths(_ editor: LayoutEditor) -> [String] {
    editor.layout.views.indices.map { editor.layout.path(of: ViewIndex(Int32($0))) }
  }

  private static let somebody = LayoutSetter.attachment(1)

  @Test("a batch adds, changes and removes views, and all that is in them (L6)")
  func batches() throws {
    var editor = try Self.editor()
    #expect(
      editor.apply(
        [
          .add(Self.view("w/list/a")), .add(Self.view("w/list/b")),
          .add(Self.view("w/list/a/icon", Rect(2, 2, 2, 2))),
          .change(ViewChange("w/list/b", .frame(Rect(20, 0, 10, 10)))),
        ], by: Self.somebody) == nil)
    #expect(Self.paths(editor) == ["w", "w/list", "w/list/a", "w/list/a/icon", "w/list/b"])
    var tester = HitTester(editor.layout)
    func hit(_ x: Double, _ y: Double) -> String? {
      tester.hitTest(Point(x: x, y: y), on: ScreenIndex(0)).map(editor.layout.path(of:))
    }
    #expect(hit(3, 3) == "w/list/a/icon")
    #expect(hit(25, 5) == "w/list/b")
    #expect(
      editor.apply([.remove("w/list/a"), .add(Self.view("w/list/c"))], by: Self.somebody) == nil)
    tester.move(to: editor.layout)
    #expect(Self.paths(editor) == ["w", "w/list", "w/list/b", "w/list/c"])
    #expect(hit(3, 3) == "w/list/c")
    #expect(hit(25, 5) == "w/list/b", "what was set of it is still in force")
  }

  @Test("a view that is there is not removed under cover of one that the batch adds (L6, L7)")
  func removedUnderCover() throws {
    var editor = try Self.editor()
    let other = LayoutSetter.attachment(2)
    #expect(editor.apply([.add(Self.view("w/list/a"))], by: Self.somebody) == nil)
    let hidden = SetChange(ViewChange("w/list", .hidden(true)), by: .administrator(0))
    #expect(editor.apply([[hidden]]) == [nil])
    for path in ["w/list/a", "w/list", "w"] {
      for further in [[], [ViewEdit.add(Self.view(path))]] {
        let refusal = editor.apply(
          [.add(Self.view(path)), .remove(path)] + further, by: other)
        #expect(refusal?.change == 0, "\(path)")
        #expect(refusal?.message == "there is another view \"\(path)\"")
      }
    }
    let twice: [ViewEdit] = [
      .add(Self.view("w/b")), .add(Self.view("w/b")), .remove("w/b"),
    ]
    #expect(editor.apply(twice, by: other)?.change == 1)
    #expect(Self.paths(editor) == ["w", "w/list", "w/list/a"])
    #expect(editor.changes.count == 1)
    // What is removed first may be added again, and removed again, with what lies in it.
    let again: [ViewEdit] = [
      .add(Self.view("w/list/a/in")), .remove("w/list/a"), .add(Self.view("w/list/a")),
      .add(Self.view("w/list/a/in")), .remove("w/list/a"),
    ]
    #expect(editor.apply(again, by: Self.somebody) == nil)
    #expect(Self.paths(editor) == ["w", "w/list"])
  }

  @Test("a batch of which one step is not possible does nothing, and the step is named (L6)")
  func refusals() throws {
    var limits = LayoutLimits.default
    limits.depth = 4
    limits.views = 6
    var editor = try Self.editor(limits: limits)
    #expect(editor.apply([.add(Self.view("w/list/a"))], by: Self.somebody) == nil)
    let before = editor.layout
    func refusal(_ edits: [ViewEdit]) -> String {
      let first = ViewEdit.add(Self.view("w/list/z"))
      guard let refusal = editor.apply([first] + edits, by: Self.somebody) else { return "none" }
      #expect(editor.layout === before)
      return "\(refusal.change.map(String.init) ?? "-"): \(refusal.message)"
    }
    #expect(
      refusal([.add(Self.view("w/list/a"))]) == "1: there is another view \"w/list/a\"")
    #expect(refusal([.add(Self.view("w/list"))]) == "1: there is another view \"w/list\"")
    #expect(
      refusal([.add(Self.view("w/no/a"))])
        == "1: there is no view \"w/no\" that could be its superview")
    #expect(
      refusal([.add(Self.view("w/list/b c"))])
        == "1: \"b c\" is no name: names are made of A-Z, a-z, 0-9, _, . and -")
    #expect(
      refusal([.add(Self.view("w/list/a/b")), .add(Self.view("w/list/a/b/c"))])
        == "2: the view is 5 deep, beyond the limit `depth` of 4")
    #expect(
      refusal((0..<9).map { .add(Self.view("w/list/\($0)")) })
        == "-: 13 views are more than the limit `views` of 6")
    #expect(
      refusal([.add(Self.view("w/list/b", Rect(0, 0, -1, 1)))])
        == "1: frame: the width is -1.0 points, below 0")
    #expect(
      refusal([.remove("w/list")])
        == "1: \"w/list\" is configured, and only what was added can be removed")
    #expect(refusal([.remove("w/list/b")]).hasPrefix("1: no window or view is named \"w/list/b\""))
    #expect(
      refusal([.remove("w/list/a"), .change(ViewChange("w/list/a", .hidden(true)))])
        .hasPrefix("2: no window or view is named \"w/list/a\""))
    #expect(refusal([.change(ViewChange("w/list/z", .alpha(2)))]) == "1: 2.0 is not from 0 to 1")
  }

  @Test("what is added goes with who added it, and what others have put into it (L6)")
  func ends() throws {
    var editor = try Self.editor()
    let other = LayoutSetter.attachment(2)
    #expect(editor.apply([.add(Self.view("w/list/a"))], by: Self.somebody) == nil)
    #expect(
      editor.apply([.add(Self.view("w/list/a/b")), .add(Self.view("w/list/c"))], by: other) == nil)
    #expect(editor.end { setter, _ in setter == Self.somebody } == [])
    #expect(Self.paths(editor) == ["w", "w/list", "w/list/c"])
    #expect(editor.added.map(\.view.path) == ["w/list/c"])
    #expect(editor.end { setter, _ in setter == other } == [])
    #expect(editor.isEmpty)
  }

  @Test("another configuration keeps what is added where its superview is still there (L6)")
  func reload() throws {
    var editor = try Self.editor()
    let views = ["w/list/a", "w/list/a/b", "w/own", "w/own/c"].map { ViewEdit.add(Self.view($0)) }
    #expect(editor.apply(views, by: .administrator(0)) == nil)
    #expect(editor.apply([[ViewChange("w/own/c", .alpha(0.5))]]) == [nil])
    var next = Self.description()
    next.views = [Self.view("w/new")]
    let dropped = editor.move(to: try Layout(next), of: next, limits: .default)
    #expect(dropped == ["w/list/a", "w/list/a/b"])
    #expect(Self.paths(editor) == ["w", "w/new", "w/own", "w/own/c"])
    #expect(editor.layout[ViewIndex(3)].alpha == 0.5)
  }

  @Test("a view that is added stays within the area of its window, as what is set does (L6)")
  func areas() throws {
    var description = Self.description()
    description.windows[0].properties.inside = .always
    var editor = LayoutEditor(try Layout(description), of: description)
    let far = ViewEdit.add(Self.view("w/far", Rect(60, 0, 10, 10)))
    let refusal = editor.apply([.add(Self.view("w/near")), far], by: Self.somebody)
    #expect(refusal?.isForbidden == true)
    #expect(editor.isEmpty)
    #expect(editor.apply([far], by: .administrator(0)) == nil)
  }

  @Test(
    "random views that come, go and change give what all of it at once gives (H8)",
    arguments: Seeds.fresh(30))
  func random(seed: UInt64) throws {
    var scene = RandomScene(seed: seed &+ 900, isExact: true)
    guard let first = try? Layout(scene.description), first.viewCount < 60 else { return }
    var random = SeededGenerator(seed: seed)
    var editor = LayoutEditor(first, of: scene.description)
    var tester = HitTester(first)
    for round in 0..<15 {
      let all = Self.paths(editor)
      let added = editor.added.map(\.view.path)
      var edits: [ViewEdit] = []
      for number in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          let frame = Rect(
            Double(Int.random(in: -9...40, using: &random)),
            Double(Int.random(in: -9...40, using: &random)), 20, 30)
          edits.append(.add(Self.view("\(random.pick(all))/n\(round)-\(number)", frame)))
        case 2 where !added.isEmpty: edits.append(.remove(random.pick(added)))
        default: edits.append(.change(ViewChange.random(of: scene.description, &random)))
        }
      }
      _ = editor.apply(edits, by: .administrator(0))
      tester.move(to: editor.layout)
      var whole = scene.description
      whole.views += editor.added.map(\.view)
      var oracle = OracleEditor(configured: whole)
      for change in editor.changes { oracle.force(change) }
      let expected = try Layout(oracle.description())
      try #require(
        LayoutEditorTests.summary(editor.layout) == LayoutEditorTests.summary(expected),
        "seed \(seed), round \(round)")
      let recursion = Oracle(expected, oracle.description(), .literal)
      for _ in 0..<60 {
        let point = scene.point(expected)
        try #require(
          tester.hitTest(point, on: ScreenIndex(0))
            == recursion.hitTest(point, on: ScreenIndex(0)), "seed \(seed), round \(round)")
      }
    }
  }
}
