import CLibevdev
import TouchModel

/// The text of a recording as `libinput record` writes it, YAML version 1: `libinput replay` plays
/// it, and ``DeviceFileReader`` reads it.
package struct LibinputRecording {
  /// What is recorded beside the events.
  package struct Header: Sendable {
    /// The program that records, with its version.
    package var program: String
    /// The machine.
    package var system: RecordedSystem
    /// The device's node.
    package var node: String
    /// What the device says of itself.
    package var sheet: EvdevSheet
    /// Its HID report descriptor; empty where it has none.
    package var hidDescriptor: [UInt8]
    /// udev's properties of it.
    package var udevProperties: [String: String]

    /// A header with that in it.
    package init(
      program: String, system: RecordedSystem, node: String, sheet: EvdevSheet,
      hidDescriptor: [UInt8] = [], udevProperties: [String: String] = [:]
    ) {
      self.program = program
      self.system = system
      self.node = node
      self.sheet = sheet
      self.hidDescriptor = hidDescriptor
      self.udevProperties = udevProperties
    }
  }

  /// When the first event was; 0 on the recording's clock.
  private var start: Timestamp?
  private var former: Timestamp?
  /// The latest value of each axis, for the comments.
  private var values: [UInt16: Int32] = [:]

  /// A recording without an event.
  package init() {}

  // MARK: Header

  /// udev's properties of these names are recorded.
  private static let prefixes = [
    "ID_INPUT", "LIBINPUT", "EVDEV_ABS", "MOUSE_DPI", "POINTINGSTICK_",
  ]

  /// What comes before the events.
  package static func text(_ header: Header) -> String {
    let system = header.system
    var lines = [
      "# libinput record's format, written by \(header.program)", "version: 1", "ndevices: 1",
      "libinput:", "  version: \"unknown\"", "  git: \"unknown\"",
      "system:", "  os: \(quoted(system.os))", "  kernel: \(quoted(system.kernel))",
      "  dmi: \(quoted(system.dmi))", "devices:", "- node: \(header.node)",
    ]
    lines += description(header.sheet).map { "  \($0)" }
    if !header.hidDescriptor.isEmpty { lines.append("  hid: \(list(header.hidDescriptor))") }
    let properties = header.udevProperties.filter { name, _ in
      prefixes.contains { name.hasPrefix($0) }
    }
    lines += ["  udev:", "    properties:"]
    lines += properties.sorted { $0.key < $1.key }.map {
      "    - \(quoted("\($0.key)=\($0.value)"))"
    }
    return (lines + ["  quirks:", "  events:"]).joined(separator: "\n")
  }

  private static func description(_ sheet: EvdevSheet) -> [String] {
    var lines = ["evdev:", "  # Name: \(sheet.name.printable())"]
    if let size = sheet.size { lines.append("  # Size in mm: \(size.width)x\(size.height)") }
    for code in sheet.properties {
      let name = libevdev_property_get_name(UInt32(code)).map { String(cString: $0) } ?? "?"
      lines.append("  # Property \(code) (\(name))")
    }
    lines += ["  name: \(quoted(sheet.name))", "  id: \(list(sheet.ids))", "  codes:"]
    for (type, codes) in sheet.codes.sorted(by: { $0.key < $1.key }) {
      lines.append("    \(type): \(list(codes)) # \(name(of: type))")
    }
    lines.append("  absinfo:")
    for (code, axis) in sheet.axes.sorted(by: { $0.key < $1.key }) {
      let numbers = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
      lines.append("    \(code): \(list(numbers)) # \(name(of: UInt16(EV_ABS), code))")
    }
    return lines + ["  properties: \(list(sheet.properties))"]
  }

  private static func list(_ numbers: [some BinaryInteger]) -> String {
    "[\(numbers.map { "\($0)" }.joined(separator: ", "))]"
  }

  /// A string of YAML in double quotes.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..<" ", "\u{7f}"..<"\u{a0}", "\u{2028}", "\u{2029}", "\u{feff}":
        quoted += "\\u" + padded(String(scalar.value, radix: 16), to: 4, with: "0")
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  // MARK: Events

  /// A report as the lines that it has in the file.
  package mutating func text(_ report: EvdevReader.Report) -> String {
    var lines =
      report.isRepair ? ["  # SYN_DROPPED: events were lost; this makes good for them"] : []
    lines.append("  - evdev:")
    for event in report.events { lines.append("    \(line(event))") }
    former = report.events.last?.time ?? former
    return lines.joined(separator: "\n")
  }

  private mutating func line(_ event: EvdevEvent) -> String {
    let first = start ?? event.time
    start = first
    // The time of what makes good for lost events can lie before.
    let time = max(event.time, first).microseconds(since: first)
    let numbers = [
      Self.padded("\(time / 1_000_000)", to: 3), Self.padded("\(time % 1_000_000)", to: 6),
      Self.padded("\(event.type)", to: 3), Self.padded("\(event.code)", to: 3),
      Self.padded("\(event.value)", to: 7),
    ]
    return "- [\(numbers.joined(separator: ", "))] # \(comment(event))"
  }

  private mutating func comment(_ event: EvdevEvent) -> String {
    if event.type == UInt16(EV_SYN) {
      let since = former.map { max(event.time, $0).microseconds(since: $0) } ?? 0
      return "------------ \(Self.name(of: event.type, event.code)) (\(event.value)) ---------- "
        + "+\((since + 500) / 1000)ms"
    }
    let words = "\(Self.name(of: event.type)) / \(Self.name(of: event.type, event.code))"
    let start = words + String(repeating: " ", count: max(0, 30 - words.count))
    let text = start + Self.padded("\(event.value)", to: 5)
    guard event.type == UInt16(EV_ABS), event.code != UInt16(ABS_MT_TRACKING_ID),
      event.code != UInt16(ABS_MT_SLOT)
    else { return text }
    let step = Int(event.value) - Int(values.updateValue(event.value, forKey: event.code) ?? 0)
    return text + " (\(step < 0 ? "" : "+")\(step))"
  }

  private static func padded(_ text: String, to width: Int, with blank: String = " ") -> String {
    String(repeating: blank, count: max(0, width - text.count)) + text
  }

  private static func name(of type: UInt16) -> String {
    libevdev_event_type_get_name(UInt32(type)).map { String(cString: $0) } ?? "\(type)"
  }

  private static func name(of type: UInt16, _ code: UInt16) -> String {
    libevdev_event_code_get_name(UInt32(type), UInt32(code)).map { String(cString: $0) }
      ?? "\(code)"
  }
}
