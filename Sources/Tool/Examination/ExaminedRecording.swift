package import DeviceRecordings
package import TouchModel

/// What a touchscreen has reported, in its own units, whichever protocol of the kernel it speaks.
package struct ExaminedRecording {
  /// Its name.
  package let name: String
  /// Its vendor.
  package let vendor: UInt16
  /// Its product.
  package let product: UInt16
  /// The ranges of its axes.
  let x: EvdevAxis
  let y: EvdevAxis
  /// Whether the ranges are those that were seen, because the file does not have them.
  let isRangeGuessed: Bool
  /// How many fingers it says that it can tell apart.
  let slotCount: Int?
  /// How often the kernel lost events, because nobody read them in time.
  let dropCount: Int
  /// How often its clock went back.
  let backwardCount: Int
  private var reports: [Report] = []

  /// One report.
  private struct Report {
    var time: Timestamp
    var changes: [Change]
  }

  private struct Change {
    var slot: Int32
    /// Where the contact is; nil where it was lifted.
    var place: (x: Double, y: Double)?
    var isNew = false
  }

  /// The codes of linux/input-event-codes.h.
  private enum Code {
    static let x: UInt16 = 0x00
    static let y: UInt16 = 0x01
    static let slot: UInt16 = 0x2f
    static let slotX: UInt16 = 0x35
    static let slotY: UInt16 = 0x36
    static let tracking: UInt16 = 0x39
    static let touch: UInt16 = 0x14a
  }

  /// What a reader has read.
  ///
  /// - Throws: what it lacks.
  package init(_ reader: DeviceFileReader) throws(DeviceFileReader.Problem) {
    name = reader.name
    (vendor, product) = (reader.vendor, reader.product)
    func has(_ type: UInt16, _ code: UInt16) -> Bool {
      reader.events.contains { $0.type == type && $0.code == code }
    }
    let isSlotted = has(3, Code.tracking)
    let isMarked = !isSlotted && has(0, 2)
    let codes = isSlotted || isMarked ? (Code.slotX, Code.slotY) : (Code.x, Code.y)
    guard has(3, codes.0), has(3, codes.1), isSlotted || isMarked || has(1, Code.touch) else {
      throw DeviceFileReader.Problem(
        "no touchscreen has reported a contact in it: it has no positions with "
          + "ABS_MT_TRACKING_ID, SYN_MT_REPORT or BTN_TOUCH")
    }
    func seen(_ code: UInt16) -> EvdevAxis {
      let values = reader.events.lazy.filter { $0.type == 3 && $0.code == code }.map(\.value)
      return EvdevAxis(minimum: 0, maximum: Double(max(values.max() ?? 1, 1)))
    }
    let known = (reader.axes[codes.0], reader.axes[codes.1])
    x = known.0.flatMap { $0.maximum > $0.minimum ? $0 : nil } ?? seen(codes.0)
    y = known.1.flatMap { $0.maximum > $0.minimum ? $0 : nil } ?? seen(codes.1)
    isRangeGuessed = known.0 == nil || known.1 == nil
    slotCount = reader.axes[Code.slot].map { Int($0.maximum) + 1 }
    dropCount = reader.events.count { $0.type == 0 && $0.code == 3 }
    var former = Timestamp(microseconds: 0)
    var backwardCount = 0
    for event in reader.events {
      if event.time < former { backwardCount += 1 }
      former = max(former, event.time)
    }
    self.backwardCount = backwardCount
    try Self.checkContacts(reader.events)
    if isSlotted {
      readSlots(reader.events)
    } else if isMarked {
      readMarks(reader.events)
    } else {
      readSingle(reader.events)
    }
  }

  /// Holds reports to having no more contacts than are told apart.
  private static func checkContacts(
    _ events: [EvdevEvent]
  ) throws(DeviceFileReader.Problem) {
    let slots = DeviceFileReader.slots
    var count = 0
    for event in events {
      switch (event.type, event.code) {
      case (3, Code.slot) where !slots.contains(event.value): count = slots.count + 1
      case (0, 2): count += 1
      case (0, 0): count = 0
      default: continue
      }
      guard count <= slots.count else {
        throw DeviceFileReader.Problem(
          "it has more than \(slots.count) contacts at a time, which no touchscreen tells apart")
      }
    }
  }

  /// Slots, as protocol B has them.
  private mutating func readSlots(_ events: [EvdevEvent]) {
    var slot: Int32 = 0
    var places: [Int32: (x: Double, y: Double)] = [:]
    var live: Set<Int32> = []
    var changes: [Change] = []
    func change(_ edit: (inout Change) -> Void) {
      if !changes.contains(where: { $0.slot == slot }) { changes.append(Change(slot: slot)) }
      for index in changes.indices where changes[index].slot == slot { edit(&changes[index]) }
    }
    for event in events {
      switch (event.type, event.code) {
      case (3, Code.slot): slot = event.value
      case (3, Code.slotX):
        places[slot, default: (0, 0)].x = Double(event.value)
        change { _ in }
      case (3, Code.slotY):
        places[slot, default: (0, 0)].y = Double(event.value)
        change { _ in }
      case (3, Code.tracking) where event.value >= 0:
        change { $0.isNew = !live.contains(slot) }
        live.insert(slot)
      case (3, Code.tracking):
        change { _ in }
        live.remove(slot)
      case (0, 0):
        for index in changes.indices {
          let own = changes[index].slot
          changes[index].place = live.contains(own) ? places[own] ?? (0, 0) : nil
        }
        append(changes, at: event.time)
        changes = []
      default: break
      }
    }
  }

  /// Contacts in a row, each with a mark behind it, as protocol A has them: each goes on as the
  /// nearest one of the report before.
  private mutating func readMarks(_ events: [EvdevEvent]) {
    var place: (x: Double, y: Double)?
    var seen: [(x: Double, y: Double)] = []
    var live: [Int32: (x: Double, y: Double)] = [:]
    for event in events {
      switch (event.type, event.code) {
      case (3, Code.slotX): place = (Double(event.value), place?.y ?? 0)
      case (3, Code.slotY): place = (place?.x ?? 0, Double(event.value))
      case (0, 2):
        if let place { seen.append(place) }
        place = nil
      case (0, 0):
        append(Self.follow(seen, &live), at: event.time)
        seen = []
      default: break
      }
    }
  }

  private static func follow(
    _ seen: [(x: Double, y: Double)], _ live: inout [Int32: (x: Double, y: Double)]
  ) -> [Change] {
    var former = live
    var changes: [Change] = []
    live = [:]
    for place in seen {
      func distance(_ other: (x: Double, y: Double)) -> Double {
        (other.x - place.x) * (other.x - place.x) + (other.y - place.y) * (other.y - place.y)
      }
      let nearest = former.min { distance($0.value) < distance($1.value) }
      let slot =
        nearest?.key ?? (0...).first { live[$0] == nil && former[$0] == nil } ?? 0
      former[slot] = nil
      live[slot] = place
      changes.append(Change(slot: slot, place: place, isNew: nearest == nil))
    }
    return changes + former.keys.sorted().map { Change(slot: $0, place: nil) }
  }

  /// One contact without a number.
  private mutating func readSingle(_ events: [EvdevEvent]) {
    var place: (x: Double, y: Double) = (0, 0)
    var isDown = false
    var wasDown = false
    var hasMoved = false
    for event in events {
      switch (event.type, event.code) {
      case (3, Code.x): (place.x, hasMoved) = (Double(event.value), true)
      case (3, Code.y): (place.y, hasMoved) = (Double(event.value), true)
      case (1, Code.touch): isDown = event.value != 0
      case (0, 0):
        if isDown, !wasDown || hasMoved {
          append([Change(slot: 0, place: place, isNew: !wasDown)], at: event.time)
        } else if wasDown, !isDown {
          append([Change(slot: 0, place: nil)], at: event.time)
        }
        (wasDown, hasMoved) = (isDown, false)
      default: break
      }
    }
  }

  private mutating func append(_ changes: [Change], at time: Timestamp) {
    if !changes.isEmpty { reports.append(Report(time: time, changes: changes)) }
  }

  /// What the seat would hand on of it without filters, on a part of a screen.
  package func events(
    of device: DeviceID = DeviceID(1), on screen: ScreenIndex = ScreenIndex(0), in region: Rect
  ) -> [DeviceEvent] {
    var events: [DeviceEvent] = []
    var live: Set<Int32> = []
    for report in reports {
      for change in report.changes.sorted(by: { $0.slot < $1.slot }) {
        if change.place == nil || change.isNew, live.remove(change.slot) != nil {
          events.append(.up(device, slot: change.slot, time: report.time))
        }
        guard let place = change.place else { continue }
        let point = Point(
          x: region.x + region.width * x.share(of: place.x),
          y: region.y + region.height * y.share(of: place.y))
        if live.insert(change.slot).inserted {
          events.append(
            .down(
              device, slot: change.slot, screen: screen, location: point, time: report.time))
        } else {
          events.append(
            .motion(device, slot: change.slot, location: point, time: report.time))
        }
      }
      events.append(.frame(device, time: report.time))
    }
    return events
  }
}
