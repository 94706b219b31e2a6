extension String {
  /// The text with something else in place of some of its scalars, which is what those who read it
  /// go by: to them a `<` is one also with an accent on it, though both are one `Character`.
  ///
  /// - Parameter escape: What stands in place of a scalar; nil where it stays.
  package func escaping(_ escape: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    text.reserveCapacity(utf8.count + 8)
    for scalar in unicodeScalars {
      if let other = escape(scalar) {
        text += other
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
