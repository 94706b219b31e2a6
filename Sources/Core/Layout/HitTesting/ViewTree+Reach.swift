import TouchModel

extension ViewTree {
  /// Edges around every point of a space whose image in a view's coordinates may lie in `bounds`,
  /// whatever the roundings on the way: they are used to leave out what lies elsewhere, never to
  /// find anything.
  func reach(of bounds: Edges, in view: Int32, root: Int32) -> Edges {
    guard bounds.isFinite else { return .unbounded }
    let index = ViewIndex(view)
    let forward = superviewTransform(of: index)
    let step = step(of: self[index])
    let corners = Rect(
      x: bounds.x0, y: bounds.y0, width: bounds.x1 - bounds.x0, height: bounds.y1 - bounds.y0)
    var box = corners.boundingBox(under: forward)
    let linear = max(abs(forward.a), abs(forward.b), abs(forward.c), abs(forward.d))
    let inverse = max(abs(step.a), abs(step.b), abs(step.c), abs(step.d))
    let local =
      abs(bounds.x0) + abs(bounds.x1) + abs(bounds.y0) + abs(bounds.y1) + abs(step.offset.x)
      + abs(step.offset.y)
    var outer = abs(box.x) + abs(box.y) + box.width + box.height
    outer += abs(step.center.x) + abs(step.center.y)
    var depth = 1.0
    var ancestor = views[Int(view)].rawParent
    while ancestor != root {
      let offset = self.step(of: views[Int(ancestor)]).offset
      box.x -= offset.x
      box.y -= offset.y
      outer += abs(offset.x) + abs(offset.y)
      depth += 1
      ancestor = views[Int(ancestor)].rawParent
    }
    // Each sum is off by at most half an ulp of the largest magnitude; ten times that for safety.
    let magnitude = (1 + linear * inverse) * outer + linear * local
    let error = (depth + 16) * 20 * Double.ulpOfOne * magnitude
    guard error.isFinite, box.isFinite else { return .unbounded }
    return Edges(
      x0: box.x - error, y0: box.y - error,
      x1: box.x + box.width + error, y1: box.y + box.height + error)
  }
}
