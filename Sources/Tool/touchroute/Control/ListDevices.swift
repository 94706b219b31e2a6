import ArgumentParser
import Configuration
import Layout
import TouchInput
import TouchModel

/// `touchroute list-devices`: what the daemon makes of each input device.
struct ListDevices: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-devices",
    abstract: "Lists input devices: which are touchscreens, and where they map, or why not.",
    discussion: """
      Looks at the devices itself, without the daemon, by the device rules of the configuration. \
      Run it as the daemon's user to see what the daemon may open. Root also sees which other \
      programs have a touchscreen open.

      Examples:
        touchroute list-devices
        touchroute list-devices --config touchroute.toml --json
      """)

  @OptionGroup var configuration: ConfigurationOption

  @Flag(help: "Print a line of JSON.")
  var json = false

  func run() throws {
    let matcher = try matcher()
    let reports: [DeviceReport]
    do throws(TouchInputError) {
      reports = try DeviceProbe.reports(matcher: matcher)
    } catch {
      throw Failure(error.description)
    }
    let output = Output()
    if json {
      try output.line(jsonLine(ListedDevices(reports)))
    } else if reports.isEmpty {
      try output.line("there is no input device")
    }
    for report in reports where !json {
      for line in lines(report) { try output.line(line) }
    }
    try output.flush()
  }

  /// The rules of the configuration. Only one that was named must be there and valid: a person who
  /// has none yet asks what to write into it.
  private func matcher() throws(Failure) -> DeviceMatcher? {
    do throws(Failure) {
      let loaded = try configuration.load()
      return DeviceMatcher(rules: loaded.devices, screens: loaded.layout.screens)
    } catch {
      if configuration.path != nil { throw error }
      Failure(
        "no rules are applied, since \(Configuration.defaultPath) is missing or not valid; "
          + "touchroute check says more"
      ).report()
      return nil
    }
  }

  private func lines(_ report: DeviceReport) -> [String] {
    let device = report.description
    let title = "\(device.node)  \(device.name)"
    if case .other = report.verdict {
      return ["\(title): \(report.sentences.joined(separator: "; "))"]
    }
    var identity = "  id \(device.id)"
    if !device.phys.isEmpty { identity += "  phys \(device.phys)" }
    identity += "  \(device.seat)"
    return [title, identity] + device.links.sorted().map { "  path \($0)" }
      + report.sentences.map { "  \($0)" }
  }
}

/// The devices as JSON.
private struct ListedDevices: Encodable {
  var devices: [Device]

  struct Device: Encodable {
    var grab: Bool?
    var id: String
    var ignore: Bool?
    var is_touchscreen: Bool
    var links: [String]
    var name: String
    var node: String
    /// The name of the output whose virtual touchscreen it is.
    var output: String?
    var phys: String
    var readers: [Reader]?
    /// x, y, width and height on the screen.
    var region: [Double]?
    /// The `[[device]]` that matched, counted from 1.
    var rule: Int?
    var screen: String?
    var seat: String
    var sentences: [String]
    var touch_count: Int?
    var udev_rule: String?
  }

  /// A program that has the node open.
  struct Reader: Encodable {
    var is_daemon: Bool
    var name: String
    var pid: Int32
  }

  init(_ reports: [DeviceReport]) {
    devices = reports.map { report in
      let device = report.description
      let region = report.assignment?.mapping.region
      return Device(
        grab: report.assignment?.grab, id: device.id, ignore: report.assignment?.ignore,
        is_touchscreen: report.isTouchscreen, links: device.links.sorted(), name: device.name,
        node: device.node, output: device.outputName, phys: device.phys,
        readers: report.readers?.map {
          Reader(is_daemon: $0.isDaemon, name: $0.name, pid: $0.pid)
        },
        region: region.map { [$0.x, $0.y, $0.width, $0.height] },
        rule: report.assignment?.rule.map { $0 + 1 }, screen: report.screen, seat: device.seat,
        sentences: report.sentences, touch_count: device.touchCount, udev_rule: report.udevRule)
    }
  }
}
