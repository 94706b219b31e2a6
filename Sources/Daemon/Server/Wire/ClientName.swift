import TouchModel

/// What a client may call itself: its name is printed in logs and on terminals, and must neither
/// forge a line there nor hide.
enum ClientName {
  /// What is wrong with a name, as a sentence's end; nil where it can be printed.
  static func problem(of name: String) -> String? {
    for scalar in name.unicodeScalars where !scalar.isPrintable {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      return "its name has the character U+\(code), which can't be printed: control and format "
        + "characters are not allowed there; choose another name"
    }
    guard name.unicodeScalars.contains(where: \.isVisible) else {
      return "its name has nothing that can be seen; choose another name"
    }
    return nil
  }
}
