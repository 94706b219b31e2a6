import CTouchroute
public import TouchModel

/// Where an attachment's responder is.
public struct AttachmentGeometry: Equatable, Sendable {
  /// The attachment.
  public var attachment: AttachmentID
  /// The layout's generation; it goes up with every change.
  public var generation: UInt32
  /// The screen: an index into ``Welcome/screens``; nil for an application, whose other values are
  /// all 0.
  public var screen: UInt32?
  /// How many views a touch's target can be: what describe lists.
  public var viewCount: UInt32
  /// How many of them were added through the attachment. If that is less than the program has
  /// added, a reload has not kept all of them. Rule L7.
  public var addedCount: UInt32
  /// The box around the view, in points of the screen.
  public var frame: Rect
  /// The view's bounds, in its own coordinates.
  public var bounds: Rect
  /// From points of the screen to the view's coordinates.
  public var transform: AffineTransform

  /// The message as the C library shows it.
  init(_ attached: touchroute_attached) {
    attachment = AttachmentID(attached.attachment)
    generation = attached.generation
    screen = attached.screen == TOUCHROUTE_NONE ? nil : attached.screen
    viewCount = attached.view_count
    addedCount = attached.added_count
    frame = Rect(attached.frame)
    bounds = Rect(attached.bounds)
    transform = AffineTransform(attached.transform)
  }
}

extension Rect {
  /// The wire's x, y, width, height.
  init(_ numbers: (Double, Double, Double, Double)) {
    self.init(x: numbers.0, y: numbers.1, width: numbers.2, height: numbers.3)
  }
}

extension AffineTransform {
  /// The wire's a, b, c, d, tx, ty.
  init(_ numbers: (Double, Double, Double, Double, Double, Double)) {
    self.init(
      a: numbers.0, b: numbers.1, c: numbers.2, d: numbers.3, tx: numbers.4, ty: numbers.5)
  }
}
