import ArgumentParser
import Layout
import TouchModel

/// The names of commands, looked at before the parser does. Of an unknown command the parser only
/// says that it did not expect that argument, and `help` of one shows the help of all.
enum CommandNames {
  /// Finds the command that a command line names, or refuses one that does not exist.
  ///
  /// - Parameter words: The command line, without the program's name.
  static func command(_ words: [String]) throws(Failure) -> any ParsableCommand.Type {
    var words = words[...]
    let isHelp = words.first == "help"
    if isHelp { words.removeFirst() }
    var command: any ParsableCommand.Type = Touchroute.self
    var path = "touchroute"
    while let word = words.first, !word.hasPrefix("-"), isHelp || hasCommands(command) {
      let commands = command.configuration.subcommands
      guard let next = commands.first(where: { $0._commandName == word }) else {
        throw failure(word, at: path, among: commands.map { $0._commandName })
      }
      command = next
      path += " \(word)"
      words.removeFirst()
    }
    return command
  }

  private static func hasCommands(_ command: any ParsableCommand.Type) -> Bool {
    !command.configuration.subcommands.isEmpty
  }

  private static func failure(_ word: String, at path: String, among names: [String]) -> Failure {
    guard !names.isEmpty else {
      return Failure(usage: "touchroute: \(path) has no commands of its own, and so no \(word)")
    }
    let nearest = NearestName.nearest(to: word, among: names).map { "; did you mean \"\($0)\"?" }
    let hint = nearest ?? ": it is one of \(names.joined(separator: ", "))"
    let name = "\(path) \(word)".printable()
    return Failure(
      usage: "touchroute: there is no command \"\(name)\"\(hint)\n"
        + "  See '\(path) --help' for more information.")
  }
}
