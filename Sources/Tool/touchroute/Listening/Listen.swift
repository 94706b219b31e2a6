import ArgumentParser
import LayoutDrawing
import TouchClient
import TouchModel

/// `touchroute listen`: attaches as a program does, and prints what arrives.
struct Listen: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Attaches to responders and prints the touches that arrive.",
    discussion: """
      It takes the place of a program: no other program gets the touches that it gets, unless it \
      passes them (--passes). A path names a window, a view, a controller (home/toolbar@bar) or an \
      application (app:dashboard). For a window it also prints which other programs hold something \
      in it. It ends with Ctrl-C, with the daemon, or with the program that reads its output.

      With --gestures it also prints the gestures that these responders get. A gesture takes \
      touches away from programs, and so from this one.

      With --exec it runs a command for each tap, which is a touch that was lifted where it came \
      down. With --gestures it runs the command for each gesture instead, once the gesture \
      recognizes. It then prints only what happens to its attachments. The command runs as the \
      user that runs this, with nothing at its standard input. Standard error says how a command \
      failed. A signal that ends this also ends the commands that still run.

      Examples:
        touchroute listen home
        touchroute listen --json app:dashboard
        touchroute listen --passes all home/toolbar
        touchroute listen --wait home
        touchroute listen --gestures home
        touchroute listen home/dial --exec 'echo "$TOUCHROUTE_X, $TOUCHROUTE_Y"'
      """)

  @OptionGroup var socket: SocketOption

  @Option(
    help: "The phases to get: all, or began, moved, ended, cancelled, separated by commas.",
    completion: Completions.phases)
  var handles = PhaseList(phases: .all)

  @Option(
    help: "Phases that it gets and that the next responder up gets too.",
    completion: Completions.phases)
  var passes = PhaseList(phases: [])

  @Flag(help: "Take the responders from the programs that hold them, if that is allowed.")
  var takeOver = false

  @Flag(help: "Wait for responders that other programs hold.")
  var wait = false

  @Flag(help: "Get the samples of merged moves.")
  var history = false

  @Flag(help: "Handle gestures too: those of the responders and of the views in them.")
  var gestures = false

  @Flag(help: "Print a line of JSON for each event.")
  var json = false

  @OptionGroup var exec: ExecOptions

  @Argument(help: "The responders' paths.", completion: Completions.responders)
  var paths: [String]

  func validate() throws {
    if let path = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
      throw ValidationError("\(path) is named twice.")
    }
    if handles.phases.isEmpty { throw ValidationError("--handles must name a phase.") }
    if !passes.phases.isSubset(of: handles.phases) {
      throw ValidationError("--passes may only name phases of --handles.")
    }
    if exec.execOn.states != StateList.recognition, !gestures || exec.exec == nil {
      throw ValidationError("--exec-on needs --exec and --gestures.")
    }
    let hearsTaps = handles.phases.isSuperset(of: [.began, .ended])
    if exec.exec != nil, !gestures, !hearsTaps {
      throw ValidationError("--exec needs began and ended among --handles.")
    }
  }

  func run() throws {
    // Commands are run though nobody reads what is printed.
    let output = Output(needsReader: exec.exec == nil)
    let daemon = try Daemon(.client, path: socket.socket, output: output)
    let limit = CommandRunner.Limit(count: exec.execLimit, source: "--exec-limit")
    let runner = exec.exec == nil ? nil : try CommandRunner(limit, of: daemon)
    var taps = TapWatch()
    var names = try attach(daemon)
    while true {
      try daemon.next { event in
        if case .failed(let failure) = event { throw refusal(failure) }
        if let runner, give(event, to: runner, &taps, names) { return }
        try print(event, names, to: output)
        if case .detached(let detachment) = event {
          names[detachment.attachment] = nil
          if names.isEmpty { throw Failure("nothing is attached any more: \(detachment.text)") }
        }
      }
    }
  }

  private func attach(_ daemon: Daemon) throws -> [AttachmentID: String] {
    var names: [AttachmentID: String] = [:]
    for path in paths {
      let attachment = try daemon.asked { () throws(TouchClientError) in
        try daemon.connection.attach(
          to: path, handles: handles.phases, passes: passes.phases, options: options)
      }
      names[attachment] = path
    }
    return names
  }

  /// Runs what an event is an occasion for; whether nothing is printed of it.
  private func give(
    _ event: TouchEvent, to runner: CommandRunner, _ taps: inout TapWatch,
    _ names: [AttachmentID: String]
  ) -> Bool {
    let command = exec.exec ?? ""
    switch event {
    case .touches(let frame):
      for tap in taps.taps(in: frame) where !gestures {
        runner.run(command, for: Occasion(tap: tap, of: names[tap.attachment] ?? "?"))
      }
    case .gesture(let gesture):
      if exec.execOn.states.contains(gesture.state) {
        runner.run(command, for: Occasion(gesture, of: names[gesture.attachment] ?? "?"))
      }
    // However many come: a reader that does not read must not keep touches waiting.
    case .layout, .holder: break
    default: return false
    }
    return true
  }

  private func print(
    _ event: TouchEvent, _ names: [AttachmentID: String], to output: Output
  ) throws(Failure) {
    if case .gesture(let gesture) = event {
      let told = ListenedGesture(gesture, of: names[gesture.attachment] ?? "?")
      try output.line(json ? jsonLine(told) : told.words)
    } else if json {
      if let event = ListenedEvent(event, names) { try output.line(jsonLine(event)) }
    } else {
      for line in lines(event, names) { try output.line(line) }
    }
  }

  private var options: AttachOptions {
    (takeOver ? AttachOptions.takeOver : []).union(history ? .history : [])
      .union(wait ? .wait : []).union(gestures ? .gestures : [])
  }

  private func refusal(_ failure: RequestFailure) -> Failure {
    guard failure.code == .held, !takeOver else { return Failure(failure) }
    return Failure("\(failure.text) (--take-over or --wait)")
  }

  private func lines(_ event: TouchEvent, _ names: [AttachmentID: String]) -> [String] {
    switch event {
    case .attached(let geometry): ["attached to \(describe(geometry, names))"]
    case .layout(let geometry): ["the layout changed: \(describe(geometry, names))"]
    case .detached(let detachment):
      ["detached from \(names[detachment.attachment] ?? "?"): \(detachment.text)"]
    case .waiting(let waiting):
      ["waiting for \(names[waiting.attachment] ?? "?"): \(waiting.text)"]
    case .holder(let holder): [line(holder)]
    case .touches(let frame): frame.touches.map { line($0, in: frame, names) }
    default: []
    }
  }

  private func line(_ holder: ResponderHolder) -> String {
    let program = "pid \(holder.pid) (\(holder.name)), uid \(holder.uid)"
    guard holder.isHeld else { return "\(holder.path) was let go by \(program)" }
    let passes = holder.passes.isEmpty ? "nothing" : holder.passes.words.joined(separator: ", ")
    return "\(holder.path) is held by \(program), which handles "
      + "\(holder.handles.words.joined(separator: ", ")) and passes \(passes)"
  }

  private func describe(_ geometry: AttachmentGeometry, _ names: [AttachmentID: String]) -> String {
    let name = names[geometry.attachment] ?? "?"
    return geometry.screen == nil ? name : "\(name), \(Text.rect(geometry.frame))"
  }

  private func line(
    _ touch: RoutedTouch, in frame: RoutedFrame, _ names: [AttachmentID: String]
  ) -> String {
    var parts = [
      Text.seconds(frame.time), "touch \(touch.id.rawValue)", touch.phase.word,
      touch.targetPath.isEmpty
        ? "a view of \(names[touch.attachment] ?? "?")" : touch.targetPath,
      Text.point(touch.location),
    ]
    if touch.screenLocation != touch.location {
      parts.append("screen \(Text.point(touch.screenLocation))")
    }
    if touch.tapCount > 1 { parts.append("tap \(touch.tapCount)") }
    if let reason = touch.cancelReason { parts.append("because \(Text.words(reason))") }
    return (parts + touch.flags.words).joined(separator: "  ")
  }
}

/// Phases as an argument.
struct PhaseList: ExpressibleByArgument {
  var phases: TouchPhases

  init(phases: TouchPhases) { self.phases = phases }

  init?(argument: String) {
    if argument == "all" || argument == "none" {
      phases = argument == "all" ? .all : []
      return
    }
    phases = []
    for word in argument.split(separator: ",") {
      guard let phase = TouchPhases.words.first(where: { $0.word == word })?.phase else {
        return nil
      }
      phases.formUnion(phase)
    }
  }

  var defaultValueDescription: String {
    phases == .all ? "all" : phases.isEmpty ? "none" : phases.words.joined(separator: ",")
  }
}
