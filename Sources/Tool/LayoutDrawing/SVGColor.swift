/// The colours of a window's views: one hue a window, darker with depth.
struct SVGColor {
  /// In degrees.
  private let hue: Double

  private static let hues: [Double] = [210, 30, 130, 280, 345, 180, 55, 315]

  init(window: Int) { hue = Self.hues[window % Self.hues.count] }

  /// What a view of that depth is filled with; a window's depth is 0.
  func fill(depth: Int) -> String {
    Self.hexadecimal(hue, saturation: 0.62, lightness: max(0.66, 0.95 - 0.07 * Double(depth)))
  }

  var stroke: String { Self.hexadecimal(hue, saturation: 0.6, lightness: 0.35) }
  var text: String { Self.hexadecimal(hue, saturation: 0.7, lightness: 0.17) }

  static let untouchable = "#777777"
  static let target = "#d00020"
  static let zone = "#7030c0"
  static let superview = "#f08000"

  private static func hexadecimal(_ hue: Double, saturation: Double, lightness: Double) -> String {
    let amplitude = saturation * min(lightness, 1 - lightness)
    let channels = [0.0, 8, 4].map { offset in
      let k = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      let value = lightness - amplitude * max(-1, min(k - 3, 9 - k, 1))
      let text = String(Int((value * 255).rounded()), radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    return "#" + channels.joined()
  }
}
