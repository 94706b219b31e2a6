import Glibc

/// Work that takes too long for a turn: a thread of its own does it, and ends with it.
///
/// The thread has nothing in common with the loop: the work is handed to it, and what it has made
/// is handed back as it ends. It is scheduled as ordinary processes are, so that a loop with
/// another policy need not share its processor with it; and signals are the loop's.
private final class BackgroundWork {
  private let body: () -> UnsafeMutableRawPointer
  /// Owned by the thread: closed as it ends.
  private let end: Int32

  /// As large as that of a process's first thread usually is.
  private static let stackBytes = 8 << 20

  private init(end: Int32, _ body: @escaping () -> UnsafeMutableRawPointer) {
    self.end = end
    self.body = body
  }

  /// The loop's end of a pipe, and the one that a thread keeps as long as it works.
  static func pipe() throws(EventLoopError) -> (end: Int32, threads: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw EventLoopError(action: "making a pipe for a thread", code: errno)
    }
    return (ends[0], ends[1])
  }

  /// Starts a thread, which closes a descriptor when it is done. The corresponding C function is
  /// pthread_create.
  ///
  /// - Throws: the errno.
  static func start(
    closing end: Int32, _ body: @escaping () -> UnsafeMutableRawPointer
  ) throws(EventLoopError) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER)
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(BackgroundWork(end: end, body)).toOpaque()
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, runBackgroundWork, work)
    if code == 0 { return thread }
    Unmanaged<BackgroundWork>.fromOpaque(work).release()
    throw EventLoopError(action: "starting a thread", code: code)
  }

  /// What the thread does. What the work was given is dropped by it too, before the loop hears of
  /// its end.
  fileprivate static func run(_ work: Unmanaged<BackgroundWork>) -> UnsafeMutableRawPointer {
    let end = work._withUnsafeGuaranteedRef { $0.end }
    let made = work._withUnsafeGuaranteedRef { $0.body() }
    work.release()
    close(end)
    return made
  }
}

private func runBackgroundWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  work.map { BackgroundWork.run(Unmanaged.fromOpaque($0)) }
}

/// What a thread has made, on its way to the loop.
private final class BackgroundResult<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension EventLoop {
  /// Has a thread of its own do work that takes too long for a turn, and gives what it has made to
  /// `finish`, in a turn of its own. Where the loop ends before that, nothing is called.
  ///
  /// - Parameter work: Shares nothing with the loop, so what it makes is nobody else's.
  public func inBackground<Value>(
    _ work: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) throws(EventLoopError) {
    let pipe = try BackgroundWork.pipe()
    var thread: pthread_t?
    var source: EventSource?
    do throws(EventLoopError) {
      // It hangs up when the thread is done.
      source = try addDescriptor(pipe.end, interest: .read) { _ in
        source?.cancel()
        source = nil
        close(pipe.end)
        var made: UnsafeMutableRawPointer?
        guard let thread, pthread_join(thread, &made) == 0, let made else {
          preconditionFailure("a thread that is done can be joined")
        }
        finish(Unmanaged<BackgroundResult<Value>>.fromOpaque(made).takeRetainedValue().value)
      }
      thread = try BackgroundWork.start(closing: pipe.threads) {
        Unmanaged.passRetained(BackgroundResult(work())).toOpaque()
      }
    } catch {
      source?.cancel()
      close(pipe.end)
      close(pipe.threads)
      throw error
    }
  }
}
