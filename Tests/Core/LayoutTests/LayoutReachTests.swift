import Layout
import TestSupport
import Testing
import TouchModel

@Suite("Changing a layout: where windows may reach")
struct LayoutReachTests {
  private static let outside = Rect(50, 0, 100, 100)

  /// A window at the left of a screen of 200 by 100, and how it is set.
  private func reach(
    _ change: (inout ViewProperties) -> Void, _ property: ViewChange.Property, of path: String,
    resizable: Bool = false, by setter: LayoutSetter = .attachment(1)
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
    #expect(refusal == nil || refusal?.isForbidden == true)
    return refusal == nil
  }

  @Test("a window's frame, transform and outset stay in its area, unless it is resizable (L6, S31)")
  func reachOfRoot() throws {
    let big = ViewChange.Property.transform(AffineTransform(scaleX: 1.1, y: 1))
    #expect(try !reach({ _ in }, .frame(Self.outside), of: "w"))
    #expect(try !reach({ _ in }, big, of: "w"))
    #expect(try reach({ _ in }, .frame(Self.outside), of: "w", resizable: true))
    #expect(try reach({ _ in }, .frame(Self.outside), of: "w", by: .administrator(1)))
    #expect(try reach({ _ in }, .frame(Rect(-60, 0, 100, 100)), of: "w"))
    #expect(try reach({ $0.outset = Outset(5) }, .frame(Rect(5, 0, 100, 100)), of: "w") == false)
    #expect(try reach({ $0.outset = Outset(5) }, .frame(Rect(0, 0, 100, 90)), of: "w"))
    #expect(try !reach({ $0.hit = .itself }, .frame(Self.outside), of: "w"))
    #expect(try !reach({ $0.hidden = true }, .frame(Self.outside), of: "w"))
    let half = AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
    #expect(try reach({ _ in }, .transform(half), of: "w"))
  }

  @Test("a window whose place is lost in roundings may reach anywhere, and is refused (L6, S31)")
  func roundings() throws {
    // Its box is at [40, 0, 40, 100]. A touch is converted by coordinates of 1e9, which are rounded
    // to 1e-7: a hundred points on the screen.
    let large: (inout ViewProperties) -> Void = {
      $0.boundsOrigin = Point(x: 1e9, y: 0)
      $0.outset = Outset(top: 0, left: 2e-8, bottom: 0, right: 2e-8)
    }
    let small = Rect(60, 0, 1e-10, 100)
    let huge = AffineTransform(a: -1e9, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    let flat: (inout ViewProperties) -> Void = {
      large(&$0)
      $0.frame = FrameDescription(small)
    }
    #expect(try !reach(flat, .transform(huge), of: "w"))
    #expect(try reach(flat, .transform(huge), of: "w", by: .administrator(1)))
    // One large number alone is none: a list that is scrolled far, or a view that is made tiny.
    #expect(try reach(large, .transform(AffineTransform(scaleX: 0.5, y: 0.5)), of: "w"))
    let tiny = AffineTransform(scaleX: 1e-6, y: 1e-6)
    #expect(try reach({ _ in }, .transform(tiny), of: "w"))
  }

  @Test("a batch is measured against what earlier ones of its turn have left (L6, S31)")
  func earlierBatches() throws {
    let screen = Screen(name: "s", size: Size(width: 200, height: 100))
    var description = LayoutDescription(screens: [screen])
    description.windows = [
      .init(
        name: "w", screen: ScreenIndex(0),
        properties: ViewProperties(frame: FrameDescription(Rect(0, 0, 100, 100))))
    ]
    var editor = LayoutEditor(try Layout(description), of: description)
    func set(_ property: ViewChange.Property, by setter: LayoutSetter) -> [SetChange] {
      [SetChange(ViewChange("w", property), by: setter)]
    }
    let large = ViewChange.Property.frame(Rect(0, 0, 200, 100))
    let (administrator, holder) = (LayoutSetter.administrator(0), LayoutSetter.attachment(1))
    #expect(editor.apply([set(large, by: administrator)]) == [nil])
    let refusals = editor.apply([set(.configured, by: administrator), set(large, by: holder)])
    #expect(refusals[0] == nil && refusals[1]?.isForbidden == true)
    let window = try #require(editor.layout.view(at: "w"))
    #expect(editor.layout.bounds(of: window).width == 100)
  }

  @Test("what a window asks first stays in the area of a view that a rule is about (L6, S27)")
  func reachOfAskedFirst() throws {
    let setter = LayoutSetter.named(1, within: 2)
    let first: (inout ViewProperties) -> Void = { $0.hit = .first("a/in") }
    #expect(try reach(first, .frame(Rect(5, 5, 40, 40)), of: "w/a/in", by: setter))
    #expect(try !reach(first, .frame(Rect(0, 0, 90, 90)), of: "w/a/in", by: setter))
    #expect(try !reach(first, .hit(.itself), of: "w/a/in", by: setter))
    #expect(try !reach(first, .boundsOrigin(Point(x: -30, y: 0)), of: "w/a", by: setter))
    // Elsewhere the view clips it.
    #expect(try reach({ _ in }, .frame(Rect(0, 0, 90, 90)), of: "w/a/in", by: setter))
    #expect(try reach({ $0.hit = .first("a") }, .hit(.itself), of: "w/a/in", by: setter))
  }

  @Test(
    "views of a window that does not clip stay in its area, of one that does anywhere (L6, S31)")
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

  @Test(
    "a holder's window takes no touches beyond its area, whatever rules it sets (L6, S31)"
  )
  func reachOfRules() throws {
    let all: [ViewChange.Property] = [.hit(.itself), .inside(.always)]
    for property in all {
      #expect(try !reach({ _ in }, property, of: "w"), "\(property)")
      #expect(try reach({ _ in }, property, of: "w/a"), "\(property)")
      #expect(try reach({ _ in }, property, of: "w", resizable: true), "\(property)")
      #expect(try reach({ _ in }, property, of: "w", by: .administrator(1)), "\(property)")
      // Of the whole screen nothing is outside.
      let whole = FrameDescription(Rect(0, 0, 200, 100))
      #expect(try reach({ $0.frame = whole }, property, of: "w"), "\(property)")
      for make in [
        { $0.inside = .children([]) }, { $0.hit = .first("a") }, { $0.inside = .always },
      ]
        as [(inout ViewProperties) -> Void]
      {
        #expect(try !reach(make, property, of: "w/a"), "\(property)")
      }
    }
    // As it is configured it may be.
    #expect(try reach({ $0.hit = .itself }, .hit(.itself), of: "w"))
    #expect(try reach({ $0.inside = .always }, .hit(.standard), of: "w"))
    #expect(try reach({ $0.hit = .itself }, .hit(.passThrough), of: "w"))
    // What lies within is asked first, and asks for no more than it has.
    #expect(try reach({ _ in }, .hit(.first("a")), of: "w"))
    #expect(try reach({ _ in }, .inside(.children(["a"])), of: "w"))
    #expect(try reach({ _ in }, .hit(.redirect("a")), of: "w"))
    #expect(try !reach({ _ in }, .outset(Outset(1)), of: "w"))
    #expect(try reach({ _ in }, .outset(Outset(-1)), of: "w"))
    #expect(try reach({ _ in }, .outset(Outset(-500)), of: "w"))
    #expect(try reach({ _ in }, .outset(Outset(500)), of: "w/a"))
    #expect(try !reach({ $0.inside = .children([]) }, .outset(Outset(500)), of: "w/a"))
    #expect(try reach({ _ in }, .shape(.ellipse), of: "w"))
  }

  @Test("two setters can't reach together what neither may, nor after a reload (L6, S31)")
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
    #expect(editor.apply([[SetChange(frame, by: .attachment(2))]])[0]?.isForbidden == true)
    #expect(editor.apply([[SetChange(origin, by: .attachment(1))]]) == [nil])
    #expect(editor.apply([[SetChange(frame, by: .attachment(2))]]) == [nil])
    #expect(editor.end { setter, _ in setter == .attachment(1) } == ["w"])
    #expect(editor.isEmpty && editor.layout[ViewIndex(1)].frame == Rect(0, 0, 50, 50))
    let moved = ViewChange("w", .frame(Rect(0, 0, 300, 100)))
    #expect(editor.apply([[SetChange(moved, by: .administrator(0))]]) == [nil])
    // What those with a right have given it is its area too.
    let inner = ViewChange("w", .frame(Rect(0, 0, 150, 100)))
    #expect(editor.apply([[SetChange(inner, by: .attachment(1))]]) == [nil])
    description.windows[0].properties.frame.x.points = 0
    description.windows[0].properties.frame.width.points = 120
    #expect(editor.apply([[ViewChange("w", .configured)]]) == [nil])
    #expect(
      editor.apply([
        [SetChange(ViewChange("w", .frame(Rect(150, 0, 50, 50))), by: .attachment(1))]
      ]) == [nil])
    let layout = try Layout(description)
    #expect(editor.move(to: layout, of: description, limits: .default) == ["w"])
    #expect(editor.isEmpty)
  }

  @Test("what a view reached while the window clipped it is not where it may be (L6, S31)")
  func clippedBefore() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 100, 100)) { $0.hit = .first("f") }
    scene.view("w/f", Rect(0, 0, 50, 50))
    var editor = LayoutEditor(try scene.layout(), of: scene.description)
    func set(_ property: ViewChange.Property, of path: String, by setter: UInt32) -> Bool {
      let change = SetChange(ViewChange(path, property), by: .attachment(setter))
      return editor.apply([[change]])[0] == nil
    }
    let outside = ViewChange.Property.frame(Rect(0, 0, 300, 50))
    #expect(!set(outside, of: "w/f", by: 2))
    #expect(set(.hit(.standard), of: "w", by: 1))
    #expect(set(outside, of: "w/f", by: 2))
    #expect(HitTester(editor.layout).path(150, 20) == "-")
    #expect(editor.end { setter, _ in setter == .attachment(1) } == ["w"])
    #expect(HitTester(editor.layout).path(150, 20) == "-")
  }

  @Test("a window that a right let reach further is back in its area when that ends (L6, S31)")
  func endOfRight() throws {
    var scene = Scene()
    scene.window("w", Rect(100, 0, 100, 100))
    scene.view("w/a", Rect(0, 0, 50, 50))
    var editor = LayoutEditor(try scene.layout(), of: scene.description)
    func set(_ change: ViewChange, by setter: LayoutSetter) -> Bool {
      editor.apply([[SetChange(change, by: setter)]])[0] == nil
    }
    let named = LayoutSetter.named(7, within: 0)
    let (frame, wide) = (Rect(200, 0, 100, 100), Rect(0, 0, 300, 100))
    #expect(!set(ViewChange("w", .frame(frame)), by: .attachment(1)))
    #expect(set(ViewChange("w", .frame(wide)), by: named))
    #expect(set(ViewChange("w", .frame(frame)), by: .attachment(1)))
    // The end of what another has set in it is nothing to that.
    #expect(set(ViewChange("w/a", .alpha(0.5)), by: .attachment(2)))
    #expect(editor.end { setter, _ in setter == .attachment(2) }.isEmpty)
    #expect(editor.layout[ViewIndex(0)].frame == frame)
    #expect(editor.end { setter, _ in setter == named } == ["w"])
    #expect(editor.layout[ViewIndex(0)].frame == Rect(100, 0, 100, 100))
  }

  @Test("a view that an administrator has set outside of its window is nobody's excess (L6, S31)")
  func setOutside() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 100, 100)) { $0.inside = .children(["a"]) }
    scene.view("w/a", Rect(0, 0, 50, 50))
    var editor = LayoutEditor(try scene.layout(), of: scene.description)
    let outside = ViewChange("w/a", .frame(Rect(150, 0, 50, 50)))
    #expect(editor.apply([[outside]]) == [nil])
    for setter: UInt32 in [1, 2] {
      let change = SetChange(ViewChange("w", .alpha(0.5)), by: .attachment(setter))
      #expect(editor.apply([[change]]) == [nil])
    }
    #expect(editor.end { setter, _ in setter == .attachment(2) }.isEmpty)
    #expect(editor.changes.map(\.change.path) == ["w/a", "w"])
  }
}
