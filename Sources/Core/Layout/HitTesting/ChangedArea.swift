import TouchModel

/// The points at which a hit-test may have another answer than a compiled form gives, since views
/// were changed after it was compiled: a few boxes for each screen and each part, in its
/// coordinates, which only grow. Whoever makes it owns its memory and deallocates it. Rule H8.
struct ChangedArea {
  /// For each screen, then for each part, room for as many boxes as it may have.
  private let boxes: LookupMemory<Edges>
  /// For each of them how many it has.
  private let counts: LookupMemory<Int>

  /// More boxes than these become one.
  private static let limit = 4

  /// An area of nothing, for so many screens and parts together.
  init(spaces: Int) {
    boxes = LookupMemory(zeros: spaces * Self.limit)
    counts = LookupMemory(zeros: spaces)
  }

  func deallocate() {
    boxes.deallocate()
    counts.deallocate()
  }

  /// Whether anything of a screen or part is in it.
  func isAnywhere(of space: Int) -> Bool { counts[space] > 0 }

  /// Whether a point of a screen or part is in it.
  @inline(__always)
  func contains(_ point: Point, of space: Int) -> Bool {
    let first = space * Self.limit
    for index in first..<first + counts[space] where boxes[index].contains(point) { return true }
    return false
  }

  /// Takes in all points of a screen or part at which a view has a say.
  ///
  /// - Parameter root: The view whose coordinates the part has, or -1 for a screen.
  func add(_ view: ViewIndex, in tree: ViewTree, of space: Int, root: Int32) {
    let box = Self.box(of: view, in: tree, root: root)
    guard !box.isEmpty else { return }
    let own = boxes.base + space * Self.limit
    let count = counts[space]
    if (0..<count).contains(where: { own[$0].intersection(box) == box }) { return }
    if count < Self.limit {
      own[count] = box
      counts.base[space] += 1
    } else {
      own[0] = (1..<count).reduce(own[0].union(box)) { $0.union(own[$1]) }
      counts.base[space] = 1
    }
  }

  /// Edges around all points of a space at which a view or one in it is asked for something else
  /// than what it is asked everywhere.
  ///
  /// A view that confines, of what is in it and of itself, has nothing to say elsewhere than in its
  /// own edges. From the space's root down, these cut the box as far as views are only moved: what
  /// `first` asks is not cut by the views between.
  private static func box(of view: ViewIndex, in tree: ViewTree, root: Int32) -> Edges {
    var chain: [ViewIndex] = []
    var next = view.rawValue
    while next != root {
      chain.append(ViewIndex(next))
      next = tree.views[Int(next)].rawParent
    }
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
