import CLibevdev
import Glibc

/// A program that reads a device's node, as one that knows nothing of touchroute does.
package final class DeviceReader {
  /// What the device says of itself, by libevdev.
  package let device: OpaquePointer
  private let descriptor: Int32
  /// What must be there as long as it is read.
  private let maker: AnyObject?
  /// The frames that have come, without their marks.
  package private(set) var frames: [[InputEvent]] = []
  private var open: [InputEvent] = []
  /// Whether the device is gone.
  package private(set) var isGone = false

  /// Opens a node, or a link to one. The corresponding C function is libevdev_new_from_fd.
  ///
  /// - Parameter maker: What keeps the device there; it is kept too.
  package init(_ node: String, of maker: AnyObject? = nil) throws {
    self.maker = maker
    descriptor = Glibc.open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var made: OpaquePointer?
    guard descriptor >= 0, libevdev_new_from_fd(descriptor, &made) == 0, let made else {
      throw VirtualTouchscreen.Failure(
        description: "reading \(node): \(String(cString: strerror(errno)))")
    }
    device = made
  }

  deinit {
    libevdev_free(device)
    close(descriptor)
  }

  /// The frames in words: `id 1, x 10, y 20, touch 1`.
  package var words: [String] { frames.map(Self.words) }

  /// The last frame in words.
  package var lastWords: String { frames.last.map(Self.words) ?? "" }

  private static func words(_ frame: [InputEvent]) -> String {
    frame.map(\.words).joined(separator: ", ")
  }

  /// Reads until the condition holds; false after 30 seconds without an event, or where the device
  /// goes before.
  package func wait(_ condition: (DeviceReader) -> Bool) -> Bool {
    while !condition(self) {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard !isGone, poll(&ready, 1, 30_000) == 1 else { return false }
      take()
    }
    return true
  }

  /// Reads what is there.
  package func take() {
    var events = [input_event](repeating: input_event(), count: 64)
    while true {
      let count = read(descriptor, &events, events.count * MemoryLayout<input_event>.stride)
      guard count > 0 else {
        isGone = isGone || (count < 0 && errno == ENODEV)
        return
      }
      for event in events.prefix(count / MemoryLayout<input_event>.stride) {
        let event = InputEvent(type: event.type, code: event.code, value: event.value)
        open.append(event)
        guard event.isReport else { continue }
        frames.append(open.dropLast())
        open = []
      }
    }
  }

  /// How many fingers are down, and how many have come down, by the tracking ids.
  package var fingers: (down: Int, begun: Int) {
    let ids = frames.joined().filter { $0.isTrackingID }
    let begun = ids.count { $0.value >= 0 }
    return (begun - (ids.count - begun), begun)
  }
}

extension InputEvent {
  package var isTrackingID: Bool {
    type == UInt16(EV_ABS) && code == UInt16(ABS_MT_TRACKING_ID)
  }

  /// A short name, and the value.
  package var words: String { "\(name) \(value)" }

  private var name: String {
    if type == UInt16(EV_KEY), code == UInt16(BTN_TOUCH) { return "touch" }
    guard type == UInt16(EV_ABS) else { return "\(type)/\(code)" }
    switch Int32(code) {
    case ABS_MT_SLOT: return "slot"
    case ABS_MT_TRACKING_ID: return "id"
    case ABS_MT_POSITION_X: return "x"
    case ABS_MT_POSITION_Y: return "y"
    case ABS_MT_TOOL_TYPE: return "tool"
    case ABS_X: return "X"
    case ABS_Y: return "Y"
    default: return "\(type)/\(code)"
    }
  }
}
