import Layout
import Testing
import TouchModel

@Suite struct LayoutErrorTests {
  private func problems(
    _ scene: Scene, limits: LayoutLimits = .default
  ) -> [LayoutError.Problem] {
    do throws(LayoutError) {
      _ = try Layout(scene.description, limits: limits)
      return []
    } catch {
      return error.problems
    }
  }

  private func home(_ change: (inout Scene) -> Void) -> Scene {
    var scene = Scene()
    scene.window("home", Rect(0, 0, 800, 480))
    change(&scene)
    return scene
  }

  @Test("every problem is listed, in the order of the description (L6)")
  func listsAll() {
    var scene = Scene()
    scene.description.screens.append(
      Screen(name: "panel", size: Size(width: 0, height: .infinity)))
    scene.window("home", Rect(0, 0, 800, 480), screen: 7)
    scene.window("home", Rect(0, 0, .nan, 480))
    scene.view("home/a", Rect(0, 0, 10, 10)) { $0.alpha = 2 }
    scene.view("home/a", Rect(0, 0, 10, 10)) { $0.hit = .redirect("b") }
    scene.view("house/a", Rect(0, 0, 10, 10)) { $0.controller = "a b" }
    let found = problems(scene)
    #expect(
      found.map(\.subject) == [
        .screen(1), .screen(1), .window(0), .window(1), .window(1), .view(0), .view(1), .view(1),
        .view(2), .view(2),
      ])
    #expect(
      found.map(\.key) == [
        "name", "size", "screen", "name", "frame", "alpha", "path", "hit", "path", "controller",
      ])
    #expect(found[8].message == "there is no window \"house\"")
  }

  @Test("checking stops after a hundred problems, and says that there are more (L6)")
  func stops() throws {
    let scene = home { scene in
      for index in 0..<5000 { scene.view("home/\(index)", Rect(0, 0, 1, 1)) { $0.alpha = 2 } }
    }
    let error = try #require(throws: LayoutError.self) { try Layout(scene.description) }
    #expect(error.problems.map(\.subject) == (0..<100).map { .view($0) })
    #expect(error.hasMore)
  }

  @Test(
    "a transform that can't be inverted, alone or with its superviews', is refused (L6)",
    arguments: [
      AffineTransform(scaleX: 0, y: 1), AffineTransform(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0),
      AffineTransform(scaleX: .nan, y: 1), AffineTransform(scaleX: 1e-200, y: 1e-200),
    ])
  func transform(_ transform: AffineTransform) {
    let scene = home { $0.view("home/a", Rect(0, 0, 1, 1)) { $0.transform = transform } }
    #expect(problems(scene).map(\.key) == ["transform"])
  }

  @Test("transforms that only together can't be inverted are refused where they meet (L6)")
  func chainedTransforms() {
    let scene = home { scene in
      for path in ["home/a", "home/a/b", "home/a/b/c"] {
        scene.view(path, Rect(0, 0, 1, 1)) { $0.transform = AffineTransform(scaleX: 1e4, y: 1e4) }
      }
    }
    #expect(problems(scene).map(\.subject) == [.view(2)])
  }

  @Test(
    "names are made of A-Z, a-z, 0-9, _, . and - (L5)",
    arguments: ["", "a b", "app:x", "a@b", "ä", String(repeating: "n", count: 256)])
  func names(_ name: String) {
    var scene = Scene()
    scene.window(name, Rect(0, 0, 1, 1))
    #expect(problems(scene).map(\.key) == ["name"])
    #expect(problems(home { $0.view("home/" + name, Rect(0, 0, 1, 1)) }).map(\.key) == ["path"])
    scene = home { _ in }
    scene.description.windows[0].application = name
    #expect(problems(scene).map(\.key) == ["application"])
  }

  @Test("a size that its percentages make negative is refused with the size (L6)")
  func negativeSize() {
    let scene = home { scene in
      scene.view("home/a", Rect(0, 0, 30, 20))
      scene.view("home/a/b", Rect(0, 0, 1, 1)) {
        $0.frame.width = Length(points: -40, fraction: 1)
      }
    }
    #expect(problems(scene).map(\.message) == ["the width is -10.0 points, below 0"])
  }

  @Test("redirect and first name descendants, inside names subviews (H5, H6)")
  func references() {
    let scene = home { scene in
      scene.view("home/a", Rect(0, 0, 1, 1)) { $0.hit = .first("b/c") }
      scene.view("home/a/b", Rect(0, 0, 1, 1)) { $0.hit = .redirect("a") }
      scene.view("home/a/b/c", Rect(0, 0, 1, 1)) { $0.hit = .first("") }
      scene.view("home/d", Rect(0, 0, 1, 1)) { $0.inside = .children(["a", "a/b"]) }
      scene.view("home/e", Rect(0, 0, 1, 1)) { $0.inside = .children(["f"]) }
      scene.view("home/e/f", Rect(0, 0, 1, 1))
    }
    #expect(problems(scene).map(\.subject) == [.view(1), .view(2), .view(3), .view(3)])
  }

  @Test("a polygon has three finite points, a radius is not negative (H4)")
  func shapes() {
    let shapes: [Shape] = [
      .polygon([.zero, .zero]), .polygon([.zero, .zero, Point(x: .nan, y: 0)]),
      .rounded(radius: -1), .rounded(radius: .infinity),
    ]
    for shape in shapes {
      let scene = home { $0.view("home/a", Rect(0, 0, 1, 1)) { $0.shape = shape } }
      #expect(problems(scene).map(\.key) == ["shape"])
    }
  }

  @Test("what is beyond a limit is refused with the limit's name (F5)")
  func limits() {
    let scene = home { scene in
      scene.window("other", Rect(0, 0, 1, 1))
      scene.view("home/a", Rect(0, 0, 1, 1)) {
        $0.shape = .polygon([.zero, Point(x: 1, y: 1), Point(x: 2, y: 0), Point(x: 1, y: -1)])
      }
      scene.view("home/a/b", Rect(0, 0, 1e6, 1))
      scene.view("home/a/b/c", Rect(0, 0, 1, 1))
    }
    func message(_ change: (inout LayoutLimits) -> Void) -> [String] {
      var limits = LayoutLimits()
      change(&limits)
      return problems(scene, limits: limits).map(\.message)
    }
    #expect(message { $0.views = 4 } == ["5 views are more than the limit `views` of 4"])
    #expect(message { $0.views = 5 } == [])
    #expect(message { $0.windows = 1 } == ["2 windows are more than the limit `windows` of 1"])
    #expect(message { $0.screens = 0 } == ["1 screens are more than the limit `screens` of 0"])
    #expect(
      message { $0.depth = 3 } == ["the view is 4 deep, beyond the limit `depth` of 3"])
    #expect(message { $0.depth = 4 } == [])
    #expect(
      message { $0.polygonPoints = 3 } == [
        "a polygon of 4 points is beyond the limit `polygon_points` of 3"
      ])
    #expect(
      message { $0.coordinate = 1000 } == [
        "width is 1000000.0 points, beyond the limit `coordinate` of 1000.0"
      ])
    #expect(message { $0.nameLength = 4 }.count == 2)
  }
}
