import ArgumentParser

/// Negative numbers on the command line: to the argument parser whatever begins with `-` is an
/// option, and no option of ours begins with a digit.
enum NegativeNumbers {
  /// U+2212, for which no option can be mistaken.
  private static let minus: Character = "\u{2212}"

  /// The options with a number, of which a word that follows is the value.
  private static let options: Set<String> = [
    "--count", "--degrees", "--distance", "--duration", "--every", "--exec-limit", "--fingers",
    "--hold", "--pace", "--resolution", "--scale", "--slots", "--taps",
  ]

  /// The arguments as the parser takes them; behind `--` it looks for no options.
  static func escape(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var escaped: [String] = []
    for argument in arguments[..<end] {
      guard isNegative(argument) else {
        escaped.append(argument)
        continue
      }
      if let last = escaped.last, options.contains(last) {
        escaped[escaped.count - 1] = "\(last)=\(argument)"
      } else {
        escaped.append("\(minus)\(argument.dropFirst())")
      }
    }
    return escaped + arguments[end...]
  }

  /// The number that an argument is.
  static func number(_ argument: String) throws -> Double {
    guard let number = Double(restored(argument)) else {
      let hint = separated([argument]).map { "; did you mean \($0)?" } ?? "."
      throw ValidationError("it is not a number\(hint)")
    }
    return number
  }

  /// Numbers with commas between them as words of a command line; nil where they are no such.
  static func separated(_ words: [String]) -> String? {
    let text = words.map(restored).joined(separator: " ")
    let numbers = text.split { $0 == "," || $0 == " " }
    let areNumbers = numbers.count > 1 && numbers.allSatisfy { Double($0)?.isFinite == true }
    return areNumbers && text.contains(",") ? numbers.joined(separator: " ") : nil
  }

  /// An argument as it was given.
  static func restored(_ argument: String) -> String {
    argument.first == minus ? "-\(argument.dropFirst())" : argument
  }

  /// What the parser says of arguments, with them as they were given.
  static func shown(_ text: String) -> String {
    String(text.map { $0 == minus ? "-" : $0 })
  }

  private static func isNegative(_ argument: String) -> Bool {
    guard argument.first == "-", let next = argument.dropFirst().first else { return false }
    return next.isASCII && next.isNumber || next == "." || argument == "-inf"
  }
}
