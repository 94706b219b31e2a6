import TouchModel

/// A compiled layout: answers which region is the frontmost at a point. Rule H8.
final class HitIndex {
  private(set) var layout: Layout
  private let specials: [HitSpecial]
  private let conditions: [HitCondition]
  // Owned, and read without the counting of references that an array's use may bring.
  /// The grid of each screen.
  private let roots: LookupMemory<HitGrid>
  private let grids: LookupMemory<HitGrid>
  private let rects: LookupMemory<Edges>
  private let lines: LookupMemory<HitLine>
  /// What scrolls.
  private let parts: HitParts
  /// See ``LookupNotes``. Empty where no region asks a view anything.
  private let notes: LookupMemory<UInt64>
  /// Counts the lookups that went on beyond the first region.
  private var lookup: UInt64 = 0
  /// Where the layout is another than the one compiled; nil where it is that one.
  private var changes: HitChanges?

  init(_ layout: Layout) {
    self.layout = layout
    var compiler = HitCompiler(layout)
    let screens = layout.screens.indices.map { compiler.compile(ScreenIndex(Int32($0))) }
    roots = LookupMemory(screens.map { compiler.grids.grids[$0] })
    grids = LookupMemory(compiler.grids.grids)
    rects = LookupMemory(compiler.regions.rects)
    specials = compiler.regions.specials
    conditions = compiler.regions.conditions
    parts = HitParts(compiler.regions.parts)
    lines = HitLine.lines(of: compiler.grids.words)
    let asksViews = !conditions.isEmpty || specials.contains(where: \.isWalk)
    notes = LookupMemory(zeros: asksViews ? rects.count : 0)
  }

  deinit {
    roots.deallocate()
    grids.deallocate()
    rects.deallocate()
    lines.deallocate()
    parts.deallocate()
    notes.deallocate()
  }

  /// Makes at once what would be made by the first change, and by the first lookup after it.
  func prepareForChanges() {
    let changes = changes ?? HitChanges(layout, partCount: parts.count)
    changes.prepare(layout)
    self.changes = changes
  }

  /// Goes over to a layout that came of this one by a few changes of properties; false where it did
  /// not, or where that can't be told.
  func move(to new: Layout) -> Bool {
    guard let changed = new.changedViews(since: layout) else { return false }
    if new === layout { return true }
    let changes = changes ?? HitChanges(layout, partCount: parts.count)
    changes.add(changed, from: layout, to: new, parts)
    for screen in 0..<roots.count where changes.isAnywhere(on: screen) {
      roots.base[screen].base = min(roots[screen].base, ~roots[screen].base)
    }
    self.changes = changes
    layout = new
    return true
  }

  /// The bytes that it occupies, the layout itself not counted.
  var byteCount: Int {
    (changes?.byteCount ?? 0) + parts.byteCount + lines.byteCount + rects.byteCount
      + grids.byteCount
      + notes.byteCount
      + specials.count * MemoryLayout<HitSpecial>.stride
      + conditions.count * MemoryLayout<HitCondition>.stride
  }

  /// The target of a point of a screen, or -1.
  ///
  /// What decides nearly always, the first word that is met, is tried here, without a loop and
  /// without a branch on any other word: a lookup among many views waits for one line of the cache,
  /// and the processor can wait for those of several lookups at once.
  @inline(__always)
  func find(_ point: Point, on screen: Int) -> Int32 {
    guard screen >= 0, screen < roots.count else { return -1 }
    let root = roots.base + screen
    guard root.pointee.base >= 0 else { return findChanged(point, on: screen) }
    let position = root.pointee.position(point)
    let word = firstWord(position)
    if word.leads(position) { return Int32(bitPattern: word.payload) }
    lookup &+= 1
    return word.payload < HitWord.firstPart
      ? search(point, position) : findInPart(point, position, word)
  }

  /// The first word of a cell's list that is met: there is one, as every list ends with a word that
  /// always is.
  @inline(__always)
  private func firstWord(_ position: HitGrid.Position) -> HitLine.Word {
    let line = UnsafeRawPointer(lines.base + position.line)
    let met = HitLine.met(line.load(as: SIMD8<UInt32>.self), by: position.codes)
    let lane = (met.trailingZeroBitCount &>> 3) &* 4
    return HitLine.Word(
      codes: line.load(fromByteOffset: lane, as: UInt32.self),
      payload: line.load(fromByteOffset: HitLine.payloadOffset &+ lane, as: UInt32.self))
  }

  /// The target of a point of a screen where the first word that is met leads into a part, if to
  /// anything: as straight on as without one.
  @inline(never)
  private func findInPart(
    _ point: Point, _ position: HitGrid.Position, _ word: HitLine.Word
  ) -> Int32 {
    guard word.payload != HitWord.endPayload else { return -1 }
    let part = parts[Int(word.payload - HitWord.firstPart)]
    guard part.pointee.isStraight, HitLine.isInside(word.codes, position.codes) else {
      return search(point, position)
    }
    let local = parts.convert(point, to: part)
    guard part.pointee.edges.contains(local) else { return search(point, position) }
    let inner = part.pointee.grid.position(local)
    let found = firstWord(inner)
    return found.leads(inner) ? Int32(bitPattern: found.payload) : search(local, inner)
  }

  /// The target of a point of a screen, or -1, once views were changed.
  @inline(never)
  private func findChanged(_ point: Point, on screen: Int) -> Int32 {
    lookup &+= 1
    if let found = changes?.find(point, on: screen, in: layout, lookup: lookup) { return found }
    var root = roots[screen]
    root.base = ~root.base
    return search(point, root.position(point))
  }

  /// The target of a point of a space, or -1, from its position on.
  @inline(never)
  private func search(_ start: Point, _ first: HitGrid.Position) -> Int32 {
    var point = start
    var position = first
    while true {
      let line = UnsafeRawPointer(lines.base + position.line)
      var met = HitLine.met(line.load(as: SIMD8<UInt32>.self), by: position.codes)
      position.line &+= 1
      while met != 0 {
        let lane = (met.trailingZeroBitCount &>> 3) &* 4
        met &-= (met & (~met &+ 1)) &* 0xFF
        let payload = line.load(
          fromByteOffset: HitLine.payloadOffset &+ lane, as: UInt32.self)
        if payload < HitWord.firstSpecial {
          let codes = line.load(fromByteOffset: lane, as: UInt32.self)
          if HitLine.isInside(codes, position.codes) || rects[Int(payload)].contains(point) {
            return Int32(bitPattern: payload)
          }
        } else if payload < HitWord.firstGrid {
          let found = evaluate(Int(payload - HitWord.firstSpecial), point)
          if found >= 0 { return found }
        } else if payload < HitWord.firstRun {
          position = grids[Int(payload - HitWord.firstGrid)].position(point)
          met = 0
        } else if payload < HitWord.firstPart {
          position.line = Int(payload - HitWord.firstRun)
        } else if payload != HitWord.endPayload {
          let number = Int(payload - HitWord.firstPart)
          guard let local = enter(number, point) else { continue }
          if let found = findChanged(local, inPart: number) { return found }
          // Its view has the point, so nothing behind it is asked.
          point = local
          position = parts[number].pointee.grid.position(local)
          met = 0
        } else {
          return -1
        }
      }
    }
  }

  /// A point of the space around a part in the coordinates of its view, where that has it.
  @inline(__always)
  private func enter(_ number: Int, _ point: Point) -> Point? {
    let part = parts[number]
    guard part.pointee.rect.contains(point),
      holdsAll(part.pointee.conditions, point, root: part.pointee.root)
    else { return nil }
    let local = parts.convert(point, to: part)
    return part.pointee.edges.contains(local) ? local : nil
  }

  /// The target of a point of a part, in the coordinates of its view, where something was changed.
  @inline(__always)
  private func findChanged(_ point: Point, inPart number: Int) -> Int32? {
    let part = parts[number]
    guard part.pointee.isChanged else { return nil }
    return changes?.find(
      point, inPart: number, of: part.pointee.view, in: layout, lookup: lookup)
  }

  /// What a special region leads to, or -1; the point is in the coordinates of its space.
  private func evaluate(_ index: Int, _ point: Point) -> Int32 {
    let special = specials[index]
    guard special.rect.contains(point), holdsAll(special.conditions, point, root: special.root)
    else { return -1 }
    switch special.kind {
    case .target(let view):
      return view
    case .space(let grid, let view):
      let local = layout.tree.convert(point, root: special.root, to: view)
      return search(local, grids[Int(grid)].position(local))
    case .walk(let view):
      var walk = HitWalk(layout: layout, notes: LookupNotes(notes, lookup: lookup))
      let local = layout.tree.convert(point, root: special.root, to: view)
      return walk.hitTest(ViewIndex(view), local)?.rawValue ?? -1
    }
  }

  /// Whether a condition and those before it hold for a point of a space; -1 is none.
  private func holdsAll(_ last: Int32, _ point: Point, root: Int32) -> Bool {
    var condition = last
    while condition >= 0 {
      guard holds(conditions[Int(condition)].test, point, root: root) else { return false }
      condition = conditions[Int(condition)].before
    }
    return true
  }

  private func holds(_ test: HitCondition.Test, _ point: Point, root: Int32) -> Bool {
    let notes = LookupNotes(notes, lookup: lookup)
    switch test {
    case .shape(let view):
      return notes.regionContains(view) {
        let local = layout.tree.convert(point, root: root, to: view)
        return layout.tree.touchRegion(of: ViewIndex(view)).contains(local)
      }
    case .inside(let view):
      return notes.pointInside(view) {
        var walk = HitWalk(layout: layout, notes: notes)
        return walk.pointInside(ViewIndex(view), layout.tree.convert(point, root: root, to: view))
      }
    }
  }
}
