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
      }
    }

    /// How many numbers its value is.
    public var valueCount: Int {
      switch self {
      case .hidden, .alpha, .interaction, .order: 1
      case .boundsOrigin: 2
      case .frame: 4
      case .transform: 6
      case .configured: 0
      }
    }
  }

  /// Why numbers are no value of a property.
  public struct Mistake: Error, Equatable, Sendable {
    /// Such as `hidden: 2.0 is neither 0 nor 1`.
    public var text: String

    /// The mistake.
    public init(text: String) { self.text = text }
  }

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
    }
  }

  /// The configuration's key for it.
  public var name: String { kind.name }

  /// Its value as numbers, as many as its kind has; flags are 0 or 1.
  public var values: [Double] {
    switch self {
    case .hidden(let value), .interaction(let value): [value ? 1 : 0]
    case .alpha(let value): [value]
    case .frame(let value): [value.x, value.y, value.width, value.height]
    case .boundsOrigin(let value): [value.x, value.y]
    case .transform(let value): [value.a, value.b, value.c, value.d, value.tx, value.ty]
    case .order(let value): [Double(value)]
    case .configured: []
    }
  }

  /// The property of which these are ``values``. Whether a view can have it is for the layout to
  /// say.
  public init(_ kind: Kind, _ values: [Double]) throws(Mistake) {
    guard values.count == kind.valueCount else {
      throw Mistake(text: "\(kind.name): its values are \(kind.valueCount), not \(values.count)")
    }
    switch kind {
    case .hidden: self = .hidden(try Self.flag(values[0], kind))
    case .alpha: self = .alpha(values[0])
    case .interaction: self = .interaction(try Self.flag(values[0], kind))
    case .frame:
      self = .frame(Rect(x: values[0], y: values[1], width: values[2], height: values[3]))
    case .boundsOrigin: self = .boundsOrigin(Point(x: values[0], y: values[1]))
    case .transform:
      self = .transform(
        AffineTransform(
          a: values[0], b: values[1], c: values[2], d: values[3], tx: values[4], ty: values[5]))
    case .order: self = .order(try Self.place(values[0]))
    case .configured: self = .configured
    }
  }

  private static func flag(_ value: Double, _ kind: Kind) throws(Mistake) -> Bool {
    guard value == 0 || value == 1 else {
      throw Mistake(text: "\(kind.name): \(value) is neither 0 nor 1")
    }
    return value == 1
  }

  private static func place(_ value: Double) throws(Mistake) -> Int {
    guard value >= 0, value <= Double(Int32.max), let place = Int(exactly: value) else {
      throw Mistake(text: "order: \(value) is no place: they are whole numbers from 0")
    }
    return place
  }
}
