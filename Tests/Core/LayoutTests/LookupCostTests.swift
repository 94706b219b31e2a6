import TestSupport
import Testing
import TouchModel

@testable import Layout

/// What a finger may cost: whatever is nested in what, a lookup asks each view once.
@Suite("What a lookup asks")
struct LookupCostTests {
  @Test("views whose inside is their subviews' are asked once, however deep they lie (H5, H8, S6)")
  func nested() throws {
    var scene = Scene()
    scene.window("w", Rect(0, 0, 800, 480)) { $0.inside = .children([]) }
    var path = "w"
    for level in 0..<60 {
      for number in 0..<20 {
        scene.view("\(path)/leaf\(number)", Rect(Double(level), 0, 1, 1)) {
          $0.inside = number.isMultiple(of: 2) ? .children([]) : .bounds
          $0.shape = .ellipse
          $0.hit = number.isMultiple(of: 3) ? .passThrough : .standard
        }
      }
      path += "/deep"
      scene.view(path, Rect(0, 0, 800, 480)) {
        $0.inside = .children([])
        $0.hit = level.isMultiple(of: 2) ? .passThrough : .standard
        $0.shape = .polygon([Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 0, y: 1)])
      }
    }
    let layout = try scene.layout()
    for point in [Point(x: 700, y: 400), Point(x: 0.5, y: 0.5), Point(x: 59.5, y: 0.5)] {
      #expect(Self.asks(layout, point) <= Self.most(layout))
      #expect(
        HitTester(layout).hitTest(point, on: Scene.screen)
          == Self.plainly(layout, point))
    }
  }

  @Test("no layout that a search comes to has a lookup ask more (H8)")
  func worst() throws {
    let (seed, worst) = Self.climb(
      on: Self.asks,
      bound: { layout, _ in Self.most(layout) }, against: { layout, _ in layout.viewCount },
      beyond: 1
    ) { _, _ in }
    #expect(worst > 1, "seed \(seed): \(worst) asks for each view")
  }

  /// The same for what views and the points of their polygons cost together. In a release build
  /// (`scripts/bench routing worst`, on two busy cores) a view that is asked in vain took 76 ns,
  /// one that is turned 108 ns, and a point of a polygon 1.4 ns: so a view counts as 64 points, and
  /// what one user may add by default, 160,000, costs a finger 0.27 ms, and ten fingers 2.7 ms.
  @Test(
    "no layout that a search comes to costs a lookup more than its views and points (H8, F5, S6)")
  func worstCost() throws {
    let (seed, worst) = Self.climb(
      on: Self.cost,
      bound: { layout, description in Self.most(layout) + 2 * Self.points(description) },
      against: { layout, description in Self.points(description) + layout.viewCount },
      beyond: 0.5
    ) { properties, random in
      if Bool.random(using: &random) {
        properties.shape = Self.comb(.random(in: 3...64, using: &random))
      }
    }
    #expect(worst > 0.5, "seed \(seed): \(worst) for each view and point")
  }

  /// The worst that a search finds: of random layouts the rules of one view after another are made
  /// others, and what makes a lookup cost more is kept.
  ///
  /// - Parameters:
  ///   - cost: What is climbed on.
  ///   - bound: What it may be at most.
  ///   - size: What it is compared with in the end.
  ///   - least: How much for each of the size makes the search one that has found something: until
  ///     then it takes further layouts, ten times as many at most.
  ///   - vary: What else is made another of a view's properties.
  /// - Returns: The seed, and the greatest cost for each of the size.
  private static func climb(
    on cost: (Layout, Point) -> Int,
    bound: (Layout, LayoutDescription) -> Int, against size: (Layout, LayoutDescription) -> Int,
    beyond least: Double,
    _ vary: (inout ViewProperties, inout SeededGenerator) -> Void
  ) -> (seed: UInt64, worst: Double) {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    var worst = 0.0
    for round in 0..<200 where round < 20 || worst <= least {
      var description = RandomScene(seed: .random(in: .min ... .max, using: &random), isExact: true)
        .description
      let point = Point(
        x: Double(Int.random(in: 0..<100, using: &random)),
        y: Double(Int.random(in: 0..<80, using: &random)))
      var best = 0
      for _ in 0..<100 {
        guard !description.views.isEmpty else { break }
        var next = description
        let number = Int.random(in: next.views.indices, using: &random)
        make(&next.views[number].properties, &random)
        vary(&next.views[number].properties, &random)
        guard let layout = try? Layout(next) else { continue }
        let found = cost(layout, point)
        #expect(found <= bound(layout, next), "seed \(seed)")
        worst = max(worst, Double(found) / Double(size(layout, next)))
        if found >= best { (best, description) = (found, next) }
      }
    }
    return (seed, worst)
  }

  /// A polygon that most points of its bounds are not in, and all of whose edges are looked at.
  private static func comb(_ count: Int) -> Shape {
    .polygon(
      (0..<count).map { Point(x: Double($0) / 1000, y: $0.isMultiple(of: 2) ? -1000 : 1000) })
  }

  private static func points(_ description: LayoutDescription) -> Int {
    (description.windows.map(\.properties) + description.views.map(\.properties)).reduce(0) {
      $0 + $1.shape.pointCount
    }
  }

  /// The calls that a lookup makes, and the points of polygons that it looks at.
  private static func cost(_ layout: Layout, _ point: Point) -> Int {
    steps(layout, point).reduce(0) { sum, step in
      switch step {
      case .hit: sum + 1
      case .inside(let view, let local, _):
        sum + 1
          + (layout.tree.touchRegion(of: view).edges.contains(local)
            ? layout.tree.touchRegion(of: view).shape.pointCount : 0)
      case .result: sum
      }
    }
  }

  /// Makes a view one that lookups have to ask more.
  private static func make(
    _ properties: inout ViewProperties, _ random: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: properties.inside = .children([])
    case 1: properties.hit = .passThrough
    case 2: properties.frame = FrameDescription(Rect(0, 0, 100, 80))
    case 3: properties.shape = .ellipse
    default: properties.inside = .never
    }
  }

  /// How many calls a lookup makes of which views remember what they have said.
  private static func asks(_ layout: Layout, _ point: Point) -> Int {
    steps(layout, point).count { if case .result = $0 { false } else { true } }
  }

  private static func steps(_ layout: Layout, _ point: Point) -> [HitTrace.Step] {
    let words = LookupMemory<UInt64>(zeros: layout.viewCount)
    defer { words.deallocate() }
    var walk = HitWalk(
      layout: layout, trace: HitTrace(), notes: LookupNotes(words, lookup: 1))
    _ = walk.hitTest(point, on: Scene.screen)
    return walk.trace?.steps ?? []
  }

  /// A view is asked by its superview and by one that asks it first whether it finds something, and
  /// by itself and its superview whether the point is inside it.
  private static func most(_ layout: Layout) -> Int { 4 * layout.viewCount }

  private static func plainly(_ layout: Layout, _ point: Point) -> ViewIndex? {
    var walk = HitWalk(layout: layout)
    return walk.hitTest(point, on: Scene.screen)
  }
}
