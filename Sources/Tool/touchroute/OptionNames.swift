import ArgumentParser
import Layout

/// Options that a command does not have. The parser names one only if it finds nothing else wrong:
/// without this it says of `tap 5 5 --finger 2` that there is an argument too many.
enum OptionNames {
  /// Names the first option that the command does not have; nil if it has all of them.
  ///
  /// - Parameters:
  ///   - words: The command line that the parser refused, without the program's name.
  ///   - message: What the parser says of it.
  static func failure(
    _ words: [String], of command: any ParsableCommand.Type, message: String
  ) -> Failure? {
    let options = words.prefix { $0 != "--" }.filter(isOption).map { $0.prefix { $0 != "=" } }
    guard !options.isEmpty else { return nil }
    let known = named(in: Touchroute.helpMessage(for: command))
    guard let option = options.first(where: { !known.contains($0) }) else { return nil }
    let names = known.map(String.init).sorted()
    let isLong = option.hasPrefix("--")
    let nearest = isLong ? NearestName.nearest(to: String(option), among: names) : nil
    let hint = nearest.map { ". Did you mean '\($0)'?" } ?? ""
    let usage = message.split(separator: "\n").drop { !$0.hasPrefix("Usage:") }
    return Failure(
      usage: (["touchroute: unknown option '\(option)'\(hint)"] + usage).joined(separator: "\n"))
  }

  /// Whether a word is one option. Several short ones, such as `-qc`, are left to the parser.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let letter = word.drop(while: { $0 == "-" }).first else {
      return false
    }
    return letter.isLetter && (word.hasPrefix("--") || word.count == 2)
  }

  /// The options that a help text names.
  private static func named(in help: String) -> Set<Substring> {
    Set(help.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("-") })
  }
}
