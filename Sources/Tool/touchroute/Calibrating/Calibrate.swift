import ArgumentParser
import Examination
import LayoutDrawing
import TouchInput
import TouchModel

/// `touchroute calibrate`: how a touchscreen lies on its screen.
struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds how a touchscreen lies on its screen, by presses on crosses.",
    discussion: """
      Needs no daemon, but the right to open the touchscreen's node and the framebuffer, so run it \
      as root. It shows crosses on the framebuffer console, one after the other in white. Press \
      each in the middle, with a pen if you can. Where there is no framebuffer it says where to \
      press. Meanwhile no other program gets anything of the touchscreen.

      It prints the [[device]] that it proposes: a rotation or an inversion if that is all, else a \
      calibration matrix. It also says how far presses were from the crosses, and how far they \
      would be. Presses that do not fit together are refused.

      Examples:
        touchroute calibrate
        touchroute calibrate /dev/input/event4 --crosses 9 --write
        touchroute calibrate --framebuffer none --screen door
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var configuration: ConfigurationOption

  @Option(help: "How many crosses, 5 to 25: more make up for presses that are not exact.")
  var crosses = 5

  @Option(
    help: "The framebuffer of the screen; none to be told where to press. (default: /dev/fb0)",
    completion: .file())
  var framebuffer: String?

  @Option(
    help: "The touchscreen's screen, if no [[device]] says it; by default the first.",
    completion: Completions.screens)
  var screen: String?

  @Option(help: "How long it waits for a press, in seconds.")
  var seconds = 60

  @Flag(help: "Print a line of JSON.")
  var json = false

  @Flag(help: "Write the [[device]] into conf.d, beside the configuration.")
  var write = false

  @Argument(help: ArgumentHelp(NamedDevice.help), completion: .file())
  var device: String?

  func validate() throws {
    if !CrossList.counts.contains(crosses) {
      throw ValidationError("--crosses must be from 5 to 25.")
    }
    if !(1...600).contains(seconds) { throw ValidationError("--seconds must be from 1 to 600.") }
  }

  func run() throws {
    let device = try NamedDevice.touchscreen(device, nil)
    let target = try CalibrationTarget(of: device, configuration, screen: screen)
    if write { try target.checkWriting() }
    let ungrabbed = try UngrabbedDevice(device, socket)
    let output = Output()
    let places = CrossList.places(crosses)
    // Standard output has nothing but the line of JSON.
    let session = try PressSession(
      on: target, at: places, framebuffer: framebuffer, seconds: seconds
    ) { sentence in
      if json { return Failure(sentence).report() }
      try output.line(sentence)
      try output.flush()
    }
    let presses = try withExtendedLifetime(ungrabbed) { try session.run() }
    let report = try report(target, places, presses)
    if json {
      try output.line(jsonLine(report))
    } else {
      for line in report.words { try output.line(line) }
    }
    if write, !report.lines.isEmpty {
      let path = try target.write(report.lines)
      if !json { try output.line("written to \(path); touchroute reload puts it in force") }
    }
    try output.flush()
  }

  private func report(
    _ target: CalibrationTarget, _ places: [Point], _ presses: [Point]
  ) throws(Failure) -> CalibrationReport {
    let pairs = zip(places, presses).map { place, press in
      AffineFit.Pair(pressed: press, wanted: target.wanted(place))
    }
    let calibration: Calibration
    do throws(Calibration.Failure) {
      calibration = try Calibration(pairs, present: target.present, size: target.size)
    } catch {
      throw Failure(Self.sentence(error, target, places))
    }
    return try CalibrationReport(calibration, of: target)
  }

  private static func sentence(
    _ failure: Calibration.Failure, _ target: CalibrationTarget, _ places: [Point]
  ) -> String {
    switch failure {
    case .fit(.tooFew): return "there are too few presses"
    case .fit(.onePlace(let place)):
      let x = Text.number((place.x * 100).rounded())
      let y = Text.number((place.y * 100).rounded())
      return "all presses were at one place, \(x) % along the touchscreen's x and \(y) % along "
        + "its y: press each cross; if you did, the touchscreen does not report where"
    case .fit(.oneLine):
      return "all presses lie on one line: press each cross; if you did, one axis of the "
        + "touchscreen reports nothing"
    case .badFit(let residual, let limit, let worst):
      let hint = worst.map { index in
        "; without the press at \(target.words(places[index])) the others fit"
      }
      return "the presses do not fit together: whatever the calibration, they are "
        + "\(Text.number(residual.toTwoDecimals)) points from the crosses, and "
        + "\(Text.number(limit.toTwoDecimals)) is the limit\(hint ?? ""). Press again, each in "
        + "the middle of its cross, with a pen if you can"
    }
  }
}
