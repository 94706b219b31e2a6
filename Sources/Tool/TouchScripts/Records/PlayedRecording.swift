import DeviceRecordings
package import TouchModel

/// What a touchscreen reported, of a file of `libinput record` (YAML, version 1) or of evemu: the
/// contacts of a type B device, frame by frame.
package struct PlayedRecording {
  /// What a contact does in a frame.
  private struct Contact {
    var id: UInt64
    var phase: String
    var x: Double
    var y: Double
  }

  /// Bytes of a line: libinput's file has a device's HID descriptor in one.
  package static let lineLimit = 65_536

  private var frames: [(time: Timestamp, contacts: [Contact])] = []
  private let name: String
  private var slots: [Int32: Slot] = [:]
  private var slot: Int32 = 0
  private var nextID: UInt64 = 1

  private struct Slot {
    var id: UInt64?
    var begins = false
    var moves = false
    var ends = false
    var x: Int32 = 0
    var y: Int32 = 0
  }

  /// Whether a file is such a recording, by its first line.
  package static func isOne(file: String) throws(ScriptError) -> Bool {
    let lines = try TextLines(file: file)
    // A record's first line is longer than lines of such files.
    guard let line = try? lines.next() else { return false }
    return DeviceFileReader.begins(with: line)
  }

  /// Reads a file whole.
  package init(file: String) throws(ScriptError) {
    let lines = try TextLines(file: file, lengthLimit: Self.lineLimit)
    name = lines.name
    var reader = DeviceFileReader()
    var axes: (x: EvdevAxis, y: EvdevAxis)?
    while let line = try lines.next() {
      let count = reader.events.count
      do throws(DeviceFileReader.Problem) { try reader.read(line) } catch {
        throw lines.failure(error.sentence)
      }
      guard reader.events.count > count, let event = reader.events.last else { continue }
      if axes == nil { axes = try Self.axes(reader, lines) }
      guard let axes else { continue }
      if let problem = take(event, axes.x, axes.y) { throw lines.failure(problem) }
    }
    guard reader.isKnown else {
      throw ScriptError("\(name) is no recording of libinput's or evemu's that is read here")
    }
    guard !frames.isEmpty else { throw ScriptError("\(name) has no touches") }
  }

  private static func axes(
    _ reader: DeviceFileReader, _ lines: TextLines
  ) throws(ScriptError) -> (x: EvdevAxis, y: EvdevAxis) {
    guard !reader.axes.isEmpty else {
      throw lines.failure(
        "the device is not described above: put its description in front of its events")
    }
    guard reader.axes[Code.slot] != nil else {
      throw lines.failure(
        "the device does not number its contacts (ABS_MT_SLOT): only type B devices are "
          + "read")
    }
    guard let x = reader.axes[Code.x], let y = reader.axes[Code.y], x.maximum > x.minimum,
      y.maximum > y.minimum
    else { throw lines.failure("the device's ranges of ABS_MT_POSITION_X and Y are not above") }
    return (x, y)
  }

  /// The kernel's numbers.
  enum Code {
    static let slot: UInt16 = 0x2f
    static let x: UInt16 = 0x35
    static let y: UInt16 = 0x36
    static let tracking: UInt16 = 0x39
    static let touch: UInt16 = 0x14a
  }

  /// Takes an event in; what is wrong with it, if it can't be played.
  private mutating func take(_ event: EvdevEvent, _ x: EvdevAxis, _ y: EvdevAxis) -> String? {
    switch (event.type, event.code) {
    case (0, 0): finishFrame(at: event.time, x, y)
    case (0, 3): return "events were lost here (SYN_DROPPED): play what comes before it"
    case (0, 2): return "SYN_MT_REPORT is of a type A device: only type B devices are read"
    case (3, Code.slot):
      slot = event.value
      guard DeviceFileReader.slots.contains(slot) else {
        let last = DeviceFileReader.slots.upperBound - 1
        return "there is a slot \(slot): a touchscreen has the slots 0 to \(last)"
      }
    case (3, Code.tracking) where event.value >= 0:
      var state = slots[slot] ?? Slot()
      if state.id != nil { return "slot \(slot) begins again before it has ended" }
      (state.id, state.begins) = (nextID, true)
      nextID += 1
      slots[slot] = state
    case (3, Code.tracking): slots[slot]?.ends = true
    case (3, Code.x):
      slots[slot, default: Slot()].x = event.value
      slots[slot]?.moves = true
    case (3, Code.y):
      slots[slot, default: Slot()].y = event.value
      slots[slot]?.moves = true
    // What a type B device says of single-touch, of contacts' sizes, pressures and times.
    case (3, 0x00...0x01), (3, 0x18...0x1c), (3, 0x28), (3, 0x30...0x3d), (4, _): break
    case (1, Code.touch), (1, 0x140...0x14f): break
    default:
      return "an event of type \(event.type), code \(event.code) is no contact of a touchscreen"
    }
    return nil
  }

  private mutating func finishFrame(at time: Timestamp, _ x: EvdevAxis, _ y: EvdevAxis) {
    var contacts: [Contact] = []
    for (number, state) in slots.sorted(by: { $0.key < $1.key }) {
      guard let id = state.id else { continue }
      // One that comes and goes in a frame was not there.
      let isGhost = state.begins && state.ends
      if state.begins || state.moves || state.ends, !isGhost {
        let phase = state.ends ? "ended" : state.begins ? "began" : "moved"
        let place = (x.share(of: Double(state.x)), y.share(of: Double(state.y)))
        contacts.append(Contact(id: id, phase: phase, x: place.0, y: place.1))
      }
      slots[number]?.begins = false
      slots[number]?.moves = false
      slots[number]?.ends = false
      if state.ends { slots[number]?.id = nil }
    }
    if !contacts.isEmpty { frames.append((time, contacts)) }
  }

  /// The frames as those of a record, on a screen of that size.
  ///
  /// - Parameter screen: Its index.
  package func lines(on screen: UInt32, size: Size) -> [RecordedFrame] {
    frames.enumerated().map { number, frame in
      RecordedFrame(
        device: 1, screen: screen, sequence: UInt64(number + 1), time_us: frame.time.microseconds,
        touches: frame.contacts.map { contact in
          RecordedTouch(
            id: contact.id, phase: contact.phase,
            at: [contact.x * size.width, contact.y * size.height])
        })
    }
  }
}
