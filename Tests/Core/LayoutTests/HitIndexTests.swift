import Layout
import TestSupport
import Testing
import TouchModel

/// Layouts that are hard on the compiled form in one way each; its answers are held to the
/// recursion's and its size to the number of views.
@Suite struct HitIndexTests {
  private func compare(
    _ scene: Scene, _ points: [Point], bytesPerView: Int = 400,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let layout = try scene.layout()
    let oracle = Oracle(layout, scene.description, .folded)
    let tester = HitTester(layout)
    for point in points {
      #expect(
        tester.hitTest(point, on: Scene.screen) == oracle.hitTest(point, on: Scene.screen),
        "at (\(point.x), \(point.y))", sourceLocation: sourceLocation)
    }
    #expect(
      tester.compiledByteCount <= bytesPerView * layout.viewCount + 4096,
      sourceLocation: sourceLocation)
  }

  private func grid(_ count: Int, _ area: Rect) -> [Point] {
    (0..<count * count).map { number in
      Point(
        x: area.x + area.width * Double(number % count) / Double(count - 1),
        y: area.y + area.height * Double(number / count) / Double(count - 1))
    }
  }

  @Test("views that crowd in a corner of a corner are told apart (H8)", arguments: Seeds.fresh(1))
  func clusters(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var scene = Scene()
    scene.window("w", Rect(0, 0, 800, 480))
    scene.view("w/far", Rect(1e8, 1e8, 1, 1))
    var points: [Point] = []
    for (name, size) in [("large", 200.0), ("small", 0.1), ("tiny", 0.000_01)] {
      for number in 0..<700 {
        let frame = Rect(
          100 + Double.random(in: 0..<size, using: &random),
          100 + Double.random(in: 0..<size, using: &random),
          Double.random(in: 0..<size / 10, using: &random),
          Double.random(in: 0..<size / 10, using: &random))
        scene.view("w/\(name)\(number)", frame)
        points.append(Point(x: frame.x, y: frame.maxY))
        points.append(frame.center)
      }
    }
    try compare(scene, points)
  }

  @Test("rows a thousandth of a point high and columns as narrow cross (H8)")
  func crossing() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 800, 480))
    for number in 0..<500 {
      scene.view("w/row\(number)", Rect(0, Double(number) * 0.9, 800, 0.001))
      scene.view("w/column\(number)", Rect(Double(number) * 1.5, 0, 0.001, 480))
    }
    let points = grid(40, Rect(0, 0, 748.5, 449.1))
    try compare(scene, points + points.map { Point(x: $0.x.rounded() * 1.5, y: $0.y) })
  }

  @Test("views that all lie over one another take no more room than others (H8)")
  func stacked() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 800, 480))
    for number in 0..<1000 {
      scene.view("w/v\(number)", Rect(0, 0, 800, 480)) { view in
        if number % 2 == 0 { view.shape = .ellipse }
        if number > 500 { view.hit = .passThrough }
      }
    }
    try compare(scene, grid(12, Rect(0, 0, 800, 480)))
  }

  @Test("a chain as deep as the limit, moved by thirds, gives the recursion's roundings (H8)")
  func chain() throws {
    var scene = Scene()
    var path = "w"
    scene.window("w", Rect(0, 0, 800, 480))
    for level in 1..<1024 {
      path += "/c"
      scene.view(path, Rect(1.0 / 3, 0.1, 800 - Double(level) * 0.7, 480)) { view in
        view.boundsOrigin = Point(x: 0.1, y: 1.0 / 7)
      }
    }
    let layout = try scene.layout()
    var points = grid(8, Rect(0, 0, 800, 480))
    for view in stride(from: 1, to: 1024, by: 61) {
      let frame = layout.frameOnScreen(of: ViewIndex(Int32(view)))
      for x in [frame.x, frame.x.nextDown, frame.x.nextUp, frame.maxX] {
        points.append(Point(x: x, y: frame.center.y))
      }
    }
    try compare(scene, points, bytesPerView: 4000)
  }

  @Test("a chain as deep as the limit of turned, shaped and overridden views compiles (H8)")
  func turnedChain() throws {
    var scene = Scene()
    var path = "w"
    scene.window("w", Rect(0, 0, 800, 480))
    for level in 1..<1024 {
      path += "/c"
      scene.view(path, Rect(0, 0, 800, 480)) { view in
        switch level % 4 {
        case 0: view.transform = AffineTransform(a: 0.6, b: 0.8, c: -0.8, d: 0.6, tx: 0, ty: 0)
        case 1: view.shape = .rounded(radius: 40)
        case 2: view.inside = .children([])
        default: if level < 1023 { view.hit = .passThrough }
        }
      }
    }
    try compare(scene, grid(6, Rect(0, 0, 799, 479)), bytesPerView: 4000)
  }

  @Test("views that lead to each other by first in ever more ways cost no more for it (H6, H8)")
  func nestedFirst() throws {
    func scene(_ depth: Int) -> Scene {
      var scene = Scene()
      scene.window("w", Rect(0, 0, 800, 480)) { $0.hit = .first("c/c") }
      var path = "w"
      for level in 1..<depth {
        path += "/c"
        scene.view(path, Rect(7, 5, 800 - 20 * Double(level % 9), 300)) { view in
          if level < depth - 2 { view.hit = .first("c/c") }
          if level == depth - 1 { view.frame.width = Length(points: 3) }
        }
      }
      return scene
    }
    try compare(scene(20), grid(12, Rect(-50, -50, 900, 600)), bytesPerView: 30_000)
    let deep = HitTester(try scene(300).layout())
    #expect(deep.path(-1, -1) == "-")
    #expect(deep.compiledByteCount < 4_000_000)
  }

  @Test("a layout without windows, and a screen without any, have no targets (H7)")
  func empty() throws {
    let tester = HitTester(try Scene().layout())
    #expect(tester.path(1, 1) == "-")
    #expect(tester.trace(Point(x: 1, y: 1), on: Scene.screen).steps.isEmpty)
  }

  @Test("a point too far away for any sum is in no view, even where all is inside (H5)")
  func farPoints() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 1, 1)) { $0.inside = .always }
    scene.view("w/turned", Rect(0, 0, 1, 1)) {
      $0.inside = .always
      $0.transform = AffineTransform(a: 0.6, b: 0.8, c: -0.8, d: 0.6, tx: 0, ty: 0)
    }
    let tester = HitTester(try scene.layout())
    #expect(tester.path(-1e12, 1e12) == "w/turned")
    for far in [1.1e12, .infinity, .nan, .greatestFiniteMagnitude] {
      #expect(tester.path(far, 0) == "-")
      #expect(tester.path(0, -far) == "-")
    }
  }
}
