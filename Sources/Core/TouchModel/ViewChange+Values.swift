extension ViewChange.Property.Kind {
  /// The configuration's key for it.
  public var name: String { declaration.name }

  /// Whether names or a path may go with its numbers.
  public var hasWords: Bool { declaration.form.hasWords }

  /// How many numbers its value is, beside what words and points go with them.
  public var valueCount: Int { declaration.form.valueCount }
}

extension ViewChange.Property {
  /// Why numbers, words and points are no value of a property.
  public struct Mistake: Error, Equatable, Sendable {
    /// Such as `hidden: 2.0 is neither 0 nor 1`.
    public var text: String

    /// The mistake.
    public init(text: String) { self.text = text }
  }

  /// Which property it is.
  public var kind: Kind { content.kind }

  /// The configuration's key for it.
  public var name: String { kind.name }

  /// Its value, whatever the property.
  package var value: PropertyValue { content.value }

  /// Its value as numbers, as many as its kind has; flags are 0 or 1, and words their number.
  public var values: [Double] {
    switch content.value {
    case .flag(let value): [value ? 1 : 0]
    case .number(let value): [value]
    case .whole(let value): [Double(value)]
    case .point(let value): [value.x, value.y]
    case .rect(let value): [value.x, value.y, value.width, value.height]
    case .transform(let value): [value.a, value.b, value.c, value.d, value.tx, value.ty]
    case .outset(let value): [value.top, value.left, value.bottom, value.right]
    case .shape(let value): value.numbers
    case .inside(let value): [value.number]
    case .hit(let value): [value.number]
    case .text, .nothing: []
    }
  }

  /// The names, the path or the text that go with the numbers. Empty where there are none.
  public var words: String {
    switch content.value {
    case .inside(.children(let names)): names.joined(separator: ",")
    case .hit(.redirect(let path)), .hit(.first(let path)): path
    case .text(let text): text
    default: ""
    }
  }

  /// The points that go with the numbers: of `shape`.
  public var points: [Point] {
    if case .shape(.polygon(let points)) = self { points } else { [] }
  }

  /// The property of which these are ``values``, ``words`` and ``points``. Whether a view can have
  /// it is for the layout to say.
  public init(
    _ kind: Kind, _ values: [Double], words: String = "", points: [Point] = []
  ) throws(Mistake) {
    guard values.count == kind.valueCount else {
      throw Mistake(text: "\(kind.name): its values are \(kind.valueCount), not \(values.count)")
    }
    self = try Self.made(kind, values, words, points)
    guard self.words == words else {
      throw Mistake(text: "\(kind.name): its words can't be \"\(words)\"")
    }
    guard self.points.count == points.count else {
      throw Mistake(text: "\(kind.name): it has no points")
    }
  }

  private static func made(
    _ kind: Kind, _ n: [Double], _ words: String, _ points: [Point]
  ) throws(Mistake) -> Self {
    switch kind.declaration.form {
    case .flag(_, let make): make(try flag(n[0], kind))
    case .number(_, let make): make(n[0])
    case .whole(let range, let make): make(try whole(n[0], kind, range))
    case .point(_, let make): make(Point(x: n[0], y: n[1]))
    case .rect(let make): make(Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
    case .transform(let make):
      make(AffineTransform(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5]))
    case .outset(let make): make(Outset(top: n[0], left: n[1], bottom: n[2], right: n[3]))
    case .shape(let make): make(try Shape(n, points))
    case .inside(let make): make(try InsideRule(n[0], words))
    case .hit(let make): make(try HitRule(n[0], words))
    case .text(let rule, let make): make(try text(words, kind, rule))
    case .nothing(let property): property
    }
  }

  private static func text(
    _ text: String, _ kind: Kind, _ rule: TextRule
  ) throws(Mistake) -> String {
    if let problem = rule.problem(with: text) {
      throw Mistake(text: "\(kind.name): \(problem)")
    }
    return text
  }

  private static func flag(_ value: Double, _ kind: Kind) throws(Mistake) -> Bool {
    guard value == 0 || value == 1 else {
      throw Mistake(text: "\(kind.name): \(value) is neither 0 nor 1")
    }
    return value == 1
  }

  private static func whole(
    _ value: Double, _ kind: Kind, _ range: ClosedRange<Int>
  ) throws(Mistake) -> Int {
    guard let number = Int(exactly: value), range.contains(number) else {
      throw Mistake(
        text: "\(kind.name): \(value) is no whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }
}

extension Shape {
  /// Which shape, as the wire's `enum touchroute_shape`, and its radius.
  fileprivate var numbers: [Double] {
    switch self {
    case .rect: [0, 0]
    case .ellipse: [1, 0]
    case .rounded(let radius): [2, radius]
    case .polygon: [3, 0]
    }
  }

  fileprivate init(
    _ values: [Double], _ points: [Point]
  ) throws(ViewChange.Property.Mistake) {
    switch (values[0], values[1]) {
    case (0, 0): self = .rect
    case (1, 0): self = .ellipse
    case (2, let radius): self = .rounded(radius: radius)
    case (3, 0): self = .polygon(points)
    default:
      throw ViewChange.Property.Mistake(
        text: "shape: \(values[0]) with \(values[1]) is no shape: 0 is rect, 1 ellipse, 2 rounded "
          + "with its radius, 3 a polygon with its points")
    }
  }
}

extension InsideRule {
  /// Which rule, as the wire's `enum touchroute_inside`.
  fileprivate var number: Double {
    switch self {
    case .bounds: 0
    case .always: 1
    case .never: 2
    case .children: 3
    }
  }

  fileprivate init(_ number: Double, _ words: String) throws(ViewChange.Property.Mistake) {
    switch number {
    case 0: self = .bounds
    case 1: self = .always
    case 2: self = .never
    case 3: self = .children(words.split(separator: ",").map(String.init))
    default:
      throw ViewChange.Property.Mistake(
        text: "inside: \(number) is no rule: 0 is bounds, 1 always, 2 never, 3 children")
    }
  }
}

extension HitRule {
  /// Which rule, as the wire's `enum touchroute_hit`.
  fileprivate var number: Double {
    switch self {
    case .standard: 0
    case .itself: 1
    case .none: 2
    case .passThrough: 3
    case .redirect: 4
    case .first: 5
    }
  }

  fileprivate init(_ number: Double, _ words: String) throws(ViewChange.Property.Mistake) {
    switch number {
    case 0: self = .standard
    case 1: self = .itself
    case 2: self = .none
    case 3: self = .passThrough
    case 4 where !words.isEmpty: self = .redirect(words)
    case 5 where !words.isEmpty: self = .first(words)
    case 4, 5:
      throw ViewChange.Property.Mistake(
        text: "hit: redirect and first need the path of a descendant")
    default:
      throw ViewChange.Property.Mistake(
        text:
          "hit: \(number) is no rule: 0 is default, 1 self, 2 none, 3 pass_through, 4 redirect, "
          + "5 first")
    }
  }
}
