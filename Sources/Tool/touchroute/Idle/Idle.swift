import ArgumentParser
import Blanking
import Glibc

/// `touchroute idle`: runs commands once nobody touches a screen, and turns its light off.
struct Idle: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs commands, and turns the light off, when nobody touches a screen.",
    discussion: """
      It is to touchrouted what swayidle is to a compositor. It waits for the daemon, and stays \
      while the daemon restarts. These words say what to do when:

        timeout SECONDS COMMAND [resume COMMAND]
        dim SECONDS [PERCENT]
        blank SECONDS
        light NAME
        off COMMAND on COMMAND
        before-sleep COMMAND
        after-resume COMMAND

      blank makes the screen dark: the touch that wakes it goes to no program (rule D3). It needs \
      root, or an access rule for screen:NAME. It turns off the backlight of the machine, which \
      dim dims to 30 percent; light names one of several. off and on are commands that turn a \
      light off and on in place of a backlight.

      before-sleep and after-resume need logind. The machine sleeps once the commands of \
      before-sleep have ended, or after as long as logind waits.

      SIGUSR1 makes it idle once nobody has touched for a second. If a signal ends it, it first \
      runs the commands behind resume that are due, and turns the light on.

      Examples:
        touchroute idle timeout 60 'echo idle' resume 'echo back'
        touchroute idle --screen panel dim 45 20 blank 60
        touchroute idle --screen door blank 60 off ./off.sh on ./on.sh
        touchroute idle --screen panel -C idle.conf
      """)

  @OptionGroup var socket: SocketOption

  @Option(
    help: "The screen that counts. By default all; dim and blank need one if there are several.",
    completion: Completions.screens)
  var screen: String?

  @Option(
    name: [.customShort("C"), .long],
    help: "A file with the same words, in lines, quoted as for a shell. # starts a comment.",
    completion: .file())
  var configFile: String?

  @Argument(help: "What to do when.")
  var words: [String] = []

  func validate() throws {
    do { _ = try plan() } catch {
      // systemd does not start it again while its file is wrong.
      FadedBacklight.restoreAll(
        in: IdleService.backlights, keeping: KeptFile.folder, warn: CommandRunner.say)
      throw error
    }
  }

  func run() throws { try IdleService(try plan(), screen: screen, socket: socket.socket).run() }

  private func plan() throws -> IdlePlan {
    var plan = IdlePlan()
    do throws(BlankingError) {
      if let configFile { try IdleFile.add(try text(of: configFile), named: configFile, to: &plan) }
      var words = IdleWords(words.map(NegativeNumbers.restored))
      try words.add(to: &plan)
    } catch {
      throw ValidationError("\(error.sentence).")
    }
    if let problem = plan.problem { throw ValidationError("\(problem).") }
    return plan
  }

  private func text(of file: String) throws(BlankingError) -> String {
    guard let stream = fopen(file, "re") else {
      throw BlankingError("\(file) can't be read: \(String(cString: strerror(errno)))")
    }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
    let count = fread(&bytes, 1, bytes.count, stream)
    guard ferror(stream) == 0 else { throw BlankingError("\(file) can't be read") }
    guard count <= Self.mostBytes else {
      throw BlankingError("\(file) has more than \(Self.mostBytes) bytes")
    }
    guard let text = String(validating: bytes[..<count], as: UTF8.self), !text.contains("\0") else {
      throw BlankingError("\(file) is no text in UTF-8")
    }
    return text
  }

  /// The most that a file may have.
  private static let mostBytes = 1 << 16
}
