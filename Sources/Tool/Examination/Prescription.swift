package import TouchModel

/// A `[[device]]` of the configuration that turns filters on.
package struct Prescription {
  /// Its lines.
  package let lines: [String]

  /// The `[[device]]` for a touchscreen.
  ///
  /// - Parameters:
  ///   - settings: The filters.
  ///   - name: The touchscreen's name; nothing to match by where it is empty.
  package init(_ settings: SignalSettings, name: String, vendor: UInt16, product: UInt16) {
    lines =
      Self.heading(DeviceRule.Match(name: name, vendor: vendor, product: product))
      + Self.keys(settings)
  }

  /// What a `[[device]]` begins with.
  static func heading(_ match: DeviceRule.Match) -> [String] {
    let keys = [("name", match.name), ("id", match.id), ("path", match.path), ("phys", match.phys)]
    let words = keys.compactMap { key, pattern in pattern.map { "\(key) = \(quoted($0))" } }
    return ["[[device]]"]
      + (words.isEmpty ? [] : ["match = { \(words.joined(separator: ", ")) }"])
  }

  /// The keys that differ from their defaults.
  private static func keys(_ settings: SignalSettings) -> [String] {
    var keys: [String] = []
    if let bridge = settings.bridge { keys.append("bridge_ms = \(bridge.milliseconds)") }
    if settings.minimumContactMilliseconds > 0 {
      keys.append("min_contact_ms = \(settings.minimumContactMilliseconds)")
    }
    if case .oneEuro = settings.smoothing { keys.append("smooth = \"one_euro\"") }
    if let fastest = settings.maximumSpeed { keys.append("max_speed = \(Int(fastest))") }
    if settings.edge > 0 { keys.append("edge = \(Int(settings.edge))") }
    let ghosts: [(SignalSettings.Ghosts, String)] = [
      (.farApart, "far_apart"), (.aligned, "aligned"), (.samePlace, "same_place"),
    ]
    let words = ghosts.filter { settings.ghosts.contains($0.0) }.map { "\"\($0.1)\"" }
    if !words.isEmpty { keys.append("ghosts = [\(words.joined(separator: ", "))]") }
    if let stuck = settings.stuck { keys.append("stuck_ms = \(stuck.milliseconds)") }
    return keys
  }

  /// A basic string of TOML.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..<" ", "\u{7f}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension DeviceRule.Match {
  /// What matches a device alone, but for others of its kind.
  ///
  /// - Parameter name: Nothing to match by where it is empty.
  package init(name: String, vendor: UInt16, product: UInt16) {
    self.init(
      name: name.isEmpty ? nil : Self.literally(name),
      id: vendor == 0 && product == 0
        ? nil : "\(Self.hexadecimal(vendor)):\(Self.hexadecimal(product))")
  }

  /// A shell pattern that matches this alone.
  package static func literally(_ name: String) -> String {
    name.escaping { "*?[]\\".unicodeScalars.contains($0) ? "\\\($0)" : nil }
  }

  private static func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
