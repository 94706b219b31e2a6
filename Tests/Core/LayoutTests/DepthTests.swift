import Layout
import Testing
import TouchModel

/// What walks down a layout calls itself for each level: the limit of its depth is what the stack
/// has room for.
@Suite("Layouts as deep as they may be")
struct DepthTests {
  private static let rules: [@Sendable (inout ViewProperties) -> Void] = [
    { $0.transform = AffineTransform(a: 0.6, b: 0.8, c: -0.8, d: 0.6, tx: 0, ty: 0) },
    { $0.inside = .children([]) }, { $0.shape = .rounded(radius: 5) },
    {
      $0.transform = AffineTransform(a: 0.6, b: 0.8, c: -0.8, d: 0.6, tx: 0, ty: 0)
      $0.inside = .children([])
      $0.hit = .passThrough
      $0.shape = .rounded(radius: 5)
    }, { $0.frame.width = Length(points: 0, fraction: 1) },
  ]

  @Test("whatever their views are, they are compiled, hit and changed (L1, F5)", arguments: 0..<5)
  func deepest(rule: Int) throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 800, 480), Self.rules[rule])
    var path = "w"
    for _ in 1..<LayoutLimits.default.depth {
      path += "/v"
      scene.view(path, Rect(0, 0, 800, 480), Self.rules[rule])
    }
    let layout = try scene.layout()
    var tester = HitTester(layout, isToChange: true)
    let before = tester.path(400, 240)
    #expect(tester.trace(Point(x: 400, y: 240), on: Scene.screen).target == nil || before != "-")
    var editor = LayoutEditor(layout, of: scene.description)
    #expect(editor.apply([[ViewChange("w", .frame(Rect(0, 0, 700, 480)))]]) == [nil])
    #expect(editor.apply([[ViewChange("w/v", .transform(.identity))]]) == [nil])
    tester.move(to: editor.layout)
    let walked = tester.trace(Point(x: 400, y: 240), on: Scene.screen).target
    #expect(tester.hitTest(Point(x: 400, y: 240), on: Scene.screen) == walked)
  }
}
