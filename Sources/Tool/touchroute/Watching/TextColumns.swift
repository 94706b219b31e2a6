import CLinux
import Glibc
import TouchModel

/// Text in the columns of a terminal, in which some characters take two, and some none.
enum TextColumns {
  /// Says what characters are, whatever the locale: before the first text is measured.
  static func prepare() { setlocale(LC_CTYPE, "C.UTF-8") }

  /// The text in so many columns at most. What is cut ends in `…`.
  static func cut(_ text: String, to columns: Int) -> String {
    let text = text.printable()
    guard width(of: text) > columns else { return text }
    var cut = ""
    var left = columns - 1
    for scalar in text.unicodeScalars {
      left -= width(of: scalar)
      if left < 0 { break }
      cut.unicodeScalars.append(scalar)
    }
    return columns > 0 ? "\(cut)…" : ""
  }

  /// The text in exactly so many columns, at their left or right.
  static func fill(_ text: String, _ columns: Int, right: Bool = false) -> String {
    let text = cut(text, to: columns)
    let blanks = String(repeating: " ", count: max(0, columns - width(of: text)))
    return right ? blanks + text : text + blanks
  }

  private static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    // What the library does not know takes two columns at most.
    let width = Int(clinux_character_width(scalar.value))
    return width >= 0 ? width : 2
  }
}
