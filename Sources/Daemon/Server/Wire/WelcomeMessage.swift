import CTouchroute
import TouchModel

/// The answer to `hello`, or the screens where they have changed: then its serial is 0. Screens
/// beyond what a message holds have no entry.
struct WelcomeMessage: OutgoingMessage {
  private let fixed: touchroute_welcome
  private let screens: ArraySlice<Screen>
  let size: Int

  /// - Parameter version: The version of the protocol that both speak.
  init(_ greeting: Greeting, version: UInt32, isControl: Bool, serial: UInt32) {
    var size = MemoryLayout<touchroute_welcome>.size
    var count = 0
    while count < greeting.screens.count {
      let next = size + Self.size(of: greeting.screens[count])
      if next > Int(TOUCHROUTE_MAX_MESSAGE) { break }
      size = next
      count += 1
    }
    self.size = size
    screens = greeting.screens.prefix(count)
    fixed = touchroute_welcome(
      header: touchroute_header(TOUCHROUTE_WELCOME, size: size), serial: serial, version: version,
      max_request: TOUCHROUTE_MAX_REQUEST,
      max_attachments: UInt32(clamping: greeting.maximumAttachments),
      decision_timeout_ms: UInt32(clamping: greeting.decisionTimeoutMilliseconds),
      unresponsive_after_ms: UInt32(clamping: greeting.unresponsiveAfterMilliseconds),
      is_control: isControl ? 1 : 0, screen_count: UInt32(count))
  }

  private static func size(of screen: Screen) -> Int {
    MemoryLayout<touchroute_screen>.size + padded(screen.name.utf8.count)
  }

  func write(to start: UnsafeMutableRawPointer) {
    start.storeBytes(of: fixed, as: touchroute_welcome.self)
    var next = start + MemoryLayout<touchroute_welcome>.size
    for screen in screens {
      let fixed = touchroute_screen(
        width: screen.size.width, height: screen.size.height, rotation: screen.rotation.rawValue,
        name_size: UInt32(screen.name.utf8.count))
      next.storeBytes(of: fixed, as: touchroute_screen.self)
      next = (next + MemoryLayout<touchroute_screen>.size).store(screen.name)
    }
  }
}
