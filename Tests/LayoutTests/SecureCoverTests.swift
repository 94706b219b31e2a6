import Layout
import TestSupport
import Testing
import TouchModel

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
    "; that is for the program that holds \"w\", for root, and for those whom an [[access]] rule "
    + "for \"w/pin\" names"

  private func set(_ editor: inout LayoutEditor, _ changes: ViewChange...) -> String? {
    editor.apply(
      [changes.map { SetChange($0, by: .passing(7)) }], sparing: [["w/pin"]])[0]?.message
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

  @Test("a view in which a secure one of others lies stays as it is (F7)")
  func around() throws {
    var editor = try editor { _ in }
    let refusal = "\"w/pin\" lies in it, which is secure" + Self.right
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
      [.add(LayoutDescription.View(path: "w/ads/key", properties: exclusive))], by: .passing(7),
      sparing: ["w/pin"])
    #expect(added?.message == refusal)
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
          SetChange(ViewChange("w/ads", .hidden(true)), by: .passing(7)),
          SetChange(ViewChange("w/ads", .frame(Rect(500, 300, 99, 99))), by: .passing(7)),
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
      editor.apply(edits, by: .passing(7), sparing: ["w/pin", "w/mine/pin"])
    }
    let refusal = apply(add("w/far", Rect(0, 0, 9, 9)), add("w/near", Rect(0, 0, 400, 400)))
    #expect(refusal?.change == 1)
    #expect(
      refusal?.message == "it would be in front of \"w/pin\", which is secure" + Self.right)
    #expect(refusal?.isForbidden == true)
    #expect(apply(add("w/mine", Rect(500, 300, 99, 99))) == nil)
    #expect(editor.apply([add("w/mine/pin", Rect(0, 0, 9, 9))], by: .passing(8)) == nil)
    let removal = apply(.remove("w/mine"))?.message ?? ""
    #expect(removal.hasPrefix("\"w/mine/pin\" lies in it, which is secure; that is for"))
  }

  /// The rule alone, of random layouts: where a point was a secure view's, it stays that.
  @Test("no change that is let pass takes a point from a secure view (F7, S25)")
  func random() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    var (passed, refused) = (0, 0)
    for _ in 0..<600 {
      var scene = RandomScene(seed: random.next(), isExact: true)
      scene.description.showAll()
      guard let layout = try? Layout(scene.description) else { continue }
      let secret = ViewIndex(Int32.random(in: 0..<Int32(layout.viewCount), using: &random))
      let secure = layout.path(of: secret)
      for _ in 0..<12 {
        let change = ViewChange.random(of: scene.description, &random)
        if change.path.hasPrefix(secure + "/") { continue }
        var editor = LayoutEditor(layout, of: scene.description)
        let outcome = editor.apply([[SetChange(change, by: .lasting(1))]], sparing: [[secure]])
        guard outcome == [nil] else {
          refused += 1
          continue
        }
        passed += 1
        let (before, after) = (HitTester(layout), HitTester(editor.layout))
        let screen = layout.window(of: secret).screen
        let size = layout.screens[Int(screen.rawValue)].size
        for _ in 0..<60 {
          let point = scene.point(layout, at: [secret])
          guard (0..<size.width).contains(point.x), (0..<size.height).contains(point.y),
            let hit = before.hitTest(point, on: screen), layout.lies(hit, in: secret)
          else { continue }
          let found = after.hitTest(point, on: screen).map { editor.layout.path(of: $0) } ?? "-"
          try #require(
            (found + "/").hasPrefix(secure + "/"),
            "seed \(seed): \(change) takes \(point) from \(secure): \(found)")
        }
      }
    }
    #expect(passed > 500 && refused > 500, "seed \(seed): \(passed), \(refused)")
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
