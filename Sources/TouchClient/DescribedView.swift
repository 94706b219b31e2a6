import CTouchroute
public import TouchModel
public import Wire

/// A view as the daemon has it: an item of describe.
public struct DescribedView: Equatable, Sendable {
  /// Properties that are on or off; the bits are the wire's.
  public typealias Flags = Wire.ViewFlags

  /// Its index among the views of the path described, from 0.
  public var index: UInt32
  /// Its superview's index among them, where that is one of them.
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
