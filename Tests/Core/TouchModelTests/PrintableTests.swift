import Testing

@testable import TouchModel

@Suite("What others have named, printed")
struct PrintableTests {
  @Test("letters of every script stay, and what steers a terminal is written out (S33)")
  func printable() {
    #expect("nav-app 2".printable() == "nav-app 2")
    #expect(
      "Bücher \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{1f600}".printable()
        == "Bücher \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{1f600}")
    #expect("a\u{1b}[31mb\r\n\tc".printable() == "a\\u001b[31mb\\u000d\\u000a\\u0009c")
    #expect("\u{202e}gnp\u{2028}".printable() == "\\u202egnp\\u2028")
    #expect("می\u{200c}خواهم 👩\u{200d}🔧".printable() == "می\u{200c}خواهم 👩\u{200d}🔧")
    #expect("nav\u{200c}-app\u{200d}".printable() == "nav\\u200c-app\\u200d")
    #expect("ü\u{200c}\u{200c}".printable() == "ü\u{200c}\\u200c")
    #expect("\u{e0041}".printable() == "\\udb40\\udc41")
    #expect("\u{7f}\u{9b}".printable() == "\\u007f\\u009b")
    #expect("a\n\tb\u{7}\n".printable(keepingLines: true) == "a\n\tb\\u0007\n")
  }

  @Test("a blank is nothing to be seen, of whatever kind")
  func visible() {
    for blank: Unicode.Scalar in [" ", "\u{a0}", "\u{3000}", "\u{3164}", "\u{fe0f}", "\u{2800}"] {
      #expect(!blank.isVisible, "U+\(String(blank.value, radix: 16))")
    }
    for letter: Unicode.Scalar in ["a", "-", "\u{e9}", "\u{1f600}", "\u{5d0}"] {
      #expect(letter.isVisible)
    }
  }
}
