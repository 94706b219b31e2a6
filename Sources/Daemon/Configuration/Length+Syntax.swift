import Layout

extension Length {
  /// A share of the superview's extent as a configuration writes it: `50%`, `100%-40`, `12.5% + 8`;
  /// nil where the text is no such thing.
  init?(_ text: String) {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    guard parts.count == 2, let share = Self.decimal(parts[0]) else { return nil }
    let rest = parts[1].filter { $0 != " " }
    if rest.isEmpty {
      self.init(points: 0, fraction: share / 100)
    } else if rest.first == "+" || rest.first == "-", let points = Self.decimal(rest.dropFirst()) {
      self.init(points: rest.first == "-" ? -points : points, fraction: share / 100)
    } else {
      return nil
    }
  }

  /// Digits with at most one point; the sign alone is allowed before them. Neither exponents nor
  /// the words that Double knows.
  private static func decimal(_ text: some StringProtocol) -> Double? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let allowed = digits.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    guard allowed, digits.count <= 32, let number = Double(String(text)) else { return nil }
    return number
  }
}
