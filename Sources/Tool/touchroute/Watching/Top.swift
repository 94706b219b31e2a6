import ArgumentParser
import Glibc
import TouchClient

/// `touchroute top`: what the daemon does now, over and over.
struct Top: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows touches, programs, queues and latencies, and goes on showing them.",
    discussion: """
      Needs the control socket, and a terminal of 80 by 24 characters at least. Programs that do \
      not read come first, then the busiest. Touches in secure views have no place. q or Ctrl-C \
      ends it; the terminal is then as before.

      With --once, or if standard output is no terminal, it prints one picture, with the counts \
      since the daemon's start, and without touches.

      Examples:
        touchroute top
        touchroute top --every 0.2
        touchroute top --once
      """)

  @OptionGroup var socket: SocketOption

  @Option(help: "How many seconds a picture stays, from 0.1 to 60; by default 1.")
  var every: Double?

  @Flag(help: "Print one picture.")
  var once = false

  func validate() throws {
    guard let every else { return }
    if once { throw ValidationError("--every and --once can't be given together.") }
    guard (0.1...60).contains(every) else {
      throw ValidationError("--every must be from 0.1 to 60 seconds.")
    }
  }

  func run() throws {
    TextColumns.prepare()
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    guard !once, Terminal.isThere, let size = Terminal.size else {
      return try printOnce(daemon, output)
    }
    let watch = TopWatch(daemon, size: size, every: every ?? 1)
    try watch.run()
  }

  private func printOnce(_ daemon: Daemon, _ output: Output) throws {
    let sample = TopPicture.Sample(report: try StatusReport(daemon), time: MonotonicClock.now)
    let columns = Terminal.size?.columns ?? .max
    let picture = TopPicture(sample, since: nil, columns: columns)
    for line in picture.lines(nil, rows: .max, footer: nil) { try output.line(line) }
    try output.flush()
  }
}

/// The pictures of `touchroute top`, one after the other, on a terminal.
private final class TopWatch {
  private let daemon: Daemon
  private let terminal = Terminal()
  private var size: Terminal.Size
  /// Between two pictures, in nanoseconds.
  private let interval: UInt64
  private var touches = TouchTable()
  private var latest: TopPicture.Sample?

  /// A key has ended it.
  private struct Quit: Error {}

  /// Those that end it, stop it, have it go on, and tell of another size.
  private static let signals = AwaitedSignals.endings + [SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

  init(_ daemon: Daemon, size: Terminal.Size, every seconds: Double) {
    self.daemon = daemon
    self.size = size
    interval = UInt64(seconds * 1_000_000_000)
  }

  func run() throws {
    daemon.watch(try AwaitedSignals(Self.signals)) { [unowned self] in hear($0) }
    if Terminal.hasKeys { daemon.watch(STDIN_FILENO) { try Self.readKeys() } }
    try daemon.ask(
      { connection throws(TouchClientError) in try connection.observe() }, others: note)
    terminal.enter()
    defer { terminal.leave() }
    do { while true { try showNext() } } catch is Quit {}
  }

  /// Shows the next picture, for as long as it stays.
  private func showNext() throws {
    let report = try StatusReport(daemon, others: note)
    if report.live_touches == 0 { touches.removeLive() }
    let before = latest
    let sample = TopPicture.Sample(report: report, time: MonotonicClock.now)
    latest = sample
    show(sample, since: before)
    let due = sample.time + interval
    while try !daemon.wait(until: due, note) {
      // Of another size, the same picture.
      if let now = Terminal.size, now != size {
        size = now
        show(sample, since: before)
      }
    }
  }

  private func show(_ sample: TopPicture.Sample, since before: TopPicture.Sample?) {
    guard size.columns >= TopPicture.smallest.columns, size.rows >= TopPicture.smallest.rows else {
      return terminal.show(TopPicture.small(size))
    }
    let picture = TopPicture(sample, since: before, columns: size.columns)
    terminal.show(picture.lines(touches.all, rows: size.rows, footer: "q ends it"))
  }

  private func note(_ event: TouchEvent) {
    if case .observed(let frame) = event { touches.take(frame) }
  }

  private func hear(_ number: CInt) {
    switch number {
    case SIGWINCH: break
    case SIGTSTP:
      terminal.leave()
      raise(SIGSTOP)
    case SIGCONT:
      // Who stopped it may have used the terminal meanwhile.
      terminal.leave()
      terminal.enter()
      if let latest { show(latest, since: nil) }
    default:
      terminal.leave()
      AwaitedSignals.end(by: number)
    }
  }

  private static func readKeys() throws {
    var keys = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &keys, keys.count)
    // Where the terminal is gone there are no more keys.
    let isGone = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    if isGone || keys.prefix(max(0, count)).contains(UInt8(ascii: "q")) { throw Quit() }
  }
}
