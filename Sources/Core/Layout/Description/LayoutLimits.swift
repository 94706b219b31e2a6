/// How large a ``Layout`` may be. Rule F5: what is beyond a limit is refused with its name.
public struct LayoutLimits: Equatable, Sendable {
  /// Screens of a layout.
  public var screens = 64
  /// Windows of a layout.
  public var windows = 4096
  /// Views of a layout, windows included: as many as even a slow machine lays out anew within the
  /// watchdog's time.
  public var views = 131_072
  /// Views from a window to its deepest descendant, both counted.
  public var depth = 1024
  /// Bytes of a name: a screen's, a window's, a view's, a controller's or an application's.
  public var nameLength = 255
  /// Points of a polygon.
  public var polygonPoints = 1024
  /// The magnitude of a coordinate, a size, an outset or a coefficient of a transform.
  public var coordinate = 1_000_000_000.0

  /// The limits that the shipped configuration names.
  public static let `default` = LayoutLimits()

  /// The default limits, to be changed one by one.
  public init() {}
}

extension LayoutLimits {
  /// What is wrong with a name; nil where it is one. Rule L5: names hold no `:`, `/` or `@`, so
  /// that no path reads as one of another kind.
  package func problem(withName name: String, of what: String) -> String? {
    if name.isEmpty { return "the name of a \(what) can't be empty" }
    let isValid = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    if !isValid { return "\"\(name)\" is no name: names are made of A-Z, a-z, 0-9, _, . and -" }
    guard name.utf8.count > nameLength else { return nil }
    return "a name of \(name.utf8.count) bytes is longer than the limit `name_length` of "
      + "\(nameLength)"
  }

  /// What is wrong with the size of a number; nil where it is within the limit.
  func problem(withMagnitudeOf number: Double) -> String? {
    guard abs(number) > coordinate else { return nil }
    return "\(number) is beyond the limit `coordinate` of \(coordinate)"
  }
}
