import ArgumentParser
import Configuration
import Examination
import LayoutDrawing
import TouchInput
import TouchModel
import TouchScripts

/// `touchroute doctor`: what is wrong with a touchscreen, and what mends it.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Examines a touchscreen, and proposes filters for what is wrong with it.",
    discussion: """
      Needs no daemon. It reads the touchscreen itself, so it needs the right to open its node, \
      and no other program may have grabbed it. First keep your hands off it: whatever it reports \
      then is a ghost. Then touch it everywhere: tap, rest a finger, draw along the edges and \
      across, use as many fingers as you have. If there is a framebuffer console, it shows crosses \
      to touch first.

      With --replay it examines instead what evemu-record or libinput record has written.

      It lists the faults that it looks for, and which it found. Then it prints the [[device]] \
      that it proposes. \
      Places and distances are in points of the touchscreen's screen in the configuration. Without \
      one, give the screen's size by --size.

      With --svg it draws what was reported, and what the filters that it proposes leave of that.

      The exit status is 2 if it found a fault.

      Examples:
        touchroute doctor
        touchroute doctor /dev/input/event4 --seconds 30
        touchroute doctor --replay panel.events --size 800x480
        touchroute doctor --svg panel.svg
      """)

  @Option(
    help: "A recording of evemu's or libinput's to examine; - for standard input.",
    completion: .file())
  var replay: String?

  @Option(
    help: "The device's description by evemu-describe, if the recording does not have it.",
    completion: .file())
  var description: String?

  @OptionGroup var configuration: ConfigurationOption

  @OptionGroup var socket: SocketOption

  @Option(help: "The size of the screen in points, such as 800x480, instead of a configuration.")
  var size: String?

  @Option(help: "How long to keep your hands off, and then to touch, in seconds.")
  var seconds = 30

  @Option(
    help: "The framebuffer to show crosses on; none for words alone. (default: /dev/fb0)",
    completion: .file())
  var framebuffer: String?

  @Flag(help: "Print a line of JSON.")
  var json = false

  @Flag(help: "Write the proposal into conf.d, beside the configuration.")
  var write = false

  @Option(
    help: "Draw the strokes before and after the filters proposed, into this file.",
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Argument(help: ArgumentHelp(NamedDevice.help), completion: .file())
  var device: String?

  func validate() throws {
    if replay != nil, device != nil {
      throw ValidationError("a device and --replay can't be given together.")
    }
    if framebuffer != nil, replay != nil {
      throw ValidationError("--framebuffer and --replay can't be given together.")
    }
    if description != nil, replay == nil {
      throw ValidationError("--description needs --replay.")
    }
    if size != nil, configuration.path != nil {
      throw ValidationError("--size and --config can't be given together.")
    }
    if size != nil, write { throw ValidationError("--write needs a configuration, not --size.") }
    if let size, Self.size(size) == nil {
      throw ValidationError("--size must be WIDTHxHEIGHT, each from 1 to 100000.")
    }
    if !(1...600).contains(seconds) { throw ValidationError("--seconds must be from 1 to 600.") }
  }

  func run() throws {
    let rules = try PanelRules(configuration, size: size.flatMap(Self.size))
    let output = Output(needsReader: false)
    let examination: Examination
    let panel: PanelRules.Panel
    if let replay {
      let recording = try DeviceFile.read(replay, describedBy: description)
      panel = rules.panel(
        DeviceDescription(
          name: recording.name, vendor: recording.vendor, product: recording.product, node: ""))
      examination = Examination(recording, in: panel.region)
    } else {
      let live = try LivePanel(named: device, rules, socket, framebuffer: framebuffer)
      panel = rules.panel(live.description)
      examination = try live.watch(seconds: seconds) { sentence in
        // Standard output has nothing but the line of JSON.
        if json { return Failure(sentence).report() }
        try output.line(sentence)
        try output.flush()
      }
    }
    let report = DoctorReport(examination, of: panel.description)
    if json {
      try output.line(jsonLine(report))
    } else {
      for line in report.lines { try output.line(line) }
    }
    if write { try save(report, of: panel.description, rules, output) }
    if let svg { try draw(examination, of: panel, into: svg, output) }
    try output.flush()
    if !report.isWell { throw ExitCode(2) }
  }

  private func save(
    _ report: DoctorReport, of device: DeviceDescription, _ rules: PanelRules, _ output: Output
  ) throws(Failure) {
    guard let proposal = report.proposal else { return }
    let path = try rules.save(proposal, for: device)
    if !json { try output.line("written to \(path); touchroute reload puts it in force") }
  }

  private func draw(
    _ examination: Examination, of panel: PanelRules.Panel, into path: String, _ output: Output
  ) throws(Failure) {
    let drawing = StrokeDrawing(
      before: examination.ways, after: examination.filteredWays, in: panel.region,
      names: ("as it was reported", "with the filters proposed"))
    try ReplacedFile.write(drawing.lines.map { $0 + "\n" }.joined(), to: path)
    if !json { try output.line("drawn into \(path)") }
  }

  /// `800x480`.
  private static func size(_ text: String) -> Size? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ (1...100_000).contains($0) })
    else { return nil }
    return Size(width: numbers[0], height: numbers[1])
  }
}
