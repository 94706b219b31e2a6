import CHaptic
import CLibevdev
import Glibc

/// A kernel device with force feedback and a beeper, whose driver is the test.
package final class VirtualHaptic {
  /// What failed, with the errno.
  package struct Failure: Error, CustomStringConvertible {
    /// One sentence.
    package var description: String
  }

  /// Its node, such as `/dev/input/event3`.
  package let node: String
  /// What it was asked for, in order.
  package private(set) var heard: [String] = []
  private var descriptor: Int32

  /// Plugs it in, and waits until udev has looked at it.
  package init() throws {
    let watch = UdevWatch()
    var path = [CChar](repeating: 0, count: 64)
    descriptor = haptic_create(&path, path.count)
    guard descriptor >= 0 else { throw Failure(description: "no haptic: errno \(errno)") }
    node = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard watch.waitForAdd(node) else {
      throw Failure(description: "\(node): udev has not looked at it in 30 s; is udevd running?")
    }
  }

  deinit { unplug() }

  /// Unplugs it.
  package func unplug() {
    if descriptor >= 0 { haptic_destroy(descriptor) }
    descriptor = -1
  }

  /// Answers what the kernel has asked for until now.
  package func serve() {
    var event = haptic_event()
    while descriptor >= 0, haptic_take(descriptor, &event) == 1 {
      switch Int32(event.type) {
      case EV_FF: heard.append("play \(event.code) \(event.value)")
      case EV_SND: heard.append("tone \(event.value)")
      default:
        guard event.effect != 0 else { continue }
        let kind = event.effect == UInt16(FF_RUMBLE) ? "rumble" : "wave"
        heard.append("\(kind) \(event.length) ms \(event.magnitude)")
      }
    }
  }
}
