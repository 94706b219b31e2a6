import Glibc
import Simulator

/// Which worlds are being run, so that a trap in one of them names it, and one that does not end is
/// named too: neither can say so itself.
final class WorldsAtWork: Sendable {
  private typealias Slot = (
    kind: StaticString, isRunning: Bool, seed: UInt64, thread: pthread_t, began: time_t
  )

  /// Never freed: a signal may come at any time.
  nonisolated(unsafe) private static var slots = UnsafeMutableBufferPointer<Slot>(
    start: nil, count: 0)

  /// - Parameter threads: How many worlds are run at once at most.
  init(threads: Int) {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: threads)
    slots.initialize(repeating: ("", false, 0, pthread_self(), 0))
    Self.slots = slots
  }

  /// The thread at hand begins with a world.
  func begin(_ seed: UInt64, of kind: SimulationSettings.Kind, in slot: Int) {
    Self.slots[slot] = (kind.name, true, seed, pthread_self(), Self.now)
  }

  /// A slot has run all its worlds.
  func end(in slot: Int) { Self.slots[slot].isRunning = false }

  /// Tells on standard error of worlds that have run for so many seconds and have not ended.
  func tellOfLong(seconds: time_t) {
    for slot in Self.slots where slot.isRunning && Self.now - slot.began >= seconds {
      Self.write("a world has run for long: ", slot)
    }
  }

  private static var now: time_t {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  /// Has the worlds at work told on standard error where one of them traps: that of the thread
  /// alone, or all of them where it was a thread of another kind.
  func nameThoseThatTrap() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] {
      signal(number) { number in
        WorldsAtWork.tell()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Uses nothing that a signal may have interrupted: no memory is allocated, no lock taken.
  private static func tell() {
    let isKnown = slots.contains { $0.isRunning && pthread_equal($0.thread, pthread_self()) != 0 }
    for slot in slots where slot.isRunning {
      if isKnown, pthread_equal(slot.thread, pthread_self()) == 0 { continue }
      write(isKnown ? "a world trapped: " : "a world trapped, perhaps: ", slot)
    }
  }

  private static func write(_ text: StaticString, _ slot: Slot) {
    write(text)
    write("scripts/soak --world ")
    write(slot.kind)
    write(slot.seed)
    write("\n")
  }

  private static func write(_ text: StaticString) {
    _ = Glibc.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func write(_ number: UInt64) {
    var rest = number
    var divisor: UInt64 = 1
    while rest / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      var digit = UInt8(ascii: "0") + UInt8(rest / divisor)
      _ = Glibc.write(STDERR_FILENO, &digit, 1)
      rest %= divisor
      divisor /= 10
    }
  }
}

extension SimulationSettings.Kind {
  /// Its word, and a space.
  fileprivate var name: StaticString {
    switch self {
    case .touches: "touches "
    case .screens: "screens "
    case .gestures: "gestures "
    }
  }
}
