import Glibc
import TouchClient
import TouchModel
import TouchScripts

/// Injects a record's touches into a running daemon, as `touchroute inject` does.
struct RecordInjection {
  /// How fast: 2 is twice as fast.
  let speed: Double
  /// Whether each frame waits for the Enter key.
  let isStepped: Bool

  /// Plays a record's frames. All touchscreens of the record are one, whose fingers are at most 32.
  func run(_ file: String, _ socket: SocketOption) throws {
    let reader = try RecordReader(file: file)
    let (header, _) = try reader.header()
    var names = header.screens.map(\.name)
    try Injector.run(socket) { injector in
      try play(injector, failure: reader.failure) {
        while let line = try reader.next() {
          if case .layout(let layout) = line { names = layout.screens?.map(\.name) ?? names }
          if case .frame(let frame) = line { return (frame, names) }
        }
        return nil
      }
      if reader.isCutOff {
        Failure("\(reader.name):\(reader.number + 1): the last line is not whole, and is left out")
          .report()
      }
    }
  }

  /// Plays a touchscreen's recording, on a screen; the first where none is named.
  func run(_ recording: PlayedRecording, on screen: String?, _ socket: SocketOption) throws {
    try Injector.run(socket) { injector in
      try injector.choose(screen: screen)
      let screen = try injector.chosenScreen
      var frames = recording.lines(on: 0, size: screen.size)[...]
      try play(injector, failure: { ScriptError($0) }) {
        frames.popFirst().map { ($0, [screen.name]) }
      }
    }
  }

  private func play(
    _ injector: Injector, failure: (String) -> ScriptError,
    _ next: () throws -> (frame: RecordedFrame, screens: [String])?
  ) throws {
    var fingers = Fingers()
    var before: UInt64?
    while let (frame, screens) = try next() {
      guard screens.indices.contains(Int(frame.screen)) else {
        throw failure("there is no screen \(frame.screen) in the record")
      }
      let contacts = fingers.contacts(of: frame)
      guard !contacts.isEmpty else { continue }
      if let before, frame.time_us > before, !isStepped {
        injector.wait(milliseconds: Double(frame.time_us - before) / 1000 / speed)
      }
      before = frame.time_us
      if isStepped, !waitForEnter() { return }
      do {
        try injector.choose(screen: screens[Int(frame.screen)])
        try injector.frame(contacts)
      } catch let error as Failure { throw failure(error.sentence) }
    }
    let left = fingers.lifted()
    if !left.isEmpty { try injector.frame(left) }
    if fingers.hiddenCount > 0 {
      Failure(
        "touches that were not played, as the record does not say where they began: "
          + "\(fingers.hiddenCount)"
      ).report()
    }
  }

  /// Whether there is a further line on standard input.
  private func waitForEnter() -> Bool {
    while true {
      switch getchar() {
      case EOF: return false
      case 0x0a: return true
      default: continue
      }
    }
  }
}

/// Which finger of the injected touchscreen each touch of a record is.
private struct Fingers {
  private var slots: [UInt64: Int32] = [:]
  /// The touches whose beginning has no place.
  private(set) var hiddenCount = 0

  /// What the fingers of a frame do.
  mutating func contacts(of frame: RecordedFrame) -> [TouchClient.InjectedContact] {
    var contacts: [TouchClient.InjectedContact] = []
    var lifted: [UInt64] = []
    for touch in frame.touches {
      let point = touch.at.flatMap { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil }
      switch (touch.phase, slots[touch.id], point) {
      case ("began", nil, let point?) where touch.flags?.contains("replayed") != true:
        let taken = Set(slots.values)
        guard let slot = (0..<32).first(where: { !taken.contains($0) }) else { continue }
        slots[touch.id] = slot
        contacts.append(TouchClient.InjectedContact(slot: slot, .began(point)))
      case ("began", nil, nil): hiddenCount += 1
      case ("moved", let slot?, let point?):
        contacts.append(TouchClient.InjectedContact(slot: slot, .moved(point)))
      case ("ended", let slot?, _):
        contacts.append(TouchClient.InjectedContact(slot: slot, .ended))
        lifted.append(touch.id)
      case ("cancelled", let slot?, _) where touch.cause != nil:
        contacts.append(TouchClient.InjectedContact(slot: slot, .cancelled))
        lifted.append(touch.id)
      default: break
      }
    }
    for id in lifted { slots[id] = nil }
    return contacts
  }

  /// What lifts all fingers that are still down.
  mutating func lifted() -> [TouchClient.InjectedContact] {
    defer { slots.removeAll() }
    return slots.values.sorted().map { TouchClient.InjectedContact(slot: $0, .cancelled) }
  }
}
