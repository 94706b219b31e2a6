import TouchModel

/// The touches of one device: those on the glass, and those that ended and may yet be declined, in
/// the order in which they began. Shares name them by index.
final class TouchList {
  let touches = ReusableList<LiveTouch>()
  /// Whether clients may not hear yet of one, or of its end.
  private(set) var holdsTouches = false
  /// Where the last touch was found: the next one that a frame names is mostly the one after it.
  private var cursor = 0

  var count: Int { touches.count }
  var isEmpty: Bool { touches.isEmpty }
  var indices: Range<Int> { touches.indices }

  /// The touch at an index.
  subscript(index: Int) -> LiveTouch {
    @inline(__always) _read { yield touches[index] }
    @inline(__always) _modify { yield &touches[index] }
  }

  /// Where a touch is.
  @inline(__always)
  func find(_ id: TouchID) -> Int? {
    for _ in touches.indices {
      cursor = cursor + 1 < touches.count ? cursor + 1 : 0
      if touches[cursor].id == id { return cursor }
    }
    return nil
  }

  /// Takes the moves of a frame from an index in it on, as long as they follow one another, their
  /// touches are known and nothing of these is kept for others; returns the index after them.
  @inline(__always)
  func applyMoves(_ changes: ReusableArray<Touch>, from start: Int) -> Int {
    var next = start
    var latest = cursor
    moves: while next < changes.count, changes[next].phase == .moved {
      var found = latest
      var left = touches.count
      repeat {
        guard left > 0 else { break moves }
        left -= 1
        found = found + 1 < touches.count ? found + 1 : 0
      } while touches[found].id != changes[next].id
      guard touches[found].moveBuffer == nil else { break }
      touches[found].change(changes[next])
      latest = found
      next += 1
    }
    cursor = latest
    return next
  }

  /// Takes some of the touches to where a frame has them, ahead of it.
  func locate(_ changes: ReusableArray<Touch>, among lost: Set<TouchID>) {
    for change in changes where change.phase == .moved && lost.contains(change.id) {
      if let index = find(change.id) { touches[index].locate(at: change.location) }
    }
  }

  /// Gets those that changed and are not over ready for the next frame, if they are meant.
  @inline(__always)
  func rest(where isMeant: (LiveTouch) -> Bool = { _ in true }) {
    for index in touches.indices
    where touches[index].phase != .stationary && !touches[index].phase.isFinal
      && isMeant(touches[index])
    {
      touches[index].rest()
    }
  }

  // MARK: Held back for recognizers, rules G10 and G11

  /// Keeps the end of a touch from clients.
  func holdEnd(_ end: Touch, at index: Int) {
    touches[index].holdEnd(end)
    holdsTouches = true
  }

  /// Keeps all of a touch from clients.
  func holdBack(at index: Int) {
    touches[index].holdBack()
    holdsTouches = true
  }

  /// Ends those touches of which nothing but the end was held back. Returns whether there are any.
  func releaseEnds(where isHeld: (TouchID) -> Bool) -> Bool {
    var isReleased = false
    for index in touches.indices
    where touches[index].holdsEnd && !touches[index].isHeldBack && !isHeld(touches[index].id) {
      touches[index].releaseEnd()
      isReleased = true
    }
    return isReleased
  }

  /// Looks whether there is still one that is held back.
  func reviewHeld() {
    holdsTouches = touches.contains { $0.isHeldBack || $0.holdsEnd }
  }

  // MARK: Coming and going

  /// Takes in a touch that begins.
  func append(_ touch: LiveTouch) { touches.append(touch) }

  /// Forgets a touch; those after it move up.
  func remove(at index: Int) { touches.remove(at: index) }
}
