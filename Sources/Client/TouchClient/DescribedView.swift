import CTouchroute
public import TouchModel
public import Wire

/// A view in the daemon's layout: an item of describe.
public struct DescribedView: Equatable, Sendable {
  /// Properties of a view, as flags; the bits are the wire's.
  public typealias Flags = Wire.ViewFlags

  /// Its index among the views of the path described, from 0.
  public var index: UInt32
  /// Its superview's index among them; nil if that is not one of them.
  public var parent: UInt32?
  /// Its path. Rule L5.
  public var path: String
  /// The name of its controller; empty if it has none. Rule L3.
  public var controller: String
  /// Its flags.
  public var flags: Flags
  /// The process that holds it; nil if none does.
  public var holder: Int32?
  /// The process that holds its controller; nil if none does.
  public var controllerHolder: Int32?
  /// Its frame, in the superview's coordinates. Rule L2.
  public var frame: Rect
  /// The origin of its own coordinates.
  public var boundsOrigin: Point
  /// Its transform about its centre.
  public var transform: AffineTransform
  /// How opaque it is, from 0 to 1.
  public var alpha: Double
  /// Further properties of a window, and of a view that a program has added.
  public var details: ViewDetails?
  /// Its overrides; and its outset, shape, inside, hit and level that differ from the default.
  public var properties: [DescribedProperty] = []

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

/// Further properties of a window, and of a view that a program has added: an item of describe,
/// after its view.
public struct ViewDetails: Equatable, Sendable {
  /// Further flags of a view; the bits are the wire's.
  public typealias Flags = Wire.ViewDetailsFlags

  /// The view's index among the views of the path described.
  public var view: UInt32
  /// Of a window: its screen's index in ``Welcome/screens``.
  public var screen: UInt32?
  /// Its flags.
  public var flags: Flags
  /// The process that has added it; nil if none did, or if it has disconnected. Rule L7.
  public var program: Int32?
  /// Of a window: the name of its application; empty if it has none.
  public var application: String

  /// The message as the C library shows it.
  init(_ details: touchroute_view_details, application: String) {
    view = details.index
    screen = details.screen == TOUCHROUTE_NONE ? nil : details.screen
    flags = Flags(rawValue: details.flags)
    program = details.pid == 0 ? nil : details.pid
    self.application = application
  }
}

/// A property of a view in force, and who has set it: an item of describe, after its view.
public struct DescribedProperty: Equatable, Sendable {
  /// Who has set a property; the numbers are the wire's.
  public typealias Setter = Wire.Setter

  /// The view's index among the views of the path described.
  public var view: UInt32
  /// Which property, and its value.
  public var property: ViewChange.Property
  /// Who has set it.
  public var setter: Setter
  /// The process through whose attachment it was set.
  public var program: Int32?

  /// The message as the C library shows it; nil where it is of a property, a right or a value that
  /// this version does not know.
  init?(_ item: touchroute_view_property, _ change: touchroute_property_change) {
    guard let kind = ViewChange.Property.Kind(rawValue: change.property),
      let setter = Setter(rawValue: item.setter)
    else { return nil }
    let values = withUnsafeBytes(of: change.values) { bytes in
      Array(bytes.bindMemory(to: Double.self).prefix(Int(item.value.value_count)))
    }
    let numbers = UnsafeBufferPointer(
      start: change.points, count: change.points == nil ? 0 : 2 * Int(change.point_count))
    let points = stride(from: 0, to: numbers.count, by: 2).map {
      Point(x: numbers[$0], y: numbers[$0 + 1])
    }
    let words = change.words.map { String(cString: $0) } ?? ""
    guard
      let property = try? ViewChange.Property(kind, values, words: words, points: points)
    else { return nil }
    view = item.index
    self.property = property
    self.setter = setter
    program = item.pid == 0 ? nil : item.pid
  }
}

extension [DescribedView] {
  /// The views of some events, which are answers to describe, with what comes behind each.
  init(of events: [TouchEvent]) {
    self.init()
    for event in events { take(event) }
  }

  /// Takes an item of describe in: a view, or what there is to be said of the last one.
  public mutating func take(_ event: TouchEvent) {
    switch event {
    case .view(_, let view): append(view)
    case .viewDetails(_, let details) where last?.index == details.view:
      self[count - 1].details = details
    case .viewProperty(_, let property) where last?.index == property.view:
      self[count - 1].properties.append(property)
    default: break
    }
  }
}
