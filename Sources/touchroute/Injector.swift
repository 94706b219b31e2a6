import ArgumentParser
import Glibc
import TouchClient
import TouchModel

/// The touchscreen that this process makes up; its fingers are lifted with the process's end.
final class Injector {
  private let daemon: Daemon
  private var screen: UInt32 = 0
  /// When the next frame is due, in nanoseconds of CLOCK_MONOTONIC.
  private var due: UInt64

  init(_ daemon: Daemon) {
    self.daemon = daemon
    due = Self.now
  }

  /// The screen on which fingers come down from now on; nil for the first.
  func choose(screen name: String?) throws {
    guard let name else { return }
    // The screens come with the first answer.
    try daemon.ask { connection throws(TouchClientError) in try connection.describe("", count: 1) }
    guard let index = daemon.screens.firstIndex(where: { $0.name == name }) else {
      let names = daemon.screens.map(\.name).joined(separator: ", ")
      throw Failure("there is no screen \"\(name)\"; there are \(names)")
    }
    screen = UInt32(index)
  }

  /// One frame, once the time that was waited for is over.
  func frame(_ contacts: [InjectedContact]) throws {
    var time = timespec(
      tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    try daemon.ask { [screen] connection throws(TouchClientError) in
      try connection.inject(contacts, screen: screen)
    }
  }

  /// Puts the next frame off; by what the last one was late, less.
  func wait(milliseconds: Double) {
    due = max(due, Self.now.subtracting(1_000_000_000)) + UInt64(milliseconds * 1_000_000)
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension UInt64 {
  fileprivate func subtracting(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}

/// The screen of an injected touch.
struct InjectionScreen: ParsableArguments {
  @Option(help: "The screen; the first where it is not given.")
  var screen: String?
}
