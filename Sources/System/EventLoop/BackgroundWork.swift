import CLinux
import Glibc

/// Work that takes too long for a turn: a thread of its own does it, and ends with it.
///
/// The thread has nothing in common with the loop: the work is handed to it, and what it has made
/// is handed back through a pipe. It is scheduled as ordinary processes are, so that a loop with
/// another policy need not share its processor with it; and signals are the loop's.
///
/// Nobody joins it: what is left of it then, its last steps out of the kernel, waits for its share
/// of a processor as any ordinary thread does, on a busy machine for milliseconds, and touches
/// would wait with the loop.
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

  /// Starts a thread, which writes the address of what it has made to a descriptor and closes that.
  /// The corresponding C function is pthread_create.
  ///
  /// - Throws: the errno.
  static func start(
    telling end: Int32, _ body: @escaping () -> UnsafeMutableRawPointer
  ) throws(EventLoopError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackBytes)
    if Self.wouldInheritPolicy() {
      pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
      pthread_attr_setschedpolicy(&attributes, SCHED_OTHER)
      // Otherwise the loop's, which that policy refuses where the loop's is another.
      var none = sched_param()
      pthread_attr_setschedparam(&attributes, &none)
    }
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(BackgroundWork(end: end, body)).toOpaque()
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, runBackgroundWork, work)
    if code == 0 { return }
    Unmanaged<BackgroundWork>.fromOpaque(work).release()
    throw EventLoopError(action: "starting a thread", code: code)
  }

  /// Whether a thread would have this one's policy, such as a real-time one. Not where the kernel
  /// makes it an ordinary one by itself (SCHED_RESET_ON_FORK): so in the service, where asking for
  /// any policy is refused.
  private static func wouldInheritPolicy() -> Bool {
    let resetsOnFork: Int32 = 0x4000_0000
    let policy = sched_getscheduler(0)
    return policy != SCHED_OTHER && policy & resetsOnFork == 0
  }

  /// What the thread does. What the work was given is dropped by it too, before the loop hears of
  /// its end.
  fileprivate static func run(_ work: Unmanaged<BackgroundWork>) {
    let end = work._withUnsafeGuaranteedRef { $0.end }
    var made = work._withUnsafeGuaranteedRef { $0.body() }
    work.release()
    if send(end, &made, MemoryLayout.size(ofValue: made), Int32(MSG_NOSIGNAL)) < 0 {
      // The loop has ended: nobody takes it.
      forget(made)
    }
    close(end)
  }

  /// What a thread has made, once it has.
  static func made(by end: Int32) -> UnsafeMutableRawPointer {
    var made: UnsafeMutableRawPointer?
    var count = 0
    repeat {
      count = read(end, &made, MemoryLayout.size(ofValue: made))
    } while count < 0 && errno == EINTR
    guard count == MemoryLayout.size(ofValue: made), let made else {
      preconditionFailure("a thread tells what it has made before it ends")
    }
    return made
  }

  /// Closes the loop's end, whether the thread is done or not; what it has made is nobody's.
  static func abandon(_ end: Int32) {
    // From here on the thread can't tell anything any more.
    shutdown(end, Int32(SHUT_RD))
    var made: UnsafeMutableRawPointer?
    let count = recv(end, &made, MemoryLayout.size(ofValue: made), Int32(MSG_DONTWAIT))
    if count == MemoryLayout.size(ofValue: made), let made { forget(made) }
    close(end)
  }

  /// Frees what a thread has made: it is handed on retained.
  private static func forget(_ made: UnsafeMutableRawPointer) {
    Unmanaged<AnyObject>.fromOpaque(made).release()
  }
}

private func runBackgroundWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work { BackgroundWork.run(Unmanaged.fromOpaque(work)) }
  return nil
}

/// What a thread has made, on its way to the loop.
private final class BackgroundResult<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Work that a thread does beside a loop, until what it has made is taken.
public final class BackgroundTask {
  /// Nil once what the thread has made was taken.
  private var finish: ((UnsafeMutableRawPointer) -> Void)?
  private var source: EventSource?
  /// The loop's end of a pipe, which is readable when the thread is done.
  private let end: Int32

  /// - Parameter isTakenInTurn: Whether a turn takes what was made; else ``wait()`` does.
  fileprivate init(
    on loop: EventLoop, isTakenInTurn: Bool = true,
    _ work: @escaping () -> UnsafeMutableRawPointer,
    then finish: @escaping (UnsafeMutableRawPointer) -> Void
  ) throws(EventLoopError) {
    let pipe = try BackgroundWork.pipe()
    end = pipe.end
    do throws(EventLoopError) {
      if isTakenInTurn {
        source = try loop.addDescriptor(pipe.end, interest: .read) { [self] _ in wait() }
      }
      try BackgroundWork.start(telling: pipe.threads, work)
    } catch {
      source?.cancel()
      close(pipe.end)
      close(pipe.threads)
      throw error
    }
    self.finish = finish
  }

  /// Where the loop has ended, nobody takes what the thread makes.
  deinit {
    if finish != nil { BackgroundWork.abandon(end) }
  }

  /// Waits until the thread is done, and has what it has made taken at once and not in a turn;
  /// where it was taken before, nothing happens. The corresponding C function is read.
  public func wait() {
    guard let finish else { return }
    self.finish = nil
    source?.cancel()
    source = nil
    let made = BackgroundWork.made(by: end)
    close(end)
    finish(made)
  }
}

/// What is of no use any more, and takes long to be freed.
private final class Discarded {
  private var things: [AnyObject]

  init(_ things: [AnyObject]) { self.things = things }

  func drop() { things.removeAll() }
}

/// Gathers what is of no use any more, and has it freed by a thread.
///
/// Who puts something in must let go of it before the turn is over.
public final class DeferredRelease {
  private let loop: EventLoop
  private var things: [AnyObject] = []
  private var freeing = 0

  /// Whether something that was put in is not freed yet.
  public var isFreeing: Bool { !things.isEmpty || freeing > 0 }

  /// A pile without anything.
  public init(on loop: EventLoop) { self.loop = loop }

  /// Has a value freed by a thread, once the pile is cleared.
  public func add<Value>(_ value: Value) { things.append(BackgroundResult(value)) }

  /// Has a thread of its own free what was put in; where there can't be one, that is done here.
  /// Belongs at the end of a turn.
  public func clear() {
    if things.isEmpty { return }
    let discarded = Discarded(things)
    things.removeAll()
    freeing += 1
    if !begin({ discarded.drop() }, { [weak self] in self?.freeing -= 1 }) { freeing -= 1 }
  }

  /// Has a thread of its own give memory that is free back to the system: what is freed piece by
  /// piece is kept by the C library otherwise.
  public func giveBack() { _ = begin({ clinux_return_memory() }, {}) }

  /// Whether there is a thread for it; the loop calls `finish` once the work is done.
  private func begin(_ work: @escaping () -> Void, _ finish: @escaping () -> Void) -> Bool {
    let work: () -> UnsafeMutableRawPointer = {
      work()
      return Unmanaged.passRetained(BackgroundResult(())).toOpaque()
    }
    // A thread that can't be had is no more than a delay.
    let task = try? BackgroundTask(on: loop, work) { made in
      Unmanaged<BackgroundResult<Void>>.fromOpaque(made).release()
      finish()
    }
    return task != nil
  }
}

extension EventLoop {
  /// Has a thread of its own do work that takes too long for a turn, and gives what it has made to
  /// `finish`, in a turn of its own. Where the loop ends before that, nothing is called. In a loop
  /// with its own time ``BackgroundTask/wait()`` alone gives it: no turn depends on how fast a
  /// thread is.
  ///
  /// - Parameter work: Shares nothing with the loop, so what it makes is nobody else's.
  @discardableResult
  public func inBackground<Value>(
    _ work: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) throws(EventLoopError) -> BackgroundTask {
    try BackgroundTask(on: self, isTakenInTurn: ownTime == nil) {
      Unmanaged.passRetained(BackgroundResult(work())).toOpaque()
    } then: { made in
      finish(Unmanaged<BackgroundResult<Value>>.fromOpaque(made).takeRetainedValue().value)
    }
  }
}
