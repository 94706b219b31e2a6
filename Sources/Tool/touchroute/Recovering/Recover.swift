import ArgumentParser
import Layout
import Recovery
import TouchModel

/// `touchroute recover`: takes a touchscreen that has failed from the system, and gives it back.
struct Recover: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Restarts a touchscreen's hardware when the daemon says that it has failed.",
    discussion: """
      Needs root, and the control socket. It waits for the daemon, and stays while the daemon \
      restarts. When the daemon says that the touchscreen is ill (rule N10), it unbinds the \
      device's driver and binds it again; with --by port it turns the device's USB port off and \
      on. It does nothing else, and touches no other device.

      --on says which faults are a reason: \(FaultList.all.joined(separator: ", ")).

      Examples:
        touchroute recover 0eef:0001
        touchroute recover 'ILITEK ILITEK-TP' --by port --per-hour 2
      """)

  @OptionGroup var socket: SocketOption

  @Option(help: "What to do: driver or port.")
  var by = RecoveryMeans.driver

  @Option(
    help: "The faults that are a reason, separated by commas.", completion: Completions.faults,
    transform: FaultList.read)
  var on = FaultList(faults: ["silent"])

  @Option(help: "How often within an hour, at most.")
  var perHour = 3

  @Argument(help: "The touchscreen: its name, or its vendor and product.")
  var device: String

  func validate() throws {
    if !(1...60).contains(perHour) { throw ValidationError("--per-hour must be from 1 to 60.") }
    if device.isEmpty { throw ValidationError("name a touchscreen, or its vendor and product.") }
  }

  func run() throws {
    try RecoverService(
      named: device, by: by, on: on.faults, perHour: perHour, socket: socket.socket
    ).run()
  }
}

extension RecoveryMeans: ExpressibleByArgument {}

/// Faults of touchscreens as an argument.
struct FaultList: CustomStringConvertible {
  var faults: Set<String>

  /// Every one that is a reason, by the protocol's words. Each restart is a loss, and would make an
  /// unsteady touchscreen unsteady again.
  static let all = SignalFinding.allCases.filter { $0.isFault && $0 != .unsteady }.map(\.word)

  init(faults: Set<String>) { self.faults = faults }

  static func read(_ argument: String) throws -> FaultList {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if words.contains(SignalFinding.unsteady.word) {
      throw ValidationError(
        "--on can't have 'unsteady': each restart is a loss, and would make it unsteady again")
    }
    if let word = words.first(where: { !all.contains($0) }) {
      let hint =
        NearestName.nearest(to: word, among: all).map { "; did you mean '\($0)'?" }
        ?? ": it is one of \(all.joined(separator: ", "))"
      throw ValidationError("there is no fault '\(word)'\(hint)")
    }
    return FaultList(faults: Set(words))
  }

  var description: String { Self.all.filter(faults.contains).joined(separator: ",") }
}
