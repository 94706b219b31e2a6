import TouchModel

/// A view that scrolls, and all that lies in it, compiled in the view's own coordinates: what it
/// scrolls by is two numbers here, and all else stays as it was compiled. Rule H8.
struct HitPart: BitwiseCopyable {
  /// The grid over what lies in it.
  var grid: HitGrid
  /// Where the view is touchable, in its own coordinates.
  var edges: Edges
  /// Which of all offsets are those by which a point of the space around it is moved, one by one,
  /// to the view's coordinates.
  fileprivate(set) var firstOffset: Int32 = 0
  fileprivate(set) var offsetCount: Int32 = 0
  /// The last condition, or -1.
  var conditions: Int32
  /// Whether something in it was changed since it was compiled.
  fileprivate(set) var isChanged = false
  /// The view whose coordinates the space around it has, or -1 for a screen.
  var root: Int32
  /// The view that scrolls.
  var view: Int32
  /// Where a point may be in the view, wherever it has scrolled to, in the coordinates of the space
  /// around it.
  var rect: Edges

  /// Whether nothing but its edges and its grid is to be asked.
  @inline(__always)
  var isStraight: Bool { conditions < 0 && !isChanged }

  /// A view may scroll so far, in points: further than any coordinate is by default.
  static let reach = Double(1 << 30)

  /// Edges around all points of a space that may be in a view, wherever it has scrolled to, by the
  /// offsets that lead there.
  static func rect(around edges: Edges, _ offsets: [Point]) -> Edges {
    var x = Shift()
    var y = Shift()
    for offset in offsets {
      x.add(offset.x)
      y.add(offset.y)
    }
    return Edges(
      x0: x.before(edges.x0, -1), y0: y.before(edges.y0, -1),
      x1: x.before(edges.x1, 1), y1: y.before(edges.y1, 1))
  }
}

extension ViewTree {
  /// Whether more lies in a view without overrides than it shows at a time, as in a list: it is
  /// made for scrolling.
  func scrolls(_ view: ViewIndex) -> Bool {
    guard self[view].subtreeCount(from: view) > Layout.fewSubviews else { return false }
    let bounds = bounds(of: view)
    guard max(abs(bounds.x), abs(bounds.y)) <= HitPart.reach else { return false }
    if let superview = self[view].parent {
      // There its own inside is asked in other ways too.
      switch extras(of: self[superview]).inside {
      case .anyChild, .children: return false
      case .bounds, .always, .never: break
      }
    }
    var subview = self[view].lastChild
    while subview >= 0 {
      let frame = views[Int(subview)].frame
      let isLonger = frame.width > bounds.width || frame.height > bounds.height
      let isShown =
        frame.x < bounds.maxX && frame.maxX > bounds.x && frame.y < bounds.maxY
        && frame.maxY > bounds.y
      if isLonger || !isShown { return true }
      subview = views[Int(subview)].previousSibling
    }
    return false
  }
}

/// The parts of a compiled layout in the making.
struct PartList {
  private(set) var parts: [HitPart] = []
  private(set) var offsets: [Point] = []

  /// Takes a part in, with the offsets that lead to its view, that of the view itself last; its
  /// index.
  mutating func append(_ part: HitPart, _ offsets: [Point]) -> Int {
    var part = part
    part.firstOffset = Int32(self.offsets.count)
    part.offsetCount = Int32(offsets.count)
    self.offsets += offsets
    parts.append(part)
    return parts.count - 1
  }
}

/// The parts of a compiled layout. Whoever makes them owns their memory and deallocates it.
struct HitParts {
  private let parts: LookupMemory<HitPart>
  private let offsets: LookupMemory<Point>
  /// The part of each view that scrolls.
  private let numbers: [Int32: Int]

  init(_ list: PartList) {
    parts = LookupMemory(list.parts)
    offsets = LookupMemory(list.offsets)
    // Only `first` has a view compiled more than once, and within it no part is made.
    numbers = Dictionary(
      uniqueKeysWithValues: list.parts.enumerated().map { ($0.element.view, $0.offset) })
  }

  func deallocate() {
    parts.deallocate()
    offsets.deallocate()
  }

  var count: Int { parts.count }

  @inline(__always)
  subscript(number: Int) -> UnsafePointer<HitPart> { UnsafePointer(parts.base + number) }

  /// A point of the space around a part in the coordinates of its view.
  @inline(__always)
  func convert(_ point: Point, to part: UnsafePointer<HitPart>) -> Point {
    var point = point
    var offset = offsets.base + Int(part.pointee.firstOffset)
    let end = offset + Int(part.pointee.offsetCount)
    repeat {
      point.x += offset.pointee.x
      point.y += offset.pointee.y
      offset += 1
    } while offset < end
    return point
  }

  /// The innermost part in which a view lies; not that which it is itself.
  func enclosing(_ view: ViewIndex, in tree: ViewTree) -> Int? {
    if numbers.isEmpty { return nil }
    var superview = tree[view].rawParent
    while superview >= 0 {
      if let number = numbers[superview] { return number }
      superview = tree.views[Int(superview)].rawParent
    }
    return nil
  }

  /// Takes note that something in a part is not as it was compiled.
  func noteChange(of number: Int) { parts.base[number].isChanged = true }

  /// Has the part of a view scroll to where it is in another tree; false where that is not all of
  /// the change, or the view is no part.
  func scroll(_ view: ViewIndex, from old: ViewTree, to new: ViewTree) -> Bool {
    guard let number = numbers[view.rawValue] else { return false }
    let before = old[view]
    let after = new[view]
    let origin = after.boundsOrigin
    guard before.frame == after.frame, before.isGated == after.isGated, before.extrasIndex < 0,
      after.extrasIndex < 0, max(abs(origin.x), abs(origin.y)) <= HitPart.reach
    else { return false }
    let part = parts.base + number
    part.pointee.edges = new.plainEdges(of: view)
    let last = Int(part.pointee.firstOffset + part.pointee.offsetCount) - 1
    offsets.base[last] = new.step(of: after).offset
    return true
  }

  /// The bytes that they occupy.
  var byteCount: Int { parts.byteCount + offsets.byteCount }
}
