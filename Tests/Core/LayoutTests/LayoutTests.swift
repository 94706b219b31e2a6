import Layout
import Testing
import TouchModel

@Suite struct LayoutTests {
  /// Two applications, a window without one, a view written before its superview.
  private func sample() throws -> Layout {
    var scene = Scene()
    scene.window("pop-up", Rect(100, 100, 200, 100), level: 5, application: "nav")
    scene.window("home", Rect(0, 0, 800, 480), application: "dashboard")
    scene.window("map", Rect(400, 0, 400, 480), application: "nav")
    scene.window("loose", Rect(0, 0, 10, 10), level: -1)
    scene.view("home/bar/back", Rect(8, 8, 44, 44))
    scene.view("home/bar", Rect(0, 0, 800, 60)) { $0.controller = "bar" }
    scene.view("home/list", Rect(0, 60, 800, 420))
    scene.view("home/bar/menu", Rect(748, 8, 44, 44))
    scene.view("pop-up/ok", Rect(0, 0, 50, 50))
    return try scene.layout()
  }

  @Test("views lie in pre-order, windows by level and then order, siblings by order (L1)")
  func order() throws {
    let layout = try sample()
    #expect(
      layout.views.indices.map { layout.path(of: ViewIndex(Int32($0))) } == [
        "loose", "home", "home/bar", "home/bar/back", "home/bar/menu", "home/list", "map",
        "pop-up", "pop-up/ok",
      ])
    #expect(layout.views.map(\.end.rawValue) == [1, 6, 5, 4, 5, 6, 7, 9, 9])
    #expect(layout.windows.map(\.name) == ["loose", "home", "map", "pop-up"])
    #expect(layout.applications == ["nav", "dashboard"])
    #expect(layout.window(of: ViewIndex(4)).name == "home")
  }

  @Test("every responder is found by its path, and no other path finds one (L5)")
  func paths() throws {
    let layout = try sample()
    #expect(layout.responderCount == 12)
    for raw in 0..<Int32(layout.responderCount) {
      #expect(layout.responder(at: layout.path(of: ResponderID(raw))) == ResponderID(raw))
    }
    #expect(layout.path(of: ResponderID(9)) == "home/bar@bar")
    for path in [
      "", "/", "home/", "/home", "bar", "home/back", "home@bar", "home/bar@", "home/bar@ba",
      "app:", "app:home", "dashboard", "home/bar@bar@bar",
    ] {
      #expect(layout.responder(at: path) == nil)
    }
  }

  @Test("a path with one mistyped name has its correction")
  func nearestPath() throws {
    let layout = try sample()
    #expect(layout.nearestPath(to: "hom/bar/back") == "home/bar/back")
    #expect(layout.nearestPath(to: "home/bar@bat") == "home/bar@bar")
    #expect(layout.nearestPath(to: "app:dashbord") == "app:dashboard")
    #expect(layout.nearestPath(to: "home/quite/other") == nil)
    #expect(layout.nearestPath(to: "home/bar") == nil)
  }

  @Test("the chain goes by controller, superview, window and application (R1)")
  func chain() throws {
    let layout = try sample()
    func chain(_ path: String) throws -> [String] {
      let view = try #require(layout.view(at: path))
      return layout.chain(of: view).map(layout.path(of:))
    }
    #expect(
      try chain("home/bar/back") == [
        "home/bar/back", "home/bar", "home/bar@bar", "home", "app:dashboard",
      ])
    #expect(try chain("map") == ["map", "app:nav"])
    #expect(try chain("loose") == ["loose"])
  }

  @Test("several windows may share an application, at which the chain of each ends (L4)")
  func applications() throws {
    let layout = try sample()
    let nav = try #require(layout.responder(at: "app:nav"))
    let windows = layout.windows.filter { $0.application == 0 }
    #expect(windows.map(\.name) == ["map", "pop-up"])
    for window in windows {
      #expect(layout.chain(of: window.root).map { $0 }.last == nav)
    }
  }

  @Test("a target is counted among the views of each responder above it, and found again")
  func targets() throws {
    let layout = try sample()
    for raw in 0..<Int32(layout.viewCount) {
      let view = ViewIndex(raw)
      for responder in layout.chain(of: view) {
        let index = try #require(layout.targetIndex(of: view, in: responder))
        #expect(layout.view(at: index, in: responder) == view)
        #expect(Int(index) < layout.viewCount(of: responder))
      }
    }
    let nav = try #require(layout.responder(at: "app:nav"))
    let popUp = try #require(layout.view(at: "pop-up/ok"))
    let home = try #require(layout.view(at: "home"))
    #expect(layout.viewCount(of: nav) == 3)
    #expect(layout.targetIndex(of: popUp, in: nav) == 2)
    #expect(layout.targetIndex(of: home, in: nav) == nil)
    #expect(layout.view(at: 3, in: nav) == nil)
    let bar = try #require(layout.responder(at: "home/bar@bar"))
    #expect(layout.viewCount(of: bar) == 3)
    #expect(layout.view(of: bar) == layout.view(at: "home/bar"))
    #expect(layout.view(of: nav) == nil)
  }

  @Test("percentages follow the superview's size, a window's its screen's")
  func percentages() throws {
    var scene = Scene()
    scene.window("home", Rect(0, 0, 0, 0)) {
      $0.frame.width = Length(points: 0, fraction: 0.5)
      $0.frame.height = Length(points: -80, fraction: 1)
    }
    scene.view("home/a", Rect(0, 0, 10, 10)) {
      $0.frame.x = Length(points: -10, fraction: 1)
      $0.frame.y = Length(points: 0, fraction: 0.25)
    }
    let layout = try scene.layout()
    #expect(layout.views[0].frame == Rect(0, 0, 400, 400))
    #expect(layout.views[1].frame == Rect(390, 100, 10, 10))
  }

  @Test("points go through bounds_origin and transforms about the centre (L2)")
  func geometry() throws {
    var scene = Scene()
    scene.window("home", Rect(100, 50, 400, 300))
    scene.view("home/scroll", Rect(10, 20, 100, 200)) { $0.boundsOrigin = Point(x: 0, y: 500) }
    scene.view("home/turned", Rect(200, 100, 40, 20)) {
      $0.transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    }
    scene.view("home/turned/big", Rect(0, 0, 10, 10)) {
      $0.transform = AffineTransform(scaleX: 2, y: 4)
    }
    let layout = try scene.layout()
    func image(_ path: String, _ x: Double, _ y: Double) throws -> Point {
      layout.screenTransform(of: try #require(layout.view(at: path))).apply(Point(x: x, y: y))
    }
    #expect(try image("home/scroll", 110, 70) == Point(x: 0, y: 500))
    // Turned by 90 degrees clockwise, the view's left edge is on top.
    #expect(try image("home/turned", 320, 140) == Point(x: 0, y: 10))
    #expect(try image("home/turned/big", 320, 140) == Point(x: 2.5, y: 6.25))
    let turned = try #require(layout.view(at: "home/turned"))
    #expect(layout.frameOnScreen(of: turned) == Rect(310, 140, 20, 40))
    #expect(layout.bounds(of: ViewIndex(1)) == Rect(0, 500, 100, 200))
  }
}
