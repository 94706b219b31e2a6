import Foundation
import TestSupport
import TouchModel

/// What a recorded touchscreen with slots (protocol B) said, in its own units.
struct Recording {
  struct Sample {
    let time: Timestamp
    let slot: Int32
    let point: Point
    let isDown: Bool
  }

  private(set) var reports: [[Sample]] = []

  /// The recordings that these tests play.
  static let names = [
    "Atmel maXTouch Touchscreen.1-finger-drag-up-down",
    "Atmel maXTouch Touchscreen.1-finger-fast-taps",
    "Atmel maXTouch Touchscreen.2-fingers-touch-release",
    "Atmel maXTouch Touchscreen.4-finger-drag-down", "EP0430M09.1-finger-drag-up-down",
    "EP0430M09.2-finger-scroll-down", "EP0430M09.2-fingers-touch-release",
    "EP0430M09.4-finger-drag-down",
  ]

  init(_ name: String) throws {
    let file = Repository.root.appending(path: "Tests/Whole/DeviceTests/Recordings/\(name).events")
    var slots: [Int32: (point: Point, isDown: Bool)] = [:]
    var changed: [Int32] = []
    var slot: Int32 = 0
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.first == "E:", words.count > 4, let seconds = Double(words[1]),
        let type = Int(words[2], radix: 16), let code = Int(words[3], radix: 16),
        let value = Int32(words[4])
      else { continue }
      if type == 3, code == 0x2f { slot = value }
      if type == 3, [0x35, 0x36, 0x39].contains(code) {
        var state = slots[slot] ?? (.zero, false)
        if code == 0x35 { state.point.x = Double(value) }
        if code == 0x36 { state.point.y = Double(value) }
        if code == 0x39 { state.isDown = value >= 0 }
        slots[slot] = state
        if !changed.contains(slot) { changed.append(slot) }
      }
      guard type == 0, code == 0, !changed.isEmpty else { continue }
      let time = Timestamp(microseconds: UInt64(seconds * 1_000_000))
      reports.append(
        changed.sorted().compactMap { slot in
          slots[slot].map { Sample(time: time, slot: slot, point: $0.point, isDown: $0.isDown) }
        })
      changed = []
    }
  }

  var samples: [Sample] { reports.flatMap { $0 } }
}
