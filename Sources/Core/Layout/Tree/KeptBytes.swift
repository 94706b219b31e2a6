import TouchModel

/// What is charged to a user for what its programs have set and added, in bytes.
/// docs/configuration.md says the same. Rule F5.
enum KeptBytes {
  /// The least for a view.
  static let ofView = 3072
  /// The least for a setting.
  static let ofSetting = 256
  private static let ofName = 64
  private static let ofPoint = 16

  /// A view that was added, as it was.
  static func of(_ view: LayoutDescription.View) -> Int {
    let properties = view.properties
    var bytes = ofView + 4 * view.path.utf8.count + (properties.controller?.utf8.count ?? 0)
    bytes += of(properties.shape) + of(properties.inside) + of(properties.hit)
    return properties.texts.reduce(bytes) { $0 + of($1.words) }
  }

  /// A property that was set.
  static func of(_ property: ViewChange.Property?) -> Int {
    switch property {
    case .shape(let shape): ofSetting + of(shape)
    case .inside(let inside): ofSetting + of(inside)
    case .hit(let hit): ofSetting + of(hit)
    case let property?:
      if case .text(let text) = property.value { ofSetting + of(text) } else { ofSetting }
    case nil: ofSetting
    }
  }

  private static func of(_ text: String) -> Int {
    text.isEmpty ? 0 : ofName + text.utf8.count
  }

  private static func of(_ shape: Shape) -> Int {
    if case .polygon(let points) = shape { ofName + ofPoint * points.count } else { 0 }
  }

  private static func of(_ inside: InsideRule) -> Int {
    guard case .children(let names) = inside else { return 0 }
    return names.reduce(0) { $0 + ofName + $1.utf8.count }
  }

  private static func of(_ hit: HitRule) -> Int {
    switch hit {
    case .redirect(let path), .first(let path): ofName + path.utf8.count
    case .standard, .itself, .none, .passThrough: 0
    }
  }
}
