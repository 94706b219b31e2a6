package import TouchModel

/// A calibration as keys of a `[[device]]`.
package struct CalibrationKeys {
  /// The keys that it consists of, a line each; none where nothing is to be mended.
  package let lines: [String]
  /// The keys of a `[[device]]` that they take the place of.
  package var replaced: [String] {
    let keys = ["calibration", "invert_x", "invert_y", "swap_xy"]
    return lines.contains { $0.hasPrefix("rotation") } ? ["rotation"] + keys : keys
  }
  /// What is wrong, in words.
  package let words: String

  /// The keys of a remedy.
  ///
  /// - Parameters:
  ///   - mounted: The rotation that is in force for the device: its own, or its screen's.
  ///   - hasMatrix: Whether a matrix is in force without these keys, such as udev's.
  package init(_ remedy: Calibration.Remedy, mounted: Screen.Rotation, hasMatrix: Bool) {
    switch remedy {
    case .none:
      lines = []
      words = "nothing is to be corrected"
    case .matrix(let numbers):
      lines = ["calibration = [\(numbers.map(Self.number).joined(separator: ", "))]"]
      words = "it needs a matrix"
    case .orientation(let way):
      if let rotation = way.rotation {
        let all = mounted.followed(by: rotation).rawValue
        // A matrix would come before the turn.
        lines =
          (hasMatrix ? ["calibration = [1, 0, 0, 0, 1, 0]"] : []) + ["rotation = \(all)"]
        words =
          rotation == .none
          ? "without the matrix in force it would be right"
          : "it is mounted \(rotation.rawValue) degrees further clockwise than its panel"
      } else {
        let keys = [
          (way.invertsX, "invert_x"), (way.invertsY, "invert_y"), (way.swaps, "swap_xy"),
        ]
        let names = keys.filter(\.0).map(\.1)
        lines = names.map { "\($0) = true" }
        words = "its axes lie otherwise: \(names.joined(separator: ", "))"
      }
    }
  }

  /// To six decimals: a millionth of a panel.
  private static func number(_ value: Double) -> String {
    let rounded = (value * 1_000_000).rounded() / 1_000_000
    return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }

  /// The lines of a `[[device]]` of its own.
  ///
  /// - Parameter screen: The screen's name, where it must be given.
  package func rule(for match: DeviceRule.Match, screen: String?) -> [String] {
    Prescription.heading(match)
      + (screen.map { ["screen = \(Prescription.quoted($0))"] } ?? []) + lines
  }
}
