extension ViewChange.Property {
  /// Which property, without its value; the raw values are the wire's `enum touchroute_property`.
  public enum Kind: UInt32, Sendable, CaseIterable {
    /// See ``ViewChange/Property/hidden(_:)``.
    case hidden = 1
    /// See ``ViewChange/Property/alpha(_:)``.
    case alpha = 2
    /// See ``ViewChange/Property/interaction(_:)``.
    case interaction = 3
    /// See ``ViewChange/Property/frame(_:)``.
    case frame = 4
    /// See ``ViewChange/Property/boundsOrigin(_:)``.
    case boundsOrigin = 5
    /// See ``ViewChange/Property/transform(_:)``.
    case transform = 6
    /// See ``ViewChange/Property/order(_:)``.
    case order = 7
    /// See ``ViewChange/Property/configured``.
    case configured = 8
    /// See ``ViewChange/Property/outset(_:)``.
    case outset = 9
    /// See ``ViewChange/Property/shape(_:)``.
    case shape = 10
    /// See ``ViewChange/Property/inside(_:)``.
    case inside = 11
    /// See ``ViewChange/Property/hit(_:)``.
    case hit = 12
    /// See ``ViewChange/Property/secure(_:)``.
    case secure = 13
    /// See ``ViewChange/Property/exclusiveTouch(_:)``.
    case exclusiveTouch = 14
    /// See ``ViewChange/Property/multipleTouch(_:)``.
    case multipleTouch = 15
    /// See ``ViewChange/Property/level(_:)``.
    case level = 16
    /// See ``ViewChange/Property/enabled(_:)``.
    case enabled = 17

    /// The configuration's key for it.
    public var name: String {
      switch self {
      case .hidden: "hidden"
      case .alpha: "alpha"
      case .interaction: "interaction"
      case .frame: "frame"
      case .boundsOrigin: "bounds_origin"
      case .transform: "transform"
      case .order: "order"
      case .configured: "configured"
      case .outset: "outset"
      case .shape: "shape"
      case .inside: "inside"
      case .hit: "hit"
      case .secure: "secure"
      case .exclusiveTouch: "exclusive_touch"
      case .multipleTouch: "multiple_touch"
      case .level: "level"
      case .enabled: "enabled"
      }
    }

    /// Whether names or a path may go with its numbers.
    public var hasWords: Bool { self == .inside || self == .hit }

    /// How many numbers its value is, beside what words and points go with them.
    public var valueCount: Int {
      switch self {
      case .hidden, .alpha, .interaction, .order, .secure, .exclusiveTouch, .multipleTouch, .level,
        .inside, .hit, .enabled:
        1
      case .boundsOrigin, .shape: 2
      case .frame, .outset: 4
      case .transform: 6
      case .configured: 0
      }
    }
  }

  /// Why numbers, words and points are no value of a property.
  public struct Mistake: Error, Equatable, Sendable {
    /// Such as `hidden: 2.0 is neither 0 nor 1`.
    public var text: String

    /// The mistake.
    public init(text: String) { self.text = text }
  }

  /// The levels that a window may have.
  public static let levels = -1_000_000...1_000_000

  /// Which property it is.
  public var kind: Kind {
    switch self {
    case .hidden: .hidden
    case .alpha: .alpha
    case .interaction: .interaction
    case .frame: .frame
    case .boundsOrigin: .boundsOrigin
    case .transform: .transform
    case .order: .order
    case .configured: .configured
    case .outset: .outset
    case .shape: .shape
    case .inside: .inside
    case .hit: .hit
    case .secure: .secure
    case .exclusiveTouch: .exclusiveTouch
    case .multipleTouch: .multipleTouch
    case .level: .level
    case .enabled: .enabled
    }
  }

  /// The configuration's key for it.
  public var name: String { kind.name }

  /// Its value as numbers, as many as its kind has; flags are 0 or 1, and words their number.
  public var values: [Double] {
    switch self {
    case .hidden(let value), .interaction(let value), .secure(let value),
      .exclusiveTouch(let value), .multipleTouch(let value), .enabled(let value):
      [value ? 1 : 0]
    case .alpha(let value): [value]
    case .frame(let value): [value.x, value.y, value.width, value.height]
    case .boundsOrigin(let value): [value.x, value.y]
    case .transform(let value): [value.a, value.b, value.c, value.d, value.tx, value.ty]
    case .order(let value), .level(let value): [Double(value)]
    case .configured: []
    case .outset(let value): [value.top, value.left, value.bottom, value.right]
    case .shape(let value): value.numbers
    case .inside(let value): [value.number]
    case .hit(let value): [value.number]
    }
  }

  /// The names or the path that go with the numbers: of `inside` and `hit`. Empty where there are
  /// none.
  public var words: String {
    switch self {
    case .inside(.children(let names)): names.joined(separator: ",")
    case .hit(.redirect(let path)), .hit(.first(let path)): path
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
    _ kind: Kind, _ values: [Double], _ words: String, _ points: [Point]
  ) throws(Mistake) -> Self {
    switch kind {
    case .hidden: .hidden(try flag(values[0], kind))
    case .alpha: .alpha(values[0])
    case .interaction: .interaction(try flag(values[0], kind))
    case .frame: .frame(Rect(x: values[0], y: values[1], width: values[2], height: values[3]))
    case .boundsOrigin: .boundsOrigin(Point(x: values[0], y: values[1]))
    case .transform:
      .transform(
        AffineTransform(
          a: values[0], b: values[1], c: values[2], d: values[3], tx: values[4], ty: values[5]))
    case .order: .order(try whole(values[0], kind, 0...Int(Int32.max)))
    case .configured: .configured
    case .outset:
      .outset(Outset(top: values[0], left: values[1], bottom: values[2], right: values[3]))
    case .shape: .shape(try Shape(values, points))
    case .inside: .inside(try InsideRule(values[0], words))
    case .hit: .hit(try HitRule(values[0], words))
    case .secure: .secure(try flag(values[0], kind))
    case .exclusiveTouch: .exclusiveTouch(try flag(values[0], kind))
    case .multipleTouch: .multipleTouch(try flag(values[0], kind))
    case .level: .level(try whole(values[0], kind, levels))
    case .enabled: .enabled(try flag(values[0], kind))
    }
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
