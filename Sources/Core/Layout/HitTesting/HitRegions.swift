import TouchModel

/// The regions of a compiled layout: rectangles, with what a rectangle can't say. A region is known
/// by its payload: a view's index where it leads to that view without conditions, else
/// ``HitWord/firstSpecial`` and the index of a special, or ``HitWord/firstPart`` and that of a
/// part.
struct HitRegions {
  /// For each view the rectangle of the region that leads to it without conditions.
  private(set) var rects: [Edges]
  private(set) var specials: [HitSpecial] = []
  private(set) var conditions: [HitCondition] = []
  private(set) var parts = PartList()

  /// Sentinel: the view has no entry in `rects` yet.
  private static let unused = Edges(x0: 1, y0: 1, x1: 0, y1: 0)

  init(viewCount: Int) {
    rects = Array(repeating: Self.unused, count: viewCount)
  }

  /// A region without conditions that leads to a view; nil where it has such a region already.
  mutating func append(_ rect: Edges, leadingTo view: Int32) -> UInt32? {
    guard rects[Int(view)] == Self.unused else { return nil }
    rects[Int(view)] = rect
    return UInt32(view)
  }

  /// A region of any kind.
  mutating func append(_ special: HitSpecial) -> UInt32 {
    specials.append(special)
    return HitWord.firstSpecial + UInt32(specials.count - 1)
  }

  /// A region that leads into a part; see ``PartList/append(_:_:)``.
  mutating func append(_ part: HitPart, _ offsets: [Point]) -> UInt32 {
    HitWord.firstPart + UInt32(parts.append(part, offsets))
  }

  /// A condition; its index.
  mutating func append(_ condition: HitCondition) -> Int32 {
    conditions.append(condition)
    return Int32(conditions.count - 1)
  }

  /// The rectangle of a region.
  func rect(of payload: UInt32) -> Edges {
    if payload < HitWord.firstSpecial { return rects[Int(payload)] }
    if payload < HitWord.firstPart { return specials[Int(payload - HitWord.firstSpecial)].rect }
    return parts.parts[Int(payload - HitWord.firstPart)].rect
  }

  /// Whether a region leads to a target for every point of its rectangle.
  func isCertain(_ payload: UInt32) -> Bool {
    if payload < HitWord.firstSpecial { return true }
    return payload < HitWord.firstPart
      && specials[Int(payload - HitWord.firstSpecial)].isCertain
  }

  /// The smallest edges around all finite edges of regions.
  func extent(of regions: [UInt32]) -> Edges {
    var extent = Edges(x0: .infinity, y0: .infinity, x1: -.infinity, y1: -.infinity)
    for payload in regions {
      let rect = rect(of: payload)
      extent.x0 = min(extent.x0, rect.x0.isFinite ? rect.x0 : rect.x1)
      extent.x1 = max(extent.x1, rect.x1.isFinite ? rect.x1 : rect.x0)
      extent.y0 = min(extent.y0, rect.y0.isFinite ? rect.y0 : rect.y1)
      extent.y1 = max(extent.y1, rect.y1.isFinite ? rect.y1 : rect.y0)
    }
    // What is left infinite has no finite edge in that axis at all.
    if !(extent.x1 - extent.x0).isFinite { (extent.x0, extent.x1) = (0, 0) }
    if !(extent.y1 - extent.y0).isFinite { (extent.y0, extent.y1) = (0, 0) }
    return extent
  }
}
