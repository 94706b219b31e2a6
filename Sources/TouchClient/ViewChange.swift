import CTouchroute
public import TouchModel

/// A property of a view or window as it is to be, for ``TouchConnection/set(_:)``.
public struct ViewChange: Equatable, Sendable {
  /// What can be set, with its value. Rule L2.
  public enum Property: Equatable, Sendable {
    /// Whether hit-testing passes over the view and what is in it. Rule H2.
    case hidden(Bool)
    /// From 0 to 1; at 0.01 or below it is as good as hidden. Rule H2.
    case alpha(Double)
    /// Whether the view and what is in it take touches. Rule H2.
    case interaction(Bool)
    /// Where it is, in the superview's coordinates; of a window, in points of the screen.
    case frame(Rect)
    /// The point of its own coordinates at its top left corner: where a list is scrolled to.
    case boundsOrigin(Point)
    /// Turns, scales or moves it about the frame's centre.
    case transform(AffineTransform)
    /// Its place among its siblings, a window's among those of its level: 0 at the back, and at the
    /// front where there are fewer.
    case order(UInt32)
    /// All of these as the configuration says.
    case configured
  }

  /// The view's or window's path. Rule L5.
  public var path: String
  /// What it is to be.
  public var property: Property

  /// A change of the view or window at the path.
  public init(_ path: String, _ property: Property) {
    self.path = path
    self.property = property
  }

  /// The changes as the C library takes them, as long as the function runs.
  static func withWireChanges<Result>(
    _ changes: [ViewChange],
    _ body: (UnsafeBufferPointer<touchroute_property_change>) -> Result
  ) -> Result {
    let paths = changes.map { Array($0.path.utf8CString) }
    let starts = paths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    return Array(paths.joined()).withUnsafeBufferPointer { bytes in
      let wire = zip(changes, starts).map { change, start in
        var wire = touchroute_property_change()
        wire.path = bytes.baseAddress.map { $0 + start }
        (wire.property, wire.values) = change.property.wire
        return wire
      }
      return wire.withUnsafeBufferPointer(body)
    }
  }
}

extension ViewChange.Property {
  fileprivate typealias Values = (Double, Double, Double, Double, Double, Double)

  /// The property's number and values. The corresponding C enum is touchroute_property.
  fileprivate var wire: (UInt32, Values) {
    func values(
      _ a: Double = 0, _ b: Double = 0, _ c: Double = 0, _ d: Double = 0, _ e: Double = 0,
      _ f: Double = 0
    ) -> Values { (a, b, c, d, e, f) }
    return switch self {
    case .hidden(let on): (TOUCHROUTE_PROPERTY_HIDDEN.rawValue, values(on ? 1 : 0))
    case .alpha(let alpha): (TOUCHROUTE_PROPERTY_ALPHA.rawValue, values(alpha))
    case .interaction(let on): (TOUCHROUTE_PROPERTY_INTERACTION.rawValue, values(on ? 1 : 0))
    case .frame(let frame):
      (
        TOUCHROUTE_PROPERTY_FRAME.rawValue,
        values(frame.x, frame.y, frame.width, frame.height)
      )
    case .boundsOrigin(let origin):
      (TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN.rawValue, values(origin.x, origin.y))
    case .transform(let t):
      (TOUCHROUTE_PROPERTY_TRANSFORM.rawValue, values(t.a, t.b, t.c, t.d, t.tx, t.ty))
    case .order(let place): (TOUCHROUTE_PROPERTY_ORDER.rawValue, values(Double(place)))
    case .configured: (TOUCHROUTE_PROPERTY_CONFIGURED.rawValue, values())
    }
  }
}
