import TestSupport
import Testing
import TouchModel

@testable import Layout

/// What is set and added takes no touches from secure views of others.
@Suite("What may not come in front of secure views")
struct SecureCoverTests {
  private func editor(_ make: (inout Scene) -> Void) throws -> LayoutEditor {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 800, 480))
    scene.view("w/pin", Rect(100, 100, 200, 200)) { $0.secure = true }
    scene.view("w/ads", Rect(400, 0, 100, 100))
    make(&scene)
    return LayoutEditor(try scene.layout(), of: scene.description)
  }

  private static let right =
    "; that is for the program that holds \"w\", for root, and for users that an [[access]] rule "
    + "for \"w/pin\" names"

  private func set(_ editor: inout LayoutEditor, _ changes: ViewChange...) -> String? {
    editor.apply([changes.map { SetChange($0, by: .attachment(7)) }], sparing: Self.mayHave)[0]?
      .message
  }

  /// Nobody may have secure views but the control socket.
  private static func mayHave(_ setter: LayoutSetter, _: String) -> Bool {
    setter == .administrator(0)
  }

  @Test("a view is not set over a secure one of others, by a frame, an outset or a rule (F7, S25)")
  func over() throws {
    var editor = try editor { _ in }
    let refusal = "it would be in front of \"w/pin\", which is secure" + Self.right
    #expect(set(&editor, ViewChange("w/ads", .frame(Rect(250, 250, 100, 100)))) == refusal)
    #expect(
      set(&editor, ViewChange("w/ads", .outset(Outset(top: 0, left: 200, bottom: 99, right: 0))))
        == refusal)
    #expect(set(&editor, ViewChange("w/ads", .hit(.itself))) == refusal)
    #expect(set(&editor, ViewChange("w/ads", .inside(.always))) == refusal)
    // Beside it, and behind it.
    #expect(set(&editor, ViewChange("w/ads", .frame(Rect(300, 100, 100, 200)))) == nil)
    #expect(
      set(
        &editor, ViewChange("w/ads", .order(0)),
        ViewChange("w/ads", .frame(Rect(0, 0, 800, 480)))) == nil)
    #expect(set(&editor, ViewChange("w/ads", .order(1))) == refusal)
    #expect(HitTester(editor.layout).path(150, 150) == "w/pin")
  }

  @Test(
    "where a window asks what lies in a secure view first, nothing is set over that (F7, H6, S25)")
  func askedFirst() throws {
    var editor = try editor {
      $0.window("y", Rect(400, 0, 100, 100))
      $0.window("x", Rect(600, 400, 50, 50)) { $0.hit = .first("pin/key") }
      $0.view("x/pin", Rect(0, 0, 50, 50)) { $0.secure = true }
      $0.view("x/pin/key", Rect(0, 0, 9, 9)) { $0.hit = .itself }
    }
    #expect(HitTester(editor.layout).path(450, 50) == "x/pin/key")
    let refusal = set(&editor, ViewChange("y", .order(2)))
    #expect(
      refusal == "it would be in front of \"x/pin\", which is secure"
        + "; that is for the program that holds \"x\", for root, and for users that an [[access]] "
        + "rule for \"x/pin\" names")
  }

  @Test("no view gives one around it the points of a secure view behind that (F7, H5, S25)")
  func throughSuperview() throws {
    var editor = try editor {
      $0.window("x", Rect(600, 400, 50, 50)) { $0.inside = .children([]) }
      $0.view("x/empty", Rect(0, 0, 0, 0)) {
        $0.inside = .never
        $0.hit = .passThrough
      }
    }
    #expect(HitTester(editor.layout).path(150, 150) == "w/pin")
    // By a right to leave the window's area.
    let change = SetChange(
      ViewChange("x/empty", .inside(.always)), by: .named(1, within: 0))
    let refusal = editor.apply([[change]], sparing: Self.mayHave)[0]?.message
    #expect(refusal == "it would be in front of \"w/pin\", which is secure" + Self.right)
  }

  @Test("of two views in one asked first, neither is set in front of a secure one (F7, S25)")
  func askedFirstTogether() throws {
    var editor = try editor {
      $0.window("x", Rect(0, 0, 800, 480)) { $0.hit = .first("all") }
      $0.view("x/all", Rect(0, 0, 100, 100))
      $0.view("x/all/ads", Rect(0, 0, 100, 100))
      $0.view("x/all/pin", Rect(10, 10, 50, 50)) { $0.secure = true }
    }
    let refusal = set(&editor, ViewChange("x/all/ads", .order(5)))
    #expect(
      refusal == "it would be in front of \"x/all/pin\", which is secure"
        + "; that is for the program that holds \"x\", for root, and for users that an [[access]] "
        + "rule for \"x/all/pin\" names")
  }

  @Test("a view of which only a subview is asked first is not set before a secure one (F7, S25)")
  func askedFirstWithin() throws {
    var editor = try editor {
      $0.window("x", Rect(0, 0, 800, 480)) { $0.hit = .first("ads/key") }
      $0.view("x/ads", Rect(0, 0, 100, 100))
      $0.view("x/ads/key", Rect(90, 90, 9, 9))
      $0.view("x/pin", Rect(10, 10, 50, 50)) { $0.secure = true }
    }
    let refusal = set(&editor, ViewChange("x/ads", .order(5)))
    #expect(refusal?.hasPrefix("it would be in front of \"x/pin\", which is secure") == true)
    #expect(HitTester(editor.layout).path(20, 20) == "x/pin")
  }

  @Test("a view clips nothing that a window asks first: it is not set over a secure one (F7, S25)")
  func askedFirstBeyond() throws {
    var editor = try editor {
      $0.window("x", Rect(0, 0, 800, 480)) { $0.hit = .first("ads/key") }
      $0.view("x/ads", Rect(0, 0, 100, 100))
      $0.view("x/ads/key", Rect(80, 0, 100, 50))
      $0.view("x/pin", Rect(200, 0, 100, 100)) { $0.secure = true }
    }
    #expect(HitTester(editor.layout).path(170, 20) == "x/ads/key")
    #expect(set(&editor, ViewChange("x/ads", .frame(Rect(0, 0, 90, 90)))) == nil)
    let refusal = set(&editor, ViewChange("x/ads", .frame(Rect(50, 0, 100, 100))))
    #expect(refusal?.hasPrefix("it would be in front of \"x/pin\", which is secure") == true)
    #expect(HitTester(editor.layout).path(220, 20) == "x/pin")
  }

  @Test("a view changes as ever if it takes nothing more with what is asked first in it (F7)")
  func askedFirstAsBefore() throws {
    var editor = try editor {
      $0.window("x", Rect(0, 0, 800, 480)) { $0.hit = .first("ads/key") }
      $0.view("x/ads", Rect(0, 0, 100, 100))
      $0.view("x/ads/key", Rect(80, 0, 100, 50))
      $0.view("x/pin", Rect(150, 0, 100, 100)) { $0.secure = true }
    }
    #expect(HitTester(editor.layout).path(170, 20) == "x/ads/key")
    let changes: [ViewChange.Property] = [
      .alpha(0.5), .shape(.ellipse), .hidden(true), .hidden(false), .order(1),
    ]
    for change in changes {
      #expect(set(&editor, ViewChange("x/ads", change)) == nil)
    }
    #expect(set(&editor, ViewChange("x/ads", .frame(Rect(1, 0, 100, 100)))) != nil)
  }

  @Test("a view does not ask first what it clips, where that would be over a secure one (F7, S25)")
  func askedFirstNow() throws {
    var editor = try editor {
      $0.view("w/ads/key", Rect(-350, 0, 200, 200))
    }
    #expect(set(&editor, ViewChange("w/ads", .hit(.first("key")))) != nil)
    #expect(HitTester(editor.layout).path(150, 150) == "w/pin")
  }

  @Test("a view that is asked by what it has inside is set over no secure one (F7, H5, S25)")
  func askedByItself() throws {
    var editor = try editor {
      $0.view("w/box", Rect(500, 300, 10, 10)) { $0.inside = .children([]) }
      $0.view("w/box/ads", Rect(0, 0, 90, 90)) { $0.hit = .itself }
    }
    #expect(HitTester(editor.layout).path(580, 380) == "w/box/ads")
    #expect(set(&editor, ViewChange("w/box/ads", .frame(Rect(-400, -200, 90, 90)))) != nil)
    #expect(HitTester(editor.layout).path(150, 150) == "w/pin")
  }

  @Test("beside a secure view, in one that goes by what is inside it, others move as ever (F7, H5)")
  func besideInOneThatGoesByBoth() throws {
    var editor = try editor {
      $0.window("x", Rect(500, 300, 100, 100))
      $0.view("x/group", Rect(0, 0, 90, 90)) { $0.inside = .children([]) }
      $0.view("x/group/pin", Rect(0, 0, 40, 40)) { $0.secure = true }
      $0.view("x/group/ads", Rect(60, 60, 20, 20))
    }
    #expect(set(&editor, ViewChange("x/group/ads", .frame(Rect(50, 50, 30, 30)))) == nil)
    #expect(HitTester(editor.layout).path(555, 355) == "x/group/ads")
    #expect(HitTester(editor.layout).path(510, 310) == "x/group/pin")
  }

  @Test("what a view around it clips as configured is no larger in front of a secure one (F7, S25)")
  func clippedBefore() throws {
    var editor = try editor {
      $0.view("w/panel", Rect(0, 0, 50, 50)) { $0.hit = .passThrough }
      $0.view("w/panel/ads", Rect(0, 0, 800, 480)) { $0.hidden = true }
      $0.view("w/panel/note", Rect(0, 0, 800, 480)) {
        ($0.hidden, $0.shape) = (true, .ellipse)
      }
    }
    // Its holder makes the panel larger: what lies in it has never taken touches there.
    #expect(editor.apply([[ViewChange("w/panel", .frame(Rect(0, 0, 800, 480)))]]) == [nil])
    for path in ["w/panel/ads", "w/panel/note"] {
      #expect(set(&editor, ViewChange(path, .hidden(false))) != nil)
    }
    #expect(HitTester(editor.layout).path(200, 200) == "w/pin")
    #expect(set(&editor, ViewChange("w/panel/ads", .frame(Rect(0, 0, 90, 90)))) == nil)
    #expect(set(&editor, ViewChange("w/panel/ads", .hidden(false))) == nil)
  }

  @Test("what was asked first in a view that was behind was not in front of a secure one (F7, S25)")
  func askedFirstBehind() throws {
    var editor = try editor {
      $0.window("x", Rect(0, 0, 800, 480))
      $0.view("x/back", Rect(0, 0, 10, 10)) { $0.hit = .first("ads") }
      $0.view("x/back/ads", Rect(0, 0, 400, 400)) { $0.hidden = true }
      $0.view("x/pin", Rect(100, 0, 100, 100)) { $0.secure = true }
    }
    #expect(editor.apply([[ViewChange("x/back", .order(1))]]) == [nil])
    #expect(set(&editor, ViewChange("x/back/ads", .hidden(false))) != nil)
    #expect(HitTester(editor.layout).path(150, 50) == "x/pin")
  }

  @Test("where a secure view was asked first, none was in front of it (F7, S25)")
  func securePreferred() throws {
    var editor = try editor {
      $0.window("x", Rect(0, 0, 800, 480)) { $0.hit = .first("pin") }
      $0.view("x/pin", Rect(100, 0, 100, 100)) { $0.secure = true }
      $0.view("x/ads", Rect(0, 0, 400, 400)) { $0.hidden = true }
    }
    #expect(editor.apply([[ViewChange("x", .hit(.standard))]]) == [nil])
    #expect(set(&editor, ViewChange("x/ads", .hidden(false))) != nil)
    #expect(HitTester(editor.layout).path(150, 50) == "x/pin")
  }

  @Test("a view by which a secure one is asked beyond what is around it stays there (F7, H5, S25)")
  func askedByOthers() throws {
    for hit in [HitRule.first("pin"), .standard] {
      var editor = try editor {
        $0.window("x", Rect(0, 0, 800, 480)) { $0.hit = .passThrough }
        $0.view("x/all", Rect(0, 0, 10, 10)) {
          $0.inside = .children([])
          if hit == .standard { $0.hit = .redirect("box/pin") }
        }
        $0.view("x/all/ads", Rect(100, 100, 100, 100))
        $0.view("x/all/box", Rect(20, 20, 10, 10)) { $0.hit = hit }
        $0.view("x/all/box/pin", Rect(90, 90, 50, 50)) { $0.secure = true }
      }
      #expect(HitTester(editor.layout).path(120, 120) == "x/all/box/pin")
      let refusal = set(&editor, ViewChange("x/all/ads", .frame(Rect(0, 0, 5, 5))))
      #expect(
        refusal?.hasPrefix(
          "where \"x/all/box/pin\", which is secure, takes touches depends on it") == true)
      #expect(HitTester(editor.layout).path(120, 120) == "x/all/box/pin")
    }
  }

  @Test("a secure view in one that is for more programs keeps its touches from these (F7, S25)")
  func nested() throws {
    var editor = try editor {
      $0.window("x", Rect(0, 0, 800, 480)) { $0.secure = true }
      $0.view("x/pin", Rect(100, 0, 100, 100)) { $0.secure = true }
      $0.view("x/ads", Rect(300, 0, 100, 100))
    }
    func set(_ change: ViewChange) -> LayoutEditor.Refusal? {
      let setter = LayoutSetter.named(3, within: 0)
      return editor.apply(
        [[SetChange(change, by: setter)]],
        sparing: { setter, path in setter == .administrator(0) || path == "x" })[0]
    }
    #expect(set(ViewChange("x/ads", .frame(Rect(300, 0, 90, 90)))) == nil)
    let refusal = set(ViewChange("x/ads", .frame(Rect(0, 0, 400, 90))))
    #expect(
      refusal?.message.hasPrefix("it would be in front of \"x/pin\", which is secure") == true)
    #expect(set(ViewChange("x", .hidden(true)))?.isForbidden == true)
    #expect(HitTester(editor.layout).path(150, 50) == "x/pin")
  }

  @Test("a view in a secure one is not put in front of what lies there for others (F7, S25)")
  func orderWithin() throws {
    var editor = try editor {
      $0.view("w/pin/ads", Rect(0, 0, 100, 100))
      $0.view("w/pin/key", Rect(0, 0, 50, 50))
    }
    let setter = LayoutSetter.named(3, within: 3)
    func set(_ change: ViewChange) -> LayoutEditor.Refusal? {
      editor.apply([[SetChange(change, by: setter)]], sparing: Self.mayHave)[0]
    }
    #expect(set(ViewChange("w/pin/ads", .hidden(true))) == nil)
    #expect(set(ViewChange("w/pin/ads", .order(0))) == nil)
    #expect(
      set(ViewChange("w/pin/ads", .order(1)))?.message
        == "it would be in front of views in \"w/pin\", which is secure" + Self.right)
    #expect(editor.end { other, _ in other == setter }.isEmpty)
    #expect(HitTester(editor.layout).path(120, 120) == "w/pin/key")
  }

  @Test("a view in which a secure one of others lies stays as it is (F7)")
  func around() throws {
    var editor = try editor { _ in }
    let refusal = "it contains \"w/pin\", which is secure" + Self.right
    #expect(set(&editor, ViewChange("w", .hidden(true))) == refusal)
    #expect(set(&editor, ViewChange("w", .frame(Rect(0, 0, 90, 90)))) == refusal)
    #expect(
      set(&editor, ViewChange("w/pin", .interaction(false))) == "it is secure" + Self.right)
    #expect(set(&editor, ViewChange("w", .multipleTouch(true))) == nil)
  }

  @Test("a view is not made exclusive beside a secure one of others (F7, S25)")
  func exclusive() throws {
    var editor = try editor {
      $0.view("w/dial", Rect(600, 0, 100, 100)) { $0.exclusiveTouch = true }
      $0.window("other", Rect(0, 400, 800, 80))
    }
    let refusal =
      "its exclusive_touch would keep touches out of \"w/pin\", which is secure" + Self.right
    #expect(set(&editor, ViewChange("w/ads", .exclusiveTouch(true))) == refusal)
    #expect(set(&editor, ViewChange("w/ads", .exclusiveTouch(false))) == nil)
    #expect(set(&editor, ViewChange("other", .exclusiveTouch(true))) == nil)
    // As it is configured, it may be; and so again.
    #expect(set(&editor, ViewChange("w/dial", .exclusiveTouch(false))) == nil)
    #expect(set(&editor, ViewChange("w/dial", .exclusiveTouch(true))) == nil)
    var exclusive = ViewProperties(frame: FrameDescription(Rect(0, 0, 9, 9)))
    exclusive.exclusiveTouch = true
    let added = editor.apply(
      [.add(LayoutDescription.View(path: "w/ads/key", properties: exclusive))], by: .attachment(7),
      sparing: Self.mayHave)
    #expect(added?.message == refusal)
  }

  @Test("among many views in front that stay as they are, one moves as ever (F7, H5)")
  func amongMany() throws {
    var editor = try editor {
      $0.view("w/list", Rect(0, 0, 800, 480)) { $0.inside = .children([]) }
      for row in 0..<300 { $0.view("w/list/\(row)", Rect(500, Double(row), 10, 1)) }
    }
    #expect(set(&editor, ViewChange("w/list/7", .frame(Rect(520, 7, 10, 1)))) == nil)
    #expect(set(&editor, ViewChange("w/list/7", .frame(Rect(150, 150, 10, 1)))) != nil)
  }

  @Test("what was configured in front may be shown, and stays no larger than that (F7)")
  func configured() throws {
    var editor = try editor {
      $0.view("w/panel", Rect(200, 200, 100, 50)) { $0.hidden = true }
    }
    #expect(set(&editor, ViewChange("w/panel", .hidden(false))) == nil)
    #expect(HitTester(editor.layout).path(250, 220) == "w/panel")
    #expect(set(&editor, ViewChange("w/panel", .frame(Rect(200, 200, 90, 50)))) == nil)
    #expect(set(&editor, ViewChange("w/panel", .frame(Rect(190, 200, 90, 50)))) != nil)
  }

  @Test("an overlay that was configured in front is shown with what lies in it as configured (F7)")
  func overlay() throws {
    var editor = try editor {
      $0.view("w/top", Rect(0, 0, 800, 480)) { ($0.hidden, $0.hit) = (true, .passThrough) }
      $0.view("w/top/alert", Rect(150, 150, 50, 50))
      $0.view("w/top/note", Rect(500, 150, 50, 50))
    }
    #expect(set(&editor, ViewChange("w/top/note", .frame(Rect(160, 160, 50, 50)))) != nil)
    #expect(set(&editor, ViewChange("w/top", .hidden(false))) == nil)
    #expect(HitTester(editor.layout).path(170, 170) == "w/top/alert")
    #expect(set(&editor, ViewChange("w/top", .hit(.standard))) != nil)
    #expect(set(&editor, ViewChange("w/top/alert", .hidden(true))) == nil)
    #expect(HitTester(editor.layout).path(170, 170) == "w/pin")
  }

  @Test("what lay hidden where a secure view has come is not shown over it (F7)")
  func ambush() throws {
    var editor = try editor { _ in }
    #expect(
      editor.apply([
        [
          SetChange(ViewChange("w/ads", .hidden(true)), by: .attachment(7)),
          SetChange(ViewChange("w/ads", .frame(Rect(500, 300, 99, 99))), by: .attachment(7)),
        ]
      ]) == [nil])
    #expect(editor.apply([[ViewChange("w/pin", .frame(Rect(450, 250, 99, 99)))]]) == [nil])
    #expect(set(&editor, ViewChange("w/ads", .hidden(false))) != nil)
  }

  @Test("a view is not added over a secure one of others, nor one removed with it (F7, L7, S25)")
  func added() throws {
    var editor = try editor { _ in }
    func add(_ path: String, _ frame: Rect) -> ViewEdit {
      .add(
        LayoutDescription.View(
          path: path, properties: ViewProperties(frame: FrameDescription(frame))))
    }
    func apply(_ edits: ViewEdit...) -> LayoutEditor.Refusal? {
      editor.apply(edits, by: .attachment(7), sparing: Self.mayHave)
    }
    let refusal = apply(add("w/far", Rect(0, 0, 9, 9)), add("w/near", Rect(0, 0, 400, 400)))
    #expect(refusal?.change == 1)
    #expect(
      refusal?.message == "it would be in front of \"w/pin\", which is secure" + Self.right)
    #expect(refusal?.isForbidden == true)
    #expect(apply(add("w/mine", Rect(500, 300, 99, 99))) == nil)
    #expect(editor.apply([add("w/mine/pin", Rect(0, 0, 9, 9))], by: .attachment(8)) == nil)
    #expect(editor.apply([[ViewChange("w/mine/pin", .secure(true))]]) == [nil])
    let removal = apply(.remove("w/mine"))?.message ?? ""
    #expect(removal.hasPrefix("it contains \"w/mine/pin\", which is secure; that is for"))
  }

  // MARK: - What comes and ends

  @Test("what several steps have put in front of a secure view is taken back as one ends (F7, S25)")
  func ratchet() throws {
    var editor = try editor { _ in }
    func set(_ change: ViewChange, by setter: UInt32) -> LayoutEditor.Refusal? {
      editor.apply([[SetChange(change, by: .attachment(setter))]], sparing: Self.mayHave)[0]
    }
    #expect(set(ViewChange("w/ads", .order(0)), by: 7) == nil)
    #expect(set(ViewChange("w/ads", .frame(Rect(0, 0, 800, 480))), by: 8) == nil)
    #expect(set(ViewChange("w/ads", .multipleTouch(true)), by: 8) == nil)
    #expect(editor.uncoverSecureViews(for: Self.mayHave).isEmpty)
    #expect(HitTester(editor.layout).path(150, 150) == "w/pin")
    #expect(editor.end { setter, _ in setter == .attachment(7) }.isEmpty)
    #expect(HitTester(editor.layout).path(150, 150) == "w/ads")
    #expect(editor.uncoverSecureViews(for: Self.mayHave) == ["w/ads"])
    #expect(HitTester(editor.layout).path(150, 150) == "w/pin")
    // What takes no touches stays.
    let left = editor.changes.map(\.change.property)
    #expect(left == [.multipleTouch(true)])
  }

  @Test("as one view is made secure, what lies over it and around it is taken back (F7, S25)")
  func madeSecure() throws {
    var editor = try editor {
      $0.view("w/box", Rect(0, 200, 400, 200))
      $0.view("w/box/key", Rect(0, 0, 50, 50))
    }
    let changes = [
      ViewChange("w/ads", .frame(Rect(0, 190, 100, 100))), ViewChange("w/ads", .order(3)),
      ViewChange("w/box", .boundsOrigin(Point(x: 5, y: 5))),
      ViewChange("w/ads", .exclusiveTouch(true)),
    ]
    for change in changes {
      #expect(editor.apply([[SetChange(change, by: .attachment(7))]]) == [nil])
    }
    #expect(editor.apply([[ViewChange("w/box/key", .secure(true))]]) == [nil])
    let taken = editor.uncoverSecureViews(for: Self.mayHave)
    #expect(taken.contains("w/ads") && taken.contains("w/box"))
    #expect(editor.changes.map(\.change.property) == [.secure(true)])
  }

  @Test("a view is not exclusive beside one that is made secure later (F7, T13, S25)")
  func exclusiveBefore() throws {
    var editor = try editor { $0.view("w/box", Rect(0, 0, 9, 9)) }
    let change = SetChange(ViewChange("w/ads", .exclusiveTouch(true)), by: .attachment(7))
    #expect(editor.apply([[ViewChange("w/pin", .secure(false))]]) == [nil])
    #expect(editor.apply([[change]], sparing: Self.mayHave) == [nil])
    #expect(editor.uncoverSecureViews(for: Self.mayHave).isEmpty)
    #expect(editor.apply([[ViewChange("w/pin", .secure(true))]]) == [nil])
    #expect(editor.uncoverSecureViews(for: Self.mayHave) == ["w/ads"])
    #expect(editor.changes.map(\.change.property) == [.secure(true)])
  }

  @Test("what lies in a view that another has added loses nothing to what it may have (F7, S25)")
  func addedAround() throws {
    var editor = try editor { $0.view("w/news", Rect(600, 0, 100, 100)) }
    func mayHave(_ setter: LayoutSetter, _: String) -> Bool { setter != .attachment(7) }
    func add(_ path: String, by setter: UInt32, _ make: (inout ViewProperties) -> Void = { _ in })
      -> LayoutEditor.Refusal?
    {
      var properties = ViewProperties(frame: FrameDescription(Rect(0, 0, 50, 50)))
      make(&properties)
      return editor.apply(
        [.add(LayoutDescription.View(path: path, properties: properties))], by: .attachment(setter),
        sparing: mayHave)
    }
    #expect(add("w/ads/box", by: 7) == nil)
    #expect(add("w/ads/box/key", by: 8) { $0.secure = true } == nil)
    let changes = [
      ViewChange("w/ads/box/key", .order(0)),
      ViewChange("w/news", .frame(Rect(400, 0, 200, 100))),
    ]
    for change in changes {
      #expect(
        editor.apply([[SetChange(change, by: .attachment(8))]], sparing: mayHave) == [nil])
    }
    #expect(editor.uncoverSecureViews(for: mayHave).isEmpty)
    #expect(editor.changes.map(\.change.path) == ["w/ads/box/key", "w/news"])
    #expect(editor.layout.view(at: "w/ads/box/key") != nil)
  }

  @Test("what others have set beside it stays, and what the configuration has in front (F7)")
  func kept() throws {
    var editor = try editor {
      $0.view("w/panel", Rect(200, 200, 100, 50))
      $0.view("w/news", Rect(600, 0, 100, 100))
    }
    for path in ["w/panel", "w/news", "w/ads"] {
      #expect(set(&editor, ViewChange(path, .alpha(0.5))) == nil)
    }
    #expect(set(&editor, ViewChange("w/news", .frame(Rect(500, 0, 200, 100)))) == nil)
    // Its holder moves the secure view below one that a program has moved there.
    #expect(editor.apply([[ViewChange("w/pin", .frame(Rect(450, 50, 99, 99)))]]) == [nil])
    #expect(editor.uncoverSecureViews(for: Self.mayHave) == ["w/news"])
    #expect(editor.changes.map(\.change.path) == ["w/panel", "w/ads", "w/pin"])
  }

  @Test("what is set in another window stays as a secure view is uncovered in its own (F7)")
  func otherWindow() throws {
    var editor = try editor {
      $0.window("x", Rect(0, 0, 800, 480))
      $0.view("x/news", Rect(600, 300, 100, 100))
    }
    // 7 moves the secure view away, and 8 covers where it was.
    let changes = [
      ViewChange("w/pin", .frame(Rect(500, 300, 100, 100))),
      ViewChange("w/ads", .frame(Rect(0, 0, 400, 400))), ViewChange("w/ads", .order(3)),
      ViewChange("x/news", .frame(Rect(700, 300, 50, 50))),
    ]
    for (change, setter) in zip(changes, [7, 8, 8, 9] as [UInt32]) {
      #expect(editor.apply([[SetChange(change, by: .attachment(setter))]]) == [nil])
    }
    #expect(Set(editor.uncoverSecureViews(for: Self.mayHave)) == ["w/pin", "w/ads"])
    #expect(editor.changes.map(\.change.path) == ["x/news"])
  }

  @Test("whatever is set, added and ends, a secure view keeps what it has without it (F7, S25)")
  func randomSteps() throws {
    let seeds = Seeds.fresh(120)
    var (kept, taken) = (0, 0)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      var scene = RandomScene(seed: random.next(), isExact: true)
      scene.description.showAll()
      guard let layout = try? Layout(scene.description) else { continue }
      var editor = LayoutEditor(layout, of: scene.description)
      let secret = ViewIndex(Int32.random(in: 0..<Int32(layout.viewCount), using: &random))
      let secure = layout.path(of: secret)
      for step in 0..<10 {
        if step == 3 { _ = editor.apply([[ViewChange(secure, .secure(true))]]) }
        let change = ViewChange.random(of: scene.description, &random)
        // Whom a rule names for the secure view itself may have it, and say that it is not secure.
        if change.path.hasPrefix(secure + "/") || change.property.kind == .secure { continue }
        if change.path == secure, change.property == .configured { continue }
        let setter = LayoutSetter.named(UInt32.random(in: 1...3, using: &random), within: 0)
        if Int.random(in: 0..<4, using: &random) == 0 {
          _ = editor.end { other, _ in other == setter }
        } else {
          _ = editor.apply([[SetChange(change, by: setter)]], sparing: Self.mayHave)
        }
        let count = editor.changes.count
        _ = editor.uncoverSecureViews(for: Self.mayHave)
        if step < 3 { continue }
        (kept, taken) = editor.changes.count < count ? (kept, taken + 1) : (kept + 1, taken)
        let own = editor.layout(without: { $0 != .administrator(0) }, around: secure)
        let loss = scene.loss(of: secret, in: own, by: editor.layout, points: 30)
        try #require(loss == nil, "seed \(seed): \(editor.changes) take it from \(secure)")
      }
    }
    #expect(seeds.count < 120 || kept > 200 && taken > 5, "\(kept), \(taken)")
  }

  @Test("a view that is asked by what it has inside was not asked beside its shape (F7, H5, H6)")
  func askedInShape() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 800, 480))
    // In the corner of the card's box, and there beside its ellipse.
    scene.view("w/pin", Rect(138, 138, 12, 12)) { $0.secure = true }
    scene.view("w/box", Rect(50, 50, 10, 10)) {
      ($0.inside, $0.hit) = (.children([]), .passThrough)
    }
    scene.view("w/box/card", Rect(0, 0, 100, 100)) { ($0.shape, $0.hit) = (.ellipse, .itself) }
    var editor = LayoutEditor(try scene.layout(), of: scene.description)
    #expect(HitTester(editor.layout).path(148, 148) == "w/pin")
    #expect(set(&editor, ViewChange("w/box/card", .shape(.rect))) != nil)
    #expect(HitTester(editor.layout).path(148, 148) == "w/pin")
  }

  @Test("in worlds of all that can be set, no secure view loses a point to others (F7, S25)")
  func worlds() throws {
    let seeds = Seeds.fresh(300)
    var (passed, refused, uncovered) = (0, 0, 0)
    for seed in seeds {
      guard var world = CoverWorld(seed: seed) else { continue }
      do throws(CoverWorld.Loss) {
        for _ in 0..<10 { try world.step() }
      } catch {
        Issue.record("TOUCHROUTE_SEED=\(seed): \(error)")
        return
      }
      (passed, refused) = (passed + world.passed, refused + world.refused)
      uncovered += world.uncovered
    }
    #expect(seeds.count < 300 || passed > 200 && refused > 100 && uncovered > 0)
  }

  /// The rule alone, of random layouts: where a point was a secure view's, it stays that.
  @Test("no change that is let pass takes a point from a secure view (F7, S25)")
  func random() throws {
    let seeds = Seeds.fresh(600)
    var (passed, refused) = (0, 0)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      var scene = RandomScene(seed: random.next(), isExact: true)
      scene.description.showAll()
      guard let layout = try? Layout(scene.description) else { continue }
      let secret = ViewIndex(Int32.random(in: 0..<Int32(layout.viewCount), using: &random))
      let secure = layout.path(of: secret)
      for _ in 0..<12 {
        let change = ViewChange.random(of: scene.description, &random)
        if change.path.hasPrefix(secure + "/") { continue }
        var editor = LayoutEditor(layout, of: scene.description)
        _ = editor.apply([[ViewChange(secure, .secure(true))]])
        let outcome = editor.apply(
          [[SetChange(change, by: .named(1, within: 0))]], sparing: Self.mayHave)
        guard outcome == [nil] else {
          refused += 1
          continue
        }
        passed += 1
        let loss = scene.loss(of: secret, in: layout, by: editor.layout, points: 60)
        try #require(loss == nil, "seed \(seed): \(change) takes it from \(secure)")
      }
    }
    #expect(seeds.count < 600 || passed > 500 && refused > 500, "\(passed), \(refused)")
  }
}

extension RandomScene {
  /// A point that is a view's, or one's in it, in a layout, and not in another one, with what is
  /// hit there; nil where none of so many random ones is.
  fileprivate mutating func loss(
    of view: ViewIndex, in layout: Layout, by other: Layout, points: Int
  ) -> String? {
    let (path, screen) = (layout.path(of: view), layout.window(of: view).screen)
    let (before, after) = (HitTester(layout), HitTester(other))
    let size = layout.screens[Int(screen.rawValue)].size
    for _ in 0..<points {
      let point = point(layout, at: [view])
      guard (0..<size.width).contains(point.x), (0..<size.height).contains(point.y),
        let hit = before.hitTest(point, on: screen), layout.lies(hit, in: view)
      else { continue }
      let found = after.hitTest(point, on: screen).map { other.path(of: $0) } ?? "-"
      if !(found + "/").hasPrefix(path + "/") { return "\(point): \(found)" }
    }
    return nil
  }
}

extension Layout {
  fileprivate func lies(_ view: ViewIndex, in other: ViewIndex) -> Bool {
    other <= view && view < self[other].end
  }
}

extension LayoutDescription {
  /// Has every view shown: what is configured in front may be, whether it is or not.
  fileprivate mutating func showAll() {
    for index in windows.indices { windows[index].properties.show() }
    for index in views.indices { views[index].properties.show() }
  }
}

extension ViewProperties {
  fileprivate mutating func show() {
    (hidden, alpha, interaction) = (false, 1, true)
    if hit == .none { hit = .standard }
  }
}
