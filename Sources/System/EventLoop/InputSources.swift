import CSystemd
import Glibc

/// The sources of priority `input`, which a loop waits for itself, beside sd-event's own
/// descriptor: with an epoll of only these, where they stay from one sleep to the next.
final class InputSources {
  private var sources: [EventSource] = []
  /// Owned; -1 until there is a source.
  private var epoll: Int32 = -1
  /// What the last `wait` found: the sources' own pointers, and none for sd-event.
  private let found = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
  private var foundCount = 0

  private static let capacity = 4

  deinit {
    if epoll >= 0 { close(epoll) }
    found.deallocate()
  }

  /// Whether there is none.
  var isEmpty: Bool { epoll < 0 }

  func add(_ source: EventSource, beside others: Int32) throws(EventLoopError) {
    if epoll < 0 {
      epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard epoll >= 0 else { throw EventLoopError(action: "making an epoll", code: errno) }
      try watch(others, .read, nil, EPOLL_CTL_ADD)
    }
    try watch(source.descriptor, source.interest, source, EPOLL_CTL_ADD)
    sources.append(source)
  }

  /// Takes note of another interest of a source that may be one of these.
  func update(_ source: EventSource) throws(EventLoopError) {
    guard sources.contains(where: { $0 === source }) else { return }
    try watch(source.descriptor, source.interest, source, EPOLL_CTL_MOD)
  }

  /// Forgets a source that may be one of these.
  func remove(_ source: LoopSource) {
    guard let index = sources.firstIndex(where: { $0 === source }) else { return }
    epoll_ctl(epoll, EPOLL_CTL_DEL, sources.remove(at: index).descriptor, nil)
    foundCount = 0
  }

  /// Waits until any of them is ready, or one of sd-event's. The corresponding C function is
  /// epoll_wait, and its result this one's.
  @inline(__always)
  func wait(timeoutMicroseconds timeout: UInt64) -> Int32 {
    let milliseconds = timeout == .max ? -1 : Self.milliseconds(timeout)
    let count = epoll_wait(epoll, found, Int32(Self.capacity), milliseconds)
    foundCount = max(0, Int(count))
    return count
  }

  /// Whether any of sd-event's sources was ready after the last `wait`.
  @inline(__always)
  var areOthersReady: Bool {
    for index in 0..<foundCount where found[index].data.ptr == nil { return true }
    return false
  }

  /// A source that is ready after the last `wait`, as its pointer, and for what; of several the one
  /// that has waited for longest, as epoll puts what it has told of behind all others.
  @inline(__always)
  var first: (source: UnsafeMutableRawPointer, readiness: Readiness)? {
    for index in 0..<foundCount {
      guard let source = found[index].data.ptr else { continue }
      return (source, Readiness(rawValue: found[index].events))
    }
    return nil
  }

  private static func milliseconds(_ microseconds: UInt64) -> Int32 {
    Int32(clamping: microseconds / 1_000 + (microseconds % 1_000 == 0 ? 0 : 1))
  }

  private func watch(
    _ descriptor: Int32, _ interest: Readiness, _ source: EventSource?, _ operation: Int32
  ) throws(EventLoopError) {
    let pointer = source.map { Unmanaged<LoopSource>.passUnretained($0).toOpaque() }
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(ptr: pointer))
    guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else {
      throw EventLoopError(action: "watching descriptor \(descriptor)", code: errno)
    }
  }
}
