import CTouchroute
public import TouchModel

/// A view as the daemon has it: an item of describe.
public struct DescribedView: Equatable, Sendable {
  /// Properties that are on or off; the bits are the wire's.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// One bit for each property.
    public var rawValue: UInt32

    /// The properties of those bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Neither it nor what is in it is hit. Rule H2.
    public static let hidden = Flags(rawValue: 1 << 0)
    /// Likewise, though it is to be seen: `interaction = false`.
    public static let noInteraction = Flags(rawValue: 1 << 1)
    /// It takes one touch at a time. Rule T13.
    public static let singleTouch = Flags(rawValue: 1 << 2)
    /// Its touch keeps those of other views of the window out. Rule T13.
    public static let exclusiveTouch = Flags(rawValue: 1 << 3)
    /// Observers get no location of its touches. Rule F7.
    public static let secure = Flags(rawValue: 1 << 4)
  }

  /// Its place among the views of the path described, from 0.
  public var index: UInt32
  /// Its superview's place among them, where that is one of them.
  public var parent: UInt32?
  /// Its path. Rule L5.
  public var path: String
  /// The name of its controller; empty where it has none. Rule L3.
  public var controller: String
  /// What is on.
  public var flags: Flags
  /// The process that holds it, where one does.
  public var holder: Int32?
  /// The process that holds its controller, where one does.
  public var controllerHolder: Int32?
  /// Its frame, in the superview's coordinates. Rule L2.
  public var frame: Rect
  /// The origin of its own coordinates.
  public var boundsOrigin: Point
  /// Its transform about its centre.
  public var transform: AffineTransform
  /// How opaque it is, from 0 to 1.
  public var alpha: Double

  /// The message as the C library shows it.
  init(_ view: touchroute_view, path: String, controller: String) {
    index = view.index
    parent = view.parent == TOUCHROUTE_NONE ? nil : view.parent
    self.path = path
    self.controller = controller
    flags = Flags(rawValue: view.flags)
    holder = view.holder == 0 ? nil : view.holder
    controllerHolder = view.controller_holder == 0 ? nil : view.controller_holder
    frame = Rect(view.frame)
    boundsOrigin = Point(x: view.bounds_origin.0, y: view.bounds_origin.1)
    transform = AffineTransform(view.transform)
    alpha = view.alpha
  }
}
