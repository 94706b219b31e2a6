import ConsoleDrawing
import Glibc
import TouchInput
import TouchModel

/// The framebuffer console for as long as crosses are shown on it, or none. What was on it is there
/// again when this closes, and when a signal ends the process.
final class CrossConsole {
  private let signals: AwaitedSignals
  /// Nil where there is none.
  private var framebuffer: Framebuffer?

  /// - Parameter framebuffer: Its node; nil for the usual one if it is there, `none` for none.
  init(framebuffer: String?) throws(Failure) {
    signals = try AwaitedSignals(AwaitedSignals.endings + [SIGQUIT])
    guard framebuffer != "none" else { return }
    do throws(Framebuffer.Failure) {
      self.framebuffer = try Framebuffer(framebuffer ?? "/dev/fb0")
    } catch {
      guard framebuffer == nil, error.isMissing else { throw Failure(error.sentence) }
    }
  }

  /// Whether crosses can be seen.
  var isThere: Bool { framebuffer != nil }

  /// Shows crosses, the next one in white.
  func show(_ picture: CrossPicture, next: Int) {
    if let framebuffer { picture.draw(next: next, in: framebuffer.canvas) }
  }

  /// Waits for a descriptor, until a moment of CLOCK_MONOTONIC at most. A signal ends the process.
  func wait(for descriptor: CInt, until end: UInt64) {
    let left = (end - min(end, MonotonicClock.now)) / 1_000_000 + 1
    var waited = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&waited, 2, CInt(clamping: left))
    guard let signal = signals.next() else { return }
    close()
    AwaitedSignals.end(by: signal)
  }

  /// Leaves the console as it was.
  func close() { framebuffer = nil }
}

extension Screen {
  /// Where a point of the screen is on the panel as it was made, as shares of its width and height.
  func panelPlace(of point: Point) -> Point {
    let panel = DeviceMapping(index: ScreenIndex(0), screen: self).transform
    return panel.inverted()?.apply(point) ?? Point(x: 0.5, y: 0.5)
  }
}
