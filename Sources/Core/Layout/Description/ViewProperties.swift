public import TouchModel

/// A distance that may depend on the superview: `points + fraction · (the superview's extent)`.
public struct Length: Equatable, Sendable {
  /// The fixed part, in points.
  public var points: Double
  /// The share of the superview's width or height; 0.5 for "50%".
  public var fraction: Double

  /// A length of points and a share of the superview.
  @inlinable
  public init(points: Double, fraction: Double = 0) {
    self.points = points
    self.fraction = fraction
  }

  /// The length in points under a superview of that extent.
  @inlinable
  public func resolved(in extent: Double) -> Double { points + fraction * extent }
}

/// A frame whose numbers may depend on the superview's size.
public struct FrameDescription: Equatable, Sendable {
  /// The left edge, in the superview's coordinates.
  public var x: Length
  /// The top edge, in the superview's coordinates.
  public var y: Length
  /// The width.
  public var width: Length
  /// The height.
  public var height: Length

  /// A frame of four lengths.
  public init(x: Length, y: Length, width: Length, height: Length) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A frame of four fixed numbers, in points.
  public init(_ rect: Rect) {
    self.init(
      x: Length(points: rect.x), y: Length(points: rect.y),
      width: Length(points: rect.width), height: Length(points: rect.height))
  }
}

/// What a view is, but for its name and where it is in the tree. Rules L2 and section 2.
///
/// Most views have a frame in points and nothing else, and there may be very many of them: what few
/// have lies elsewhere.
public struct ViewProperties: Equatable, Sendable {
  /// The frame's lengths in points.
  private var points: Rect
  private var flags: Flags = [.interaction, .multipleTouch]
  /// Nil where all of it is as by default, and only there.
  private var rare: Shared?

  /// A view of that frame, with every other property at its default.
  public init(frame: FrameDescription) {
    points = .zero
    self.frame = frame
  }

  /// x, y, width and height in the superview's coordinates, or the screen's for a window.
  public var frame: FrameDescription {
    get {
      var frame = FrameDescription(points)
      guard let fractions = rare?.value.fractions else { return frame }
      frame.x.fraction = fractions.x
      frame.y.fraction = fractions.y
      frame.width.fraction = fractions.width
      frame.height.fraction = fractions.height
      return frame
    }
    set {
      points = Rect(
        x: newValue.x.points, y: newValue.y.points, width: newValue.width.points,
        height: newValue.height.points)
      let fractions = Rect(
        x: newValue.x.fraction, y: newValue.y.fraction, width: newValue.width.fraction,
        height: newValue.height.fraction)
      if rare != nil || fractions != .zero { change { $0.fractions = fractions } }
    }
  }

  /// The coordinates of the top left corner of its bounds, in its own coordinates.
  public var boundsOrigin: Point {
    get { rare?.value.boundsOrigin ?? .zero }
    set { change { $0.boundsOrigin = newValue } }
  }
  /// Applied about its centre.
  public var transform: AffineTransform {
    get { rare?.value.transform ?? .identity }
    set { change { $0.transform = newValue } }
  }
  /// Not there for touches, subtree included.
  public var hidden: Bool {
    get { flags.contains(.hidden) }
    set { set(.hidden, newValue) }
  }
  /// At 0.01 or less it is not there for touches, subtree included.
  public var alpha: Double {
    get { rare?.value.alpha ?? 1 }
    set { change { $0.alpha = newValue } }
  }
  /// UIKit's isUserInteractionEnabled: where false, not there for touches, subtree included.
  public var interaction: Bool {
    get { flags.contains(.interaction) }
    set { set(.interaction, newValue) }
  }
  /// How far its touch region goes beyond its bounds, side by side. Rule H3.
  public var outset: Outset {
    get { rare?.value.outset ?? .zero }
    set { change { $0.outset = newValue } }
  }
  /// What of its touch region is inside it. Rule H4.
  public var shape: Shape {
    get { rare?.value.shape ?? .rect }
    set { change { $0.shape = newValue } }
  }
  /// What else makes a point lie inside it, or not. Rule H5.
  public var inside: InsideRule {
    get { rare?.value.inside ?? .bounds }
    set { change { $0.inside = newValue } }
  }
  /// What its hitTest finds. Rule H6.
  public var hit: HitRule {
    get { rare?.value.hit ?? .standard }
    set { change { $0.hit = newValue } }
  }
  /// Whether it takes more than one touch at a time. Rule T13.
  public var multipleTouch: Bool {
    get { flags.contains(.multipleTouch) }
    set { set(.multipleTouch, newValue) }
  }
  /// Whether it and the other views of its window never have touches at once. Rule T13.
  public var exclusiveTouch: Bool {
    get { flags.contains(.exclusiveTouch) }
    set { set(.exclusiveTouch, newValue) }
  }
  /// Observers get no location of its touches. Rule F7.
  public var secure: Bool {
    get { flags.contains(.secure) }
    set { set(.secure, newValue) }
  }
  /// Its name for people, which touches do not depend on; empty where it has none. Rule L2.
  public var label: String {
    get { rare?.value.label ?? "" }
    set { change { $0.label = newValue } }
  }
  /// The name of the feedback that a finger on it gives; empty where that is its superview's.
  /// Rule D10.
  public var feedback: String {
    get { rare?.value.feedback ?? "" }
    set { change { $0.feedback = newValue } }
  }
  /// The name of its controller. Rule L3.
  public var controller: String? {
    get { rare?.value.controller }
    set { change { $0.controller = newValue } }
  }

  /// A property as it is; nil if views do not have it of themselves, as their order. Of a frame,
  /// its points.
  package func property(_ kind: ViewChange.Property.Kind) -> ViewChange.Property? {
    switch kind {
    case .hidden: .hidden(hidden)
    case .alpha: .alpha(alpha)
    case .interaction: .interaction(interaction)
    case .frame: .frame(points)
    case .boundsOrigin: .boundsOrigin(boundsOrigin)
    case .transform: .transform(transform)
    case .outset: .outset(outset)
    case .shape: .shape(shape)
    case .inside: .inside(inside)
    case .hit: .hit(hit)
    case .secure: .secure(secure)
    case .exclusiveTouch: .exclusiveTouch(exclusiveTouch)
    case .multipleTouch: .multipleTouch(multipleTouch)
    case .label: .label(label)
    case .feedback: .feedback(feedback)
    case .order, .level, .enabled, .configured: nil
    }
  }

  /// Its texts, but for empty ones.
  package var texts: [ViewChange.Property] {
    if isPlain { return [] }
    return ViewChange.Property.Kind.texts.compactMap(property).filter { !$0.words.isEmpty }
  }

  /// Takes a property in, if views have it of themselves.
  package mutating func take(_ property: ViewChange.Property) {
    switch property {
    case .hidden(let value): hidden = value
    case .alpha(let value): alpha = value
    case .interaction(let value): interaction = value
    case .frame(let value): frame = FrameDescription(value)
    case .boundsOrigin(let value): boundsOrigin = value
    case .transform(let value): transform = value
    case .outset(let value): outset = value
    case .shape(let value): shape = value
    case .inside(let value): inside = value
    case .hit(let value): hit = value
    case .secure(let value): secure = value
    case .exclusiveTouch(let value): exclusiveTouch = value
    case .multipleTouch(let value): multipleTouch = value
    case .label(let value): label = value
    case .feedback(let value): feedback = value
    case .order, .level, .enabled, .configured: break
    }
  }

  /// Whether it has nothing but a frame in points, and flags.
  var isPlain: Bool { rare == nil }

  private mutating func set(_ flag: Flags, _ isOn: Bool) {
    if isOn { flags.insert(flag) } else { flags.remove(flag) }
  }

  private mutating func change(_ change: (inout Rare) -> Void) {
    var value = rare?.value ?? .none
    change(&value)
    rare = value == .none ? nil : Shared(value)
  }

  private struct Flags: OptionSet, Sendable {
    var rawValue: UInt8
    static let hidden = Flags(rawValue: 1 << 0)
    static let interaction = Flags(rawValue: 1 << 1)
    static let multipleTouch = Flags(rawValue: 1 << 2)
    static let exclusiveTouch = Flags(rawValue: 1 << 3)
    static let secure = Flags(rawValue: 1 << 4)
  }

  /// What few views have.
  private struct Rare: Equatable, Sendable {
    /// The frame's shares of the superview's size.
    var fractions = Rect.zero
    var boundsOrigin = Point.zero
    var transform = AffineTransform.identity
    var alpha = 1.0
    var outset = Outset.zero
    var shape = Shape.rect
    var inside = InsideRule.bounds
    var hit = HitRule.standard
    var controller: String?
    var label = ""
    var feedback = ""
    static let none = Rare()
  }

  /// Shared by copies; never changes.
  private final class Shared: Equatable, Sendable {
    let value: Rare

    init(_ value: Rare) { self.value = value }

    static func == (one: Shared, other: Shared) -> Bool {
      one === other || one.value == other.value
    }
  }
}
