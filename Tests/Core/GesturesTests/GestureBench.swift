import TestSupport
import TouchModel

@testable import Gestures

/// Plays scripts against recognizers, and writes down what they have to tell.
///
/// A script has the lines of `touchroute inject`, with `;` between them: `began 0 300 200`,
/// `moved`, `ended 0`, `cancelled 0`, `frame`, `wait 50`; and `accept 0`, and `device 2` for what
/// another device reports.
final class GestureBench {
  private var gestures: Gestures
  private let names: [RecognizerID: String]
  private let ids: [String: RecognizerID]
  private var entries: [RecognizerEntry]
  private let slots: [RecognizerID: [Int]]
  private var device = DeviceID(1)
  private var microseconds: UInt64 = 0
  private var nextTouch: UInt64 = 1
  private var touches: [Int: TouchID] = [:]
  private var lifted: [Int] = []
  private var moves: [(Int, Point)] = []
  private var begans: [(Int, Point)] = []
  private var told: [String] = []
  /// The events themselves.
  private(set) var events: [GestureEvent] = []

  /// Recognizers by name. Names in `after` and `simultaneous` are those of others.
  init(_ recognizers: [Named]) {
    var names: [RecognizerID: String] = [:]
    var entries: [RecognizerEntry] = []
    var slots: [RecognizerID: [Int]] = [:]
    let ids = Dictionary(
      uniqueKeysWithValues: recognizers.enumerated().map {
        ($1.name, RecognizerID(UInt32($0 + 1)))
      })
    for recognizer in recognizers {
      guard let entry = Self.entry(recognizer, ids) else { continue }
      names[entry.id] = recognizer.name
      slots[entry.id] = recognizer.slots
      entries.append(entry)
    }
    self.names = names
    self.ids = ids
    self.entries = entries
    self.slots = slots
    gestures = Gestures(entries)
  }

  /// Recognizers that came one by one, with others in between that went again.
  convenience init(_ recognizers: [Named], amid others: [Named], shuffling seed: UInt64) {
    self.init(recognizers + others)
    var random = SeededGenerator(seed: seed)
    gestures = Gestures()
    var (waiting, passing) = (
      entries.prefix(recognizers.count), entries.dropFirst(recognizers.count)
    )
    var present: [RecognizerEntry] = []
    while !waiting.isEmpty || !passing.isEmpty {
      let isPassing = waiting.isEmpty || !passing.isEmpty && Bool.random(using: &random)
      guard var entry = isPassing ? passing.popFirst() : waiting.popFirst() else { break }
      let id = entry.id
      entry.before = present.filter { $0.after.contains(id) }.map(\.id)
      entry.simultaneous += present.filter { $0.simultaneous.contains(id) }.map(\.id)
      gestures.put(entry)
      present.append(entry)
    }
    for entry in entries.dropFirst(recognizers.count).shuffled(using: &random) {
      gestures.remove(entry.id)
    }
    entries.removeLast(others.count)
  }

  private static func entry(_ recognizer: Named, _ ids: [String: RecognizerID]) -> RecognizerEntry?
  {
    guard let id = ids[recognizer.name] else { return nil }
    var entry = RecognizerEntry(
      recognizer.description, id: id, at: Int(id.rawValue) - 1, owner: recognizer.depth,
      depth: recognizer.depth,
      orientation: recognizer.orientation)
    entry.after = recognizer.after.compactMap { ids[$0] }
    entry.simultaneous = recognizer.simultaneous.compactMap { ids[$0] }
    return entry
  }

  /// Puts a recognizer in the place of the one of its name.
  func put(_ recognizer: Named) {
    guard let entry = Self.entry(recognizer, ids) else { return }
    gestures.put(entry)
  }

  /// What is told of a script, changes left out: "30 scroll began".
  func play(_ script: String) -> [String] {
    for line in script.split(separator: ";") { play(line: line.split(separator: " ")) }
    return told
  }

  /// Lets time go on until nothing waits for it any more.
  func finish() -> [String] {
    advance(to: Timestamp(microseconds: microseconds + 10_000_000))
    return told
  }

  /// When something is due, in milliseconds.
  var deadline: UInt64? { gestures.nextDeadline.map { $0.microseconds / 1000 } }

  /// How many devices are known.
  var deviceCount: Int { gestures.devices.count }

  /// Whether no recognizer has a touch, or waits for one.
  var isIdle: Bool { gestures.isIdle }

  /// Whether the end of the touch that a slot has, or had last, is held back.
  func delaysEnd(_ slot: Int) -> Bool {
    touches[slot].map { gestures.delaysEnd(of: $0, of: device) } ?? false
  }

  private var time: Timestamp { Timestamp(microseconds: microseconds) }

  private func play(line words: [Substring]) {
    let numbers = words.dropFirst().compactMap { Double($0) }
    switch words[0] {
    case "device": device = DeviceID(UInt32(numbers[0]))
    case "wait": microseconds += UInt64(numbers[0] * 1000)
    case "began": begans.append((Int(numbers[0]), Point(x: numbers[1], y: numbers[2])))
    case "moved": moves.append((Int(numbers[0]), Point(x: numbers[1], y: numbers[2])))
    case "ended": lifted.append(Int(numbers[0]))
    case "cancelled":
      guard let touch = touches[Int(numbers[0])] else { return }
      advance(to: Timestamp(microseconds: max(microseconds, 1) - 1))
      gestures.cancel(touch, of: device, .palm, at: time)
      gestures.decide(device, at: time)
    case "accept":
      guard let touch = touches[Int(numbers[0])] else { return }
      gestures.accept(touch, of: device, at: time)
    default: frame()
    }
    tell()
  }

  private func advance(to time: Timestamp) {
    while let deadline = gestures.nextDeadline, deadline <= time {
      gestures.advance(to: deadline)
      tell()
    }
  }

  private func frame() {
    advance(to: Timestamp(microseconds: max(microseconds, 1) - 1))
    let lifts = lifted.map { ($0, TouchPhase.ended, Point.zero) }
    let changes = (lifts + moves.map { ($0, .moved, $1) }).compactMap { slot, phase, location in
      touches[slot].map { Touch(id: $0, phase: phase, location: location, time: time) }
    }
    gestures.take(
      TouchFrame(
        device: device, screen: ScreenIndex(0), time: time, touches: ReusableArray(changes)))
    tell()
    for (slot, location) in begans {
      touches[slot] = TouchID(nextTouch)
      gestures.begin(
        TouchID(nextTouch), at: location, of: device,
        for: ReusableArray(entries.filter { slots[$0.id]?.contains(slot) ?? true }.map(\.index)),
        time: time)
      nextTouch += 1
    }
    if !begans.isEmpty { gestures.decide(device, at: time) }
    lifted = []
    moves = []
    begans = []
  }

  private func tell() {
    repeat { tellEvents() } while !gestures.events.isEmpty
  }

  private func tellEvents() {
    for event in gestures.events {
      events.append(event)
      let start = "\(event.time.microseconds / 1000) \(names[event.recognizer] ?? "?") "
      switch event.change {
      case .recognized: told.append(start + "recognized")
      case .began: told.append(start + "began")
      case .changed: break
      case .ended: told.append(start + "ended")
      case .cancelled(let reason): told.append(start + "cancelled, \(reason)")
      case .failed(let reason):
        let names = self.names
        told.append(start + "failed: " + reason.text { names[$0] ?? "?" })
      }
    }
    gestures.removeEvents(at: time)
  }
}

/// A recognizer with a name, at a view of a depth.
struct Named {
  var name: String
  var description: RecognizerDescription
  var depth = 0
  var orientation = Orientation(screenOf: Size(width: 800, height: 480))
  var after: [String] = []
  var simultaneous: [String] = []
  /// The slots whose touches it is given; nil for all.
  var slots: [Int]?

  init(_ name: String, _ kind: GestureKind, fingers: FingerCount? = nil, depth: Int = 0) {
    self.name = name
    self.depth = depth
    description = RecognizerDescription(kind, touches: fingers)
  }

  /// The same, otherwise.
  func with(_ change: (inout Named) -> Void) -> Named {
    var other = self
    change(&other)
    return other
  }
}

extension GestureKind {
  static func taps(_ count: Int) -> GestureKind {
    var tap = Tap()
    tap.taps = count
    return .tap(tap)
  }

  static var press: GestureKind { .longPress(LongPress()) }

  static func pan(slop: Double = 10, _ axis: Axis? = nil) -> GestureKind {
    var pan = Pan(axis)
    pan.slop = slop
    return .pan(pan)
  }
}

/// Plays a script against recognizers until nothing waits any more.
func play(_ recognizers: Named..., script: String) -> [String] {
  let bench = GestureBench(recognizers)
  _ = bench.play(script)
  return bench.finish()
}
