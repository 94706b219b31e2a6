import COutput
import Glibc
import VirtualDevices

/// A virtual touchscreen without a device: what its readers would be told.
final class VirtualScreen {
  private let screen: UnsafeMutablePointer<touchscreen>
  private let told = Told()

  /// The frames that were told since the last look, in words: `slot 0, id 1, x 10, y 20, touch 1`.
  final class Told {
    var frames: [String] = []
    /// The values as readers have them: slot by slot, the axes and the key.
    var slot = 0
    var ids: [Int: Int32] = [:]
    var touch = 0
    var largest = 0
  }

  init(
    slots: UInt32 = 10, width: Int32 = 800, height: Int32 = 480, paceMilliseconds: UInt64 = 40,
    cancel: touchscreen_cancel = TOUCHSCREEN_CANCEL_AWAY
  ) {
    screen = .allocate(capacity: 1)
    screen.initialize(to: touchscreen())
    screen.pointee.width = width
    screen.pointee.height = height
    screen.pointee.slot_count = slots
    screen.pointee.cancel = cancel.rawValue
    screen.pointee.pace_us = paceMilliseconds * 1000
    screen.pointee.data = Unmanaged.passUnretained(told).toOpaque()
    screen.pointee.sink = { data, events, count in
      guard let data, let events else { return }
      let told = Unmanaged<Told>.fromOpaque(data).takeUnretainedValue()
      told.take(UnsafeBufferPointer(start: events, count: Int(count)))
    }
    touchscreen_start(screen)
  }

  deinit { screen.deallocate() }

  /// A frame at a time, in milliseconds; the frames that readers were told because of it.
  @discardableResult
  func frame(_ time: UInt64, _ changes: touchscreen_change...) -> [String] {
    for change in changes { touchscreen_add(screen, change, time * 1000) }
    touchscreen_end_frame(screen, time * 1000)
    return take()
  }

  /// What is told at a time, in milliseconds.
  func tell(_ time: UInt64) -> [String] {
    touchscreen_tell(screen, time * 1000)
    return take()
  }

  /// When the next frame is due, in milliseconds; nil where none waits.
  var due: UInt64? {
    let due = touchscreen_due(screen)
    return due == UInt64.max ? nil : due / 1000
  }

  var isIdle: Bool { touchscreen_is_idle(screen) != 0 }
  var leftOut: UInt64 { screen.pointee.left_out }
  /// How many fingers readers know of, by their slots and by BTN_TOUCH.
  var fingers: Int { told.ids.count }
  var isTouched: Bool { told.touch == 1 }

  private func take() -> [String] {
    defer { told.frames.removeAll() }
    return told.frames
  }
}

extension VirtualScreen.Told {
  func take(_ events: UnsafeBufferPointer<input_event>) {
    largest = max(largest, events.count)
    var words: [String] = []
    for event in events where event.type != EV_SYN {
      words.append(InputEvent(type: event.type, code: event.code, value: event.value).words)
      switch Int32(event.code) {
      case ABS_MT_SLOT where event.type == EV_ABS: slot = Int(event.value)
      case ABS_MT_TRACKING_ID where event.type == EV_ABS:
        ids[slot] = event.value < 0 ? nil : event.value
      case BTN_TOUCH where event.type == EV_KEY: touch = Int(event.value)
      default: break
      }
    }
    precondition(events.last?.type == UInt16(EV_SYN), "a frame without its mark")
    frames.append(words.joined(separator: ", "))
  }
}

func down(_ id: UInt64, _ x: Int32, _ y: Int32, replayed: Bool = false) -> touchscreen_change {
  change(TOUCHSCREEN_DOWN, id, x, y, replayed)
}

func move(_ id: UInt64, _ x: Int32, _ y: Int32, replayed: Bool = false) -> touchscreen_change {
  change(TOUCHSCREEN_MOVE, id, x, y, replayed)
}

func up(_ id: UInt64, _ x: Int32, _ y: Int32, replayed: Bool = false) -> touchscreen_change {
  change(TOUCHSCREEN_UP, id, x, y, replayed)
}

func cancel(_ id: UInt64, _ x: Int32 = 0, _ y: Int32 = 0) -> touchscreen_change {
  change(TOUCHSCREEN_CANCEL, id, x, y, false)
}

private func change(
  _ kind: touchscreen_kind, _ id: UInt64, _ x: Int32, _ y: Int32, _ replayed: Bool
) -> touchscreen_change {
  touchscreen_change(
    id: id, x: x, y: y, kind: UInt8(kind.rawValue), replayed: replayed ? 1 : 0)
}
