import TouchModel

/// The points of the screens at which a hit-test may have another answer than a compiled form
/// gives, since views were changed after it was compiled: a few boxes, which only grow. Whoever
/// makes it owns its memory and deallocates it. Rule H8.
struct ChangedArea {
  /// For each screen room for as many boxes as it may have.
  private let boxes: LookupMemory<Edges>
  /// For each screen how many it has.
  private var counts: [Int]

  /// More boxes than these of a screen become one.
  private static let limit = 4

  init(screens: Int) {
    boxes = LookupMemory(zeros: screens * Self.limit)
    counts = Array(repeating: 0, count: screens)
  }

  func deallocate() { boxes.deallocate() }

  /// Whether a point of a screen is in it.
  func isAnywhere(on screen: Int) -> Bool { counts[screen] > 0 }

  @inline(__always)
  func contains(_ point: Point, on screen: Int) -> Bool {
    let first = screen * Self.limit
    for index in first..<first + counts[screen] where boxes[index].contains(point) { return true }
    return false
  }

  /// Takes in all points at which a view has a say in a layout.
  mutating func add(_ view: ViewIndex, in layout: Layout) {
    let box = Self.box(of: view, in: layout.tree)
    guard !box.isEmpty else { return }
    let screen = Int(layout.window(of: view).screen.rawValue)
    let own = boxes.base + screen * Self.limit
    let count = counts[screen]
    if (0..<count).contains(where: { own[$0].intersection(box) == box }) { return }
    if count < Self.limit {
      own[count] = box
      counts[screen] += 1
    } else {
      own[0] = (1..<count).reduce(own[0].union(box)) { $0.union(own[$1]) }
      counts[screen] = 1
    }
  }

  /// Edges around all points of the screen at which a view or one in it is asked for something else
  /// than what it is asked everywhere.
  ///
  /// A view that confines, of what is in it and of itself, has nothing to say elsewhere than in its
  /// own edges. From the window down, these cut the box as far as views are only moved: what
  /// `first` asks is not cut by the views between.
  private static func box(of view: ViewIndex, in tree: ViewTree) -> Edges {
    var chain = [view]
    while let superview = tree[chain[chain.count - 1]].parent { chain.append(superview) }
    var box = Edges.unbounded
    var x = Shift()
    var y = Shift()
    for view in chain.reversed() {
      let extras = tree.extras(of: tree[view])
      let step = tree.step(of: tree[view])
      if case .first = extras.hit { break }
      guard step.isTranslation else { break }
      x.add(step.offset.x)
      y.add(step.offset.y)
      guard extras.confines else { continue }
      let edges = tree.touchRegion(of: view).edges
      box = box.intersection(
        Edges(
          x0: x.before(edges.x0, -1), y0: y.before(edges.y0, -1),
          x1: x.before(edges.x1, 1), y1: y.before(edges.y1, 1)))
    }
    return box
  }

  /// The moves along one axis from the screen to a view.
  private struct Shift {
    private var sum = 0.0
    private var size = 0.0
    private var count = 0.0

    mutating func add(_ offset: Double) {
      sum += offset
      size += abs(offset)
      count += 1
    }

    /// About where on the screen an edge lies, moved outwards by more than all roundings can come
    /// to: each is at most half an ulp of the largest magnitude.
    func before(_ edge: Double, _ outwards: Double) -> Double {
      let error = (count + 16) * 4 * Double.ulpOfOne * (abs(edge) + 2 * size)
      return edge - sum + outwards * error
    }
  }
}

extension Layout.ViewExtras {
  /// Whether a view with them, whatever is in it, finds nothing at points outside of its own edges,
  /// and has none of them inside. Rules H2, H5 and H6.
  var confines: Bool {
    guard inside == .bounds else { return false }
    switch hit {
    case .standard, .none, .passThrough, .redirect: return true
    case .itself, .first: return false
    }
  }
}
