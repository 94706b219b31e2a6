import Layout
import TestSupport
import TouchModel

extension ViewChange {
  /// A change of a view of a description, which need not be possible.
  static func random(
    of description: LayoutDescription, _ random: inout SeededGenerator
  ) -> ViewChange {
    let paths = description.windows.map(\.name) + description.views.map(\.path)
    func number() -> Double { Double(Int.random(in: -40...160, using: &random)) / 4 }
    let path = random.chance(0.03) ? "w0/none" : random.pick(paths)
    let below = paths.filter { $0.hasPrefix(path + "/") }.map {
      String($0.dropFirst(path.count + 1))
    }
    // Of something that is there, mostly.
    let name = below.isEmpty || random.chance(0.1) ? "none" : random.pick(below)
    let property: ViewChange.Property =
      switch Int.random(in: 0..<23, using: &random) {
      case 0: .hidden(random.chance(0.5))
      case 1: .alpha(random.pick([0, 0.01, 0.5, 1, 1.5, .nan]))
      case 2: .interaction(random.chance(0.5))
      case 3, 4: .frame(Rect(number(), number(), number(), number() + 10))
      case 5: .boundsOrigin(Point(x: number(), y: random.chance(0.1) ? .infinity : number()))
      case 6:
        .transform(
          random.pick([
            .identity, AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: number()),
            AffineTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0),
            // A power of 2: its inverse is exact.
            AffineTransform(a: 131_072, b: 0, c: 0, d: 131_072, tx: 0, ty: 0),
          ]))
      case 7, 8, 9: .order(Int.random(in: 0...5, using: &random))
      case 10:
        .outset(
          Outset(
            top: number(), left: 1, bottom: number(), right: random.chance(0.1) ? .nan : number()))
      case 11: .shape(shape(&random))
      case 12, 13:
        .inside(random.pick([.bounds, .always, .never, .children([]), .children([name])]))
      case 14, 15:
        .hit(
          random.pick([
            .standard, .itself, .none, .passThrough, .redirect(name), .first(name),
          ]))
      case 16: .secure(random.chance(0.5))
      case 17: .exclusiveTouch(random.chance(0.5))
      case 18: .multipleTouch(random.chance(0.5))
      case 20: .label(random.pick(["", "Menu", "a\nb", String(repeating: "x", count: 81)]))
      case 22: .feedback(random.pick(["", "click", "none", "a b", "tick"]))
      case 19: .level(random.pick([-1, 0, 1, 2, 2_000_000]))
      default: .configured
      }
    return ViewChange(path, property)
  }

  fileprivate static func shape(_ random: inout SeededGenerator) -> Shape {
    let corners = [Point(x: 0, y: 0), Point(x: 20, y: 0), Point(x: 4, y: 30)]
    return random.pick([
      .rect, .ellipse, .rounded(radius: 4), .rounded(radius: -1), .polygon(corners),
      .polygon(Array(corners.dropLast())), .polygon(corners + [Point(x: .infinity, y: 0)]),
    ])
  }
}
