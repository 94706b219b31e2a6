import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lets tasks wait for a descriptor without holding up a thread of Swift's pool: a thread of its
/// own polls while somebody waits, and sleeps otherwise. It never reads or writes the descriptor.
final class DescriptorWaiter: Sendable {
  /// Somebody who waits.
  private struct Waiter {
    var token: UInt64
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var waiters: [Waiter] = []
    /// What to poll the descriptor for.
    var events = CShort(POLLIN)
    var lastToken: UInt64 = 0
    /// Tasks that were cancelled before their continuation was there.
    var cancelledEarly: Set<UInt64> = []
    /// How often it was said that the descriptor was read.
    var readCount: UInt64 = 0
    var isStopped = false
  }

  private let state = Mutex(State())
  private let descriptor: CInt
  /// Two sockets: a byte from one to the other makes the thread look at the state anew.
  private let wakeRead: CInt
  private let wakeWrite: CInt

  /// Close-on-exec from the beginning: another thread may start a program at any moment.
  #if canImport(Glibc)
    private static let pairType = CInt(
      SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
  #else
    private static let pairType = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
  #endif

  /// Starts the thread, which lives until ``stop()``.
  init(descriptor: CInt) throws(TouchClientError) {
    self.descriptor = descriptor
    var ends: (CInt, CInt) = (-1, -1)
    let made = withUnsafeMutableBytes(of: &ends) { bytes in
      socketpair(AF_UNIX, Self.pairType, 0, bytes.assumingMemoryBound(to: CInt.self).baseAddress)
    }
    guard made == 0 else {
      throw TouchClientError(.connect, "making two sockets: \(String(cString: strerror(errno)))")
    }
    (wakeRead, wakeWrite) = ends
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, nil,
      { context in
        if let context {
          Unmanaged<DescriptorWaiter>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context.toOpaque())
    guard failure == 0 else {
      context.release()
      throw TouchClientError(.connect, "starting a thread: \(String(cString: strerror(failure)))")
    }
    pthread_detach(thread)
  }

  deinit {
    close(wakeRead)
    close(wakeWrite)
  }

  /// How often ``noteRead()`` was called.
  var readCount: UInt64 { state.withLock { $0.readCount } }

  /// Somebody has read what had come: those who wait look whether it was theirs, as nothing of it
  /// is left that would make the descriptor ready for them.
  func noteRead() {
    state.withLock { $0.readCount += 1 }
    resumeAll(returning: false)
  }

  /// What to poll the descriptor for from now on, also for those who wait already: a request that
  /// one task has made is sent while another one waits.
  func setEvents(_ events: CShort) {
    let isNews = state.withLock { state in
      defer { state.events = events }
      return state.events != events && !state.waiters.isEmpty
    }
    if isNews { wake() }
  }

  /// Waits until the descriptor is ready, whatever for.
  ///
  /// - Parameter readCount: ``readCount`` when the caller looked last at what had come.
  /// - Returns: whether it is to be read; false where somebody else has read since, the task was
  ///   cancelled or the waiter stopped.
  func wait(after readCount: UInt64) async -> Bool {
    let token = state.withLock { state in
      state.lastToken += 1
      return state.lastToken
    }
    defer { _ = state.withLock { $0.cancelledEarly.remove(token) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(token: token, continuation: continuation)
        let isRefused = state.withLock { state in
          if state.cancelledEarly.contains(token) || state.isStopped
            || state.readCount != readCount
          {
            return true
          }
          state.waiters.append(waiter)
          return false
        }
        if isRefused { continuation.resume(returning: false) } else { wake() }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.token == token }) else {
          state.cancelledEarly.insert(token)
          return nil
        }
        return state.waiters.remove(at: index)
      }
      waiter?.continuation.resume(returning: false)
    }
  }

  /// Ends the thread; who waits is told.
  func stop() {
    state.withLock { $0.isStopped = true }
    resumeAll(returning: false)
    wake()
  }

  private func wake() {
    var byte: UInt8 = 1
    _ = write(wakeWrite, &byte, 1)  // a full one wakes it just as well
  }

  private func resumeAll(returning ready: Bool) {
    let waiters = state.withLock { state in
      defer { state.waiters.removeAll(keepingCapacity: true) }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: ready) }
  }

  /// The thread.
  private func run() {
    var drained = [UInt8](repeating: 0, count: 64)
    while true {
      let (isStopped, events) = state.withLock { state in
        (state.isStopped, state.waiters.isEmpty ? 0 : state.events)
      }
      if isStopped { return }
      var polled = [
        pollfd(fd: wakeRead, events: CShort(POLLIN), revents: 0),
        pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0),
      ]
      guard poll(&polled, 2, -1) > 0 else { continue }
      if polled[0].revents != 0 { _ = read(wakeRead, &drained, drained.count) }
      if polled[1].revents != 0 { resumeAll(returning: true) }
    }
  }
}
