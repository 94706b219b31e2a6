import Testing
import TouchModel

@testable import DeviceRecordings

@Suite("Recordings in libinput's format")
struct LibinputRecordingTests {
  private static let sheet = EvdevSheet(
    name: "Panel \"7\" \\ \u{1b}[2J #1", ids: [24, 0x416, 0x38f, 1],
    codes: [0: [0, 1], 1: [330], 3: [47, 53, 54, 57]],
    axes: [
      47: .init(minimum: 0, maximum: 9), 53: .init(minimum: -5, maximum: 799, resolution: 10),
      54: .init(minimum: 0, maximum: 479, fuzz: 2, flat: 1, resolution: 10),
      57: .init(minimum: 0, maximum: 65535),
    ], properties: [1])

  private static func event(
    _ time: UInt64, _ type: UInt16, _ code: UInt16, _ value: Int32
  ) -> EvdevEvent {
    EvdevEvent(time: Timestamp(microseconds: time), type: type, code: code, value: value)
  }

  private static let header = LibinputRecording.text(
    .init(
      program: "touchroute 1", system: RecordedSystem(os: "debian:12", kernel: "6.1", dmi: "x"),
      node: "/dev/input/event4", sheet: sheet, hidDescriptor: [5, 13, 255],
      udevProperties: [
        "ID_INPUT_TOUCHSCREEN": "1", "ID_INPUT": "1", "USEC_INITIALIZED": "7",
        "LIBINPUT_CALIBRATION_MATRIX": "1 0 0 0 1 0",
      ]))

  @Test("the header has what libinput replay needs, and of udev only what libinput reads")
  func header() {
    let lines = Self.header.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("# libinput record") == true)
    for line in [
      "version: 1", "ndevices: 1", "- node: /dev/input/event4",
      #"    name: "Panel \"7\" \\ \u001b[2J #1""#, "    id: [24, 1046, 911, 1]",
      "      1: [330] # EV_KEY", "      53: [-5, 799, 0, 0, 10] # ABS_MT_POSITION_X",
      "      54: [0, 479, 2, 1, 10] # ABS_MT_POSITION_Y", "    properties: [1]",
      "  hid: [5, 13, 255]", "    - \"ID_INPUT=1\"",
      "    - \"LIBINPUT_CALIBRATION_MATRIX=1 0 0 0 1 0\"", "  quirks:", "  events:",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(!Self.header.contains("USEC_INITIALIZED"))
  }

  @Test("a touchscreen with the widest range there is has a size")
  func widest() {
    let axis = EvdevSheet.Axis(minimum: .min, maximum: .max, resolution: 1)
    let sheet = EvdevSheet(
      name: "wide", ids: [3, 1, 2, 3], codes: [3: [53, 54]], axes: [53: axis, 54: axis],
      properties: [1])
    #expect(sheet.size.map { [$0.width, $0.height] } == [4_294_967_295, 4_294_967_295])
  }

  @Test("events count their time from the first one, and are read again as they were")
  func events() throws {
    var recording = LibinputRecording()
    let start: UInt64 = 7_123_456_000_001
    let reports: [EvdevReader.Report] = [
      .init(events: [
        Self.event(start, 3, 57, 7), Self.event(start, 3, 53, 100), Self.event(start, 0, 0, 0),
      ]),
      .init(
        events: [
          Self.event(start + 61_023_218, 3, 53, -3), Self.event(start + 61_023_218, 3, 57, -1),
          Self.event(start + 61_023_218, 0, 0, 0),
        ], isRepair: true),
    ]
    let text = Self.header + "\n" + reports.map { recording.text($0) }.joined(separator: "\n")
    var reader = DeviceFileReader()
    for line in text.split(separator: "\n") { try reader.read(String(line)) }
    #expect(
      reader.events
        == reports.flatMap(\.events).map { event in
          var event = event
          event.time = Timestamp(microseconds: event.time.microseconds - start)
          return event
        })
    #expect(reader.name == #"Panel "7" \ \u001b[2J #1"#)
    #expect(reader.vendor == 0x416 && reader.product == 0x38f && reader.axes.count == 4)
    #expect(text.contains("- [ 61,  23218,   3,  53,      -3] # EV_ABS / ABS_MT_POSITION_X"))
    #expect(text.contains("(-103)"))
    #expect(text.split(separator: "# SYN_DROPPED").count == 2)
  }
}
