import ArgumentParser
import CLinux
import Glibc
import TouchClient
import TouchModel

/// Runs commands for occasions, beside the reading of the connection: nothing here waits.
final class CommandRunner {
  /// How many commands may run at once.
  struct Limit {
    let count: Int
    /// What allows no more, as a message says it.
    let source: String
  }

  /// A command that runs: the leader of a process group.
  private struct Running {
    /// What for.
    let name: String
    /// Whether it takes one of the places.
    let isCounted: Bool
    let whenDone: () -> Void
  }

  private let limit: Limit
  private var running: [pid_t: Running] = [:]
  /// Is told of each signal before it ends the process; whether that is to go on.
  private let hears: (CInt) -> Bool

  /// From now on the process hears signals of the descriptor alone.
  ///
  /// - Parameters:
  ///   - others: Signals that do not end the process.
  ///   - hears: Is told of each signal; whether it does not end the process.
  init(
    _ limit: Limit, of daemon: Daemon, others: [CInt] = [],
    hears: @escaping (CInt) -> Bool = { _ in false }
  ) throws(Failure) {
    self.limit = limit
    self.hears = hears
    // Where it is ignored, nobody is told how a command ended.
    Glibc.signal(SIGCHLD, SIG_DFL)
    let signals = try AwaitedSignals(AwaitedSignals.endings + others + [SIGCHLD])
    daemon.watch(signals) { [unowned self] in hear($0) }
  }

  /// Starts a command, unless as many run as may.
  ///
  /// - Parameters:
  ///   - command: A line for /bin/sh.
  ///   - isCounted: Whether it takes one of the places; else it is started however many run.
  ///   - whenDone: Is called once it has ended; at once where it is not started.
  /// - Returns: Its process.
  @discardableResult
  func run(
    _ command: String, for occasion: Occasion, isCounted: Bool = true,
    whenDone: @escaping () -> Void = {}
  ) -> pid_t? {
    let pid = start(command, for: occasion, isCounted: isCounted)
    if let pid {
      running[pid] = Running(name: occasion.name, isCounted: isCounted, whenDone: whenDone)
    } else {
      whenDone()
    }
    return pid
  }

  private func start(
    _ command: String, for occasion: Occasion, isCounted: Bool
  ) -> pid_t? {
    // Those that have ended meanwhile take no place.
    reap()
    guard !isCounted || running.values.count(where: \.isCounted) < limit.count else {
      Self.say(
        "for \(occasion.name) no command is run: \(limit.count) run already, the most that "
          + "\(limit.source) allows")
      return nil
    }
    for name in Occasion.names {
      // A command may show it on a terminal, and a daemon may say anything.
      if let value = occasion.variables[name]?.printable() {
        setenv(name, value, 1)
      } else {
        unsetenv(name)
      }
    }
    let words =
      ["sh", "-c", command, "touchroute"] + occasion.arguments.map { $0.printable() }
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let pid = clinux_start_shell(&pointers)
    if pid > 0 { return pid }
    Self.say("for \(occasion.name) /bin/sh can't be run: \(String(cString: strerror(errno)))")
    return nil
  }

  /// Sends a signal to a command, or to all that run, and to what they have started.
  func signal(_ number: CInt, to pid: pid_t? = nil) {
    for other in running.keys where other == pid ?? other { kill(-other, number) }
  }

  private func hear(_ number: CInt) {
    if number == SIGCHLD { reap() } else if !hears(number) { end(by: number) }
  }

  /// Takes leave of the commands that have ended, and says of those that failed how.
  private func reap() {
    for (pid, command) in running where running[pid] != nil {
      var status: CInt = 0
      let found = waitpid(pid, &status, WNOHANG)
      if found == 0 { continue }
      running[pid] = nil
      if found == pid { Self.tell(status, of: command.name) }
      command.whenDone()
    }
  }

  private static func tell(_ status: CInt, of name: String) {
    let number = status & 0x7f
    if number != 0 {
      say("the command for \(name) was ended by signal \(number)")
    } else if status >> 8 & 0xff != 0 {
      say("the command for \(name) ended with status \(status >> 8 & 0xff)")
    }
  }

  /// Ends the process as of a signal, which what runs gets too.
  func end(by number: CInt) {
    signal(number)
    AwaitedSignals.end(by: number)
  }

  /// Says something to who started us, where that is possible without waiting.
  static func say(_ sentence: String) {
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
