import ArgumentParser
import CLinux
import Glibc
import TouchClient

/// Runs a command for each occasion, beside the reading of the connection: nothing here waits.
final class CommandRunner {
  /// What /bin/sh is given.
  private let command: String
  private let limit: Int
  private let signals: CInt
  /// What runs, and what for. Each is the leader of a process group.
  private var running: [pid_t: String] = [:]

  /// The signals that end the process, and with it what runs of the commands.
  private static let endings = [SIGTERM, SIGINT, SIGHUP]

  /// From now on the process hears signals of the descriptor alone.
  init(_ options: ExecOptions, of daemon: Daemon) throws(Failure) {
    command = options.exec ?? ""
    limit = options.execLimit
    // Where it is ignored, nobody is told how a command ended.
    signal(SIGCHLD, SIG_DFL)
    let numbers = Self.endings + [SIGCHLD]
    signals = clinux_signal_descriptor(numbers, numbers.count)
    guard signals >= 0 else {
      throw Failure("signals can't be waited for: \(String(cString: strerror(errno)))")
    }
    daemon.watch(signals) { [unowned self] in hear() }
  }

  deinit { close(signals) }

  /// Starts the command, unless as many of it run as may.
  func run(_ occasion: Occasion) {
    // Those that have ended meanwhile take no place.
    reap()
    guard running.count < limit else {
      return Self.say(
        "for \(occasion.name) no command is run: \(limit) run already, the most that --exec-limit "
          + "allows")
    }
    for name in Occasion.names {
      if let value = occasion.variables[name] { setenv(name, value, 1) } else { unsetenv(name) }
    }
    let words = ["sh", "-c", command, "touchroute"] + occasion.arguments
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let pid = clinux_start_shell(&pointers)
    guard pid > 0 else {
      return Self.say(
        "for \(occasion.name) /bin/sh can't be run: \(String(cString: strerror(errno)))")
    }
    running[pid] = occasion.name
  }

  /// Hears the signals that have come.
  private func hear() {
    while true {
      let number = clinux_next_signal(signals)
      if number == 0 { return }
      if number == SIGCHLD { reap() } else { end(by: number) }
    }
  }

  /// Takes leave of the commands that have ended, and says of those that failed how.
  private func reap() {
    for (pid, name) in running {
      var status: CInt = 0
      let found = waitpid(pid, &status, WNOHANG)
      if found == 0 { continue }
      running[pid] = nil
      guard found == pid else { continue }
      let number = status & 0x7f
      if number != 0 {
        Self.say("the command for \(name) was ended by signal \(number)")
      } else if status >> 8 & 0xff != 0 {
        Self.say("the command for \(name) ended with status \(status >> 8 & 0xff)")
      }
    }
  }

  /// Ends the process as of a signal, which what runs gets too.
  private func end(by number: CInt) {
    for pid in running.keys { kill(-pid, number) }
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    sigprocmask(SIG_UNBLOCK, &set, nil)
    raise(number)
  }

  /// Says something to who started us, where that is possible without waiting.
  private static func say(_ sentence: String) {
    var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if poll(&errors, 1, 0) == 1 { Failure(sentence).report() }
  }
}

/// What `listen` runs.
struct ExecOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run a command for each tap, or with --gestures each gesture: a line for /bin/sh.",
      discussion:
        "Variables say which: TOUCHROUTE_EVENT (tap, or the gesture's kind), _PATH, _ATTACHMENT, "
        + "_X, _Y and more, see touchroute(1). $1 and $2 are event and path; of a tap, $3 and $4 "
        + "are x and y. In a secure view there is $1 alone: every user can read arguments."))
  var exec: String?

  @Option(
    help: ArgumentHelp(
      "With --gestures, the states that run the command: recognized, began, changed, ended, "
        + "cancelled, separated by commas."),
    completion: Completions.states)
  var execOn = StateList(states: StateList.recognition)

  @Option(help: "How many commands may run at once. Events beyond that run none.")
  var execLimit = 4

  func validate() throws {
    guard let exec else {
      guard execLimit == 4 else { throw ValidationError("--exec-limit needs --exec.") }
      return
    }
    if exec.allSatisfy(\.isWhitespace) { throw ValidationError("--exec must name a command.") }
    guard (1...64).contains(execLimit) else {
      throw ValidationError("--exec-limit must be from 1 to 64.")
    }
  }
}

/// States of gestures as an argument.
struct StateList: ExpressibleByArgument, Equatable {
  var states: Set<Gesture.State>

  /// Those in which a gesture recognizes: each comes to one of them, once.
  static let recognition: Set<Gesture.State> = [.recognized, .began]

  init(states: Set<Gesture.State>) { self.states = states }

  init?(argument: String) {
    states = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let state = Gesture.State.allCases.first(where: { $0.word == word }) else {
        return nil
      }
      states.insert(state)
    }
  }

  var defaultValueDescription: String {
    Gesture.State.allCases.filter(states.contains).map(\.word).joined(separator: ",")
  }
}
