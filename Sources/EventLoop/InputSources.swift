import Glibc

/// The sources of priority `input`, which a loop polls itself, beside sd-event's own descriptor.
struct InputSources {
  /// Whether sd-event's sources are next, because they were ready when an input was dispatched.
  var letsOthersPass = false

  private var sources: [EventSource] = []
  /// sd-event's descriptor, then those of `sources`, in their order.
  private var waits: [pollfd] = []
  /// The place in `sources` of the one that is looked at first: behind the one dispatched last.
  private var next = 0

  /// Whether there is none.
  var isEmpty: Bool { sources.isEmpty }

  /// Whether any of sd-event's sources was ready after the last `wait`.
  var areOthersReady: Bool { waits[0].revents != 0 }

  mutating func add(_ source: EventSource, beside others: Int32) {
    if waits.isEmpty { waits.append(pollfd(fd: others, events: Int16(POLLIN), revents: 0)) }
    sources.append(source)
    waits.append(pollfd(fd: source.descriptor, events: source.interest.pollEvents, revents: 0))
  }

  /// Takes note of another interest of a source that may be one of these.
  mutating func update(_ source: EventSource) {
    guard let place = sources.firstIndex(where: { $0 === source }) else { return }
    waits[place + 1].events = source.interest.pollEvents
  }

  /// Forgets a source that may be one of these.
  mutating func remove(_ source: LoopSource) {
    guard let place = sources.firstIndex(where: { $0 === source }) else { return }
    sources.remove(at: place)
    waits.remove(at: place + 1)
    next = 0
  }

  /// Waits until any of them is ready, or one of sd-event's. The corresponding C function is poll,
  /// and its result this one's.
  mutating func wait(timeoutMicroseconds timeout: UInt64) -> Int32 {
    let whole = timeout / 1_000 + (timeout % 1_000 == 0 ? 0 : 1)
    let milliseconds = timeout == .max ? -1 : Int32(clamping: whole)
    return poll(&waits, nfds_t(waits.count), milliseconds)
  }

  /// The place of one that is ready after the last `wait`, each in its turn.
  mutating func takeReady() -> Int? {
    for _ in sources.indices {
      let place = next < sources.count ? next : 0
      next = place + 1
      if waits[place + 1].revents != 0 { return place }
    }
    return nil
  }

  /// Calls the handler of the source at a place with what the last `wait` found.
  func fire(_ place: Int) {
    let events = waits[place + 1].revents
    sources[place].fire(Readiness(rawValue: UInt32(UInt16(bitPattern: events))))
  }
}

extension Readiness {
  /// poll's bits, which are epoll's.
  fileprivate var pollEvents: Int16 { Int16(truncatingIfNeeded: rawValue) }
}
