/// What the address has that others can't guess.
struct Token {
  /// 32 hexadecimal digits, of 128 random bits.
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<16).map { _ in
      let digits = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// Whether somebody knows it. How long that takes does not say how much of it was right.
  func isKnown(by word: Substring) -> Bool {
    let (own, others) = (Array(text.utf8), Array(word.utf8))
    var difference = UInt8(own.count == others.count ? 0 : 1)
    for (index, byte) in own.enumerated() {
      difference |= byte ^ (index < others.count ? others[index] : 0)
    }
    return difference == 0
  }
}
