import Layout
import Testing
import TouchModel

@Suite struct HitTesterTests {
  @Test("a later sibling is asked first; the deepest view found is the target (H2)")
  func nested() throws {
    var scene = Scene()
    scene.window("main", Rect(0, 0, 800, 480))
    for (index, name) in ["A", "B", "C"].enumerated() {
      scene.view("main/\(name)", Rect(Double(index) * 200 + 20, 20, 180, 400))
      scene.view("main/\(name)/\(name).1", Rect(10, 10, 160, 180))
      scene.view("main/\(name)/\(name).2", Rect(10, 200, 160, 180))
    }
    let tester = HitTester(try scene.layout())
    #expect(tester.path(300, 100) == "main/B/B.1")
    #expect(tester.visited(300, 100) == ["main", "C", "B", "B.2", "B.1"])
    #expect(tester.visited(100, 300) == ["main", "C", "B", "A", "A.2"])
    #expect(tester.visited(5, 5) == ["main", "C", "B", "A"])
    #expect(tester.path(5, 5) == "main")
    #expect(tester.path(800, 5) == "-")
  }

  @Test("edges are half-open (H3)")
  func edges() throws {
    var scene = Scene()
    scene.window("w", Rect(100, 0, 100, 100))
    scene.view("w/grown", Rect(10.1, 10, 30, 30)) {
      $0.outset = Outset(top: 1, left: 2, bottom: 3, right: 4)
    }
    let tester = HitTester(try scene.layout())
    #expect(tester.path(100, 0) == "w")
    #expect(tester.path((100.0).nextDown, 0) == "-")
    #expect(tester.path((200.0).nextDown, (100.0).nextDown) == "w")
    #expect(tester.path(200, 50) == "-")
    #expect(tester.path(150, 100) == "-")
    #expect(tester.path(108.5, 9) == "w/grown")
    #expect(tester.path(108.5, (9.0).nextDown) == "w")
    #expect(tester.path(120, (43.0).nextDown) == "w/grown")
    #expect(tester.path(120, 43) == "w")
    #expect(tester.path(144, 20) == "w/grown")
    #expect(tester.path(144.25, 20) == "w")
  }

  @Test("content that lies further away than numbers are fine is hit as the rules say (H2, H8)")
  func farAway() throws {
    for origin in [1e12, 4.6e15, -4.6e15, 1e300] {
      var scene = Scene()
      scene.window("w", Rect(0, 0, 800, 480)) { $0.boundsOrigin = Point(x: origin, y: 0) }
      scene.view("w/a", Rect(-20, 0, 40, 40))
      var limits = LayoutLimits()
      limits.coordinate = .greatestFiniteMagnitude
      let layout = try Layout(scene.description, limits: limits)
      let oracle = Oracle(layout, scene.description, .folded)
      let tester = HitTester(layout)
      for x in stride(from: 0.5, to: 800, by: 100) {
        let point = Point(x: x, y: 5)
        #expect(
          tester.hitTest(point, on: Scene.screen) == oracle.hitTest(point, on: Scene.screen),
          "\(origin), \(x)")
      }
    }
  }

  @Test("hidden, inert and faint views are passed over with their subtrees (H2)")
  func gates() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 100, 100))
    let gates: [(String, Double, (inout ViewProperties) -> Void)] = [
      ("hidden", 0, { $0.hidden = true }), ("inert", 20, { $0.interaction = false }),
      ("faint", 40, { $0.alpha = 0.01 }), ("visible", 60, { $0.alpha = 0.0101 }),
    ]
    for (name, x, change) in gates {
      scene.view("w/" + name, Rect(x, 0, 20, 100), change)
      scene.view("w/\(name)/child", Rect(0, 0, 20, 100))
    }
    let tester = HitTester(try scene.layout())
    #expect([10, 30, 50, 70].map { tester.path($0, 5) } == ["w", "w", "w", "w/visible/child"])
  }

  @Test("a subview's overflow outside its superview is not touchable (H2)")
  func overflow() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 100, 100))
    scene.view("w/a", Rect(10, 10, 20, 20))
    scene.view("w/a/b", Rect(10, 10, 50, 50))
    let tester = HitTester(try scene.layout())
    #expect(tester.path(25, 25) == "w/a/b")
    #expect(tester.path(35, 25) == "w")
  }

  @Test("windows are asked from front to back, each on its own screen (H7)")
  func windows() throws {
    var scene = Scene()
    scene.description.screens.append(Screen(name: "b", size: Size(width: 100, height: 100)))
    scene.window("front", Rect(0, 0, 50, 50), level: 1)
    scene.window("back", Rect(0, 0, 100, 100))
    scene.window("middle", Rect(25, 25, 50, 50))
    scene.window("elsewhere", Rect(0, 0, 100, 100), level: 9, screen: 1)
    let tester = HitTester(try scene.layout())
    #expect(tester.path(30, 30) == "front")
    #expect(tester.path(60, 60) == "middle")
    #expect(tester.path(80, 80) == "back")
    #expect(tester.path(150, 80) == "-")
    let found = tester.hitTest(Point(x: 80, y: 80), on: ScreenIndex(1))
    #expect(found.map(tester.layout.path(of:)) == "elsewhere")
    #expect(tester.hitTest(Point(x: .nan, y: 80), on: ScreenIndex(1)) == nil)
    #expect(tester.hitTest(Point(x: 1, y: 1), on: ScreenIndex(2)) == nil)
    #expect(tester.hitTest(Point(x: 1, y: 1), on: ScreenIndex(-1)) == nil)
  }

  @Test("a trace lists the calls as the recursion makes them (H9)")
  func trace() throws {
    var scene = Scene()
    scene.window("gray", Rect(0, 0, 400, 400), application: "root")
    scene.window("yellow", Rect(300, 300, 100, 100), application: "root")
    scene.view("gray/red", Rect(200, 200, 100, 150))
    scene.view("gray/green", Rect(50, 50, 200, 200))
    let tester = HitTester(try scene.layout())
    let trace = tester.trace(Point(x: 220, y: 300), on: Scene.screen)
    #expect(
      trace.lines(tester.layout) == [
        "yellow hit", "yellow inside (-80.0, 0.0): no", "yellow hit: nothing",
        "gray hit", "gray inside (220.0, 300.0): yes",
        "green hit", "green inside (170.0, 250.0): no", "green hit: nothing",
        "red hit", "red inside (20.0, 100.0): yes", "red hit: gray/red", "gray hit: gray/red",
      ])
    #expect(trace.target == tester.layout.view(at: "gray/red"))
  }
}
