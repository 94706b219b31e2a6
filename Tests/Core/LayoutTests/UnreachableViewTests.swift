import Layout
import Testing
import TouchModel

@Suite("Views that no touch can hit")
struct UnreachableViewTests {
  @Test("none that is listed is ever hit, whatever rules and transforms there are (H2)")
  func sound() throws {
    var listed = 0
    for seed in UInt64(1)...300 {
      var scene = RandomScene(seed: seed, isExact: false)
      guard let layout = try? Layout(scene.description) else { continue }
      let unreachable = Set(UnreachableView.all(in: layout).map(\.view))
      listed += unreachable.count
      let tester = HitTester(layout)
      for number in 0..<500 where !unreachable.isEmpty {
        let screen = ScreenIndex(number % 4 == 0 ? 1 : 0)
        // Fingers are on the screen (T9).
        let point = scene.point(layout)
        let size = layout.screens[Int(screen.rawValue)].size
        guard (0..<size.width).contains(point.x), (0..<size.height).contains(point.y),
          let target = tester.hitTest(point, on: screen)
        else { continue }
        // What a hit rule redirects to is hit wherever it lies.
        let isRedirected = layout.views.indices.contains { index in
          layout.hitRule(of: ViewIndex(Int32(index))) == .redirect(target)
        }
        #expect(isRedirected || !unreachable.contains(target), "seed \(seed) at \(point)")
      }
    }
    #expect(listed > 100)
  }

  @Test("no more are listed than are asked for")
  func limited() throws {
    let properties = ViewProperties(frame: FrameDescription(Rect(x: 0, y: 90, width: 9, height: 9)))
    let layout = try Layout(
      LayoutDescription(
        screens: [Screen(name: "a", size: Size(width: 80, height: 80))],
        windows: (0..<5).map {
          .init(name: "w\($0)", screen: ScreenIndex(0), properties: properties)
        }))
    #expect(
      UnreachableView.all(in: layout, limit: 3).map(\.reason) == [
        .offScreen, .offScreen, .offScreen,
      ])
  }
}
