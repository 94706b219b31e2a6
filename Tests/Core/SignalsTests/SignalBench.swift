import Signals
import TouchModel

/// A stage with one device, which is told events by the millisecond, and the text of what it says.
struct SignalBench {
  static let device = DeviceID(7)
  private let settings: SignalSettings
  private let region: Rect
  private(set) var stage = SignalStage()
  private(set) var events: ReusableArray<DeviceEvent> = []
  private var raw: ReusableArray<DeviceEvent> = []
  /// The slots of a recording that are down.
  var live: Set<Int32> = []

  init(
    region: Rect = Rect(x: 0, y: 0, width: 800, height: 480),
    _ change: (inout SignalSettings) -> Void
  ) {
    var settings = SignalSettings()
    change(&settings)
    self.settings = settings
    self.region = region
    stage.configure(Self.device, settings, region: region, into: &events)
  }

  /// Plays lines such as `10 down 0 100 100`, `20 move 0 5 5`, `30 up 0`, `30 cancel 0`, `40 time`
  /// and `40 lost`, the first number being milliseconds. Lines of one time are one report.
  mutating func play(_ script: String) {
    var open: Timestamp?
    for line in script.split(whereSeparator: { $0 == "\n" || $0 == ";" }) {
      let words = line.split(separator: " ")
      guard words.count > 1, let millisecond = Double(words[0]) else { continue }
      let time = Timestamp(microseconds: UInt64(millisecond * 1000))
      if let report = open, report != time { mark(report) }
      open = nil
      let numbers = words.dropFirst(2).compactMap { Double($0) }
      switch words[1] {
      case "down", "move":
        let point = Point(x: numbers[1], y: numbers[2])
        add(String(words[1]), Int32(numbers[0]), point, time)
        open = time
      case "up", "cancel":
        add(String(words[1]), Int32(numbers[0]), .zero, time)
        open = time
      case "time": stage.advance(to: time, into: &events)
      default: take(.lost(Self.device, reason: .deviceRemoved, time: time))
      }
    }
    if let open { mark(open) }
  }

  mutating func take(_ event: DeviceEvent) {
    raw.removeAll()
    raw.append(event)
    stage.take(raw, into: &events)
  }

  /// Tells the filters how large the contact in a slot is, in millimetres.
  mutating func size(_ slot: Int32, _ major: Double, _ minor: Double) {
    stage.note(ContactSize(major: major, minor: minor), in: slot, of: Self.device)
  }

  /// Tells the filters the time.
  mutating func tell(_ time: Timestamp) { stage.advance(to: time, into: &events) }

  /// Puts the same filters in force again, as for a device that comes back.
  mutating func configureAgain() {
    stage.configure(Self.device, settings, region: region, into: &events)
  }

  /// Has what filters do noted.
  mutating func observe() { stage.isObserved = true }

  /// What filters did, in words; a touch is named as in ``text``.
  var notes: [String] {
    var names: [Int32: String] = [:]
    for case .down(_, let slot, _, _, _) in events where names[slot] == nil {
      names[slot] = String(UnicodeScalar(UInt8(97 + names.count % 26)))
    }
    return stage.notes.map { note in
      let touch = note.slot.map { " of \(names[$0] ?? "?")" } ?? ""
      let time = Self.plain(Double(note.time.microseconds) / 1000)
      return "\(time) \(note.finding.word) \(Self.plain(note.location))\(touch)"
    }
  }

  private mutating func mark(_ time: Timestamp) { take(.frame(Self.device, time: time)) }

  private mutating func add(_ word: String, _ slot: Int32, _ point: Point, _ time: Timestamp) {
    switch word {
    case "down":
      take(
        .down(Self.device, slot: slot, screen: ScreenIndex(0), location: point, time: time))
    case "move": take(.motion(Self.device, slot: slot, location: point, time: time))
    case "up": take(.up(Self.device, slot: slot, time: time))
    default: take(.cancel(Self.device, slot: slot, reason: .palm, time: time))
    }
  }

  /// What came out, report by report: contacts are a, b, c in the order in which they began.
  var text: String { Self.text(of: events) }

  static func text(
    of events: ReusableArray<DeviceEvent>, sorted isSorted: Bool = false
  ) -> String {
    var names: [Int32: String] = [:]
    var began = 0
    var lines: [String] = []
    var parts: [String] = []
    func name(_ slot: Int32) -> String { names[slot] ?? "stray" }
    for event in events {
      switch event {
      case .down(_, let slot, _, let point, _):
        names[slot] = String(UnicodeScalar(UInt8(97 + began % 26)))
        began += 1
        parts.append("+\(name(slot)) \(plain(point))")
      case .motion(_, let slot, let point, _): parts.append("\(name(slot)) \(plain(point))")
      case .up(_, let slot, _): parts.append("-\(name(slot))")
      case .cancel(_, let slot, let reason, _): parts.append("!\(name(slot)) \(reason)")
      case .lost(_, let reason, _): lines.append("lost \(reason)")
      case .frame(_, let time):
        if !parts.isEmpty {
          let milliseconds = Double(time.microseconds) / 1000
          let said = isSorted ? parts.sorted() : parts
          lines.append("\(plain(milliseconds)): " + said.joined(separator: ", "))
        }
        parts = []
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func plain(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\((number * 100).rounded() / 100)"
  }

  private static func plain(_ point: Point) -> String { "\(plain(point.x)) \(plain(point.y))" }
}
