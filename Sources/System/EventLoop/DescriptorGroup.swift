import CSystemd
import Glibc

/// Descriptors that share a turn: however many of them are ready, the loop sees one source, and one
/// of them is served in each of its turns, one after the other.
///
/// sd-event looks at every source that is ready each time before it dispatches one. A thousand
/// descriptors of their own that are ready again and again would make every turn a thousand looks
/// long, for everybody.
public final class DescriptorGroup {
  /// Owned.
  private let epoll: Int32
  private var source: EventSource?
  private var handlers: [Int32: (Readiness) -> Void] = [:]

  /// An empty group. The corresponding C function is epoll_create1.
  public init(on loop: EventLoop, priority: SourcePriority) throws(EventLoopError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw EventLoopError(action: "making an epoll", code: errno) }
    source = try loop.addDescriptor(epoll, interest: .read, priority: priority) {
      [unowned self] _ in serveOne()
    }
  }

  /// The source goes before the loop does, or has gone with it.
  deinit {
    source?.cancel()
    Glibc.close(epoll)
  }

  /// Calls the handler whenever the descriptor is ready for any of `interest`, and when it hangs up
  /// or fails, until it is removed. Level-triggered. The corresponding C function is epoll_ctl.
  public func add(
    _ descriptor: Int32, interest: Readiness, _ handler: @escaping (Readiness) -> Void
  ) throws(EventLoopError) {
    precondition(handlers[descriptor] == nil, "a descriptor is in a group once")
    guard control(EPOLL_CTL_ADD, descriptor, interest) else {
      throw EventLoopError(action: "watching descriptor \(descriptor)", code: errno)
    }
    handlers[descriptor] = handler
  }

  /// What a descriptor is watched for from now on; nothing at all leaves hang-ups and errors.
  /// It has been added: whoever could not be is given up.
  public func setInterest(_ descriptor: Int32, _ interest: Readiness) {
    let isDone = control(EPOLL_CTL_MOD, descriptor, interest)
    precondition(isDone, "descriptor \(descriptor) was closed before it was removed")
  }

  /// Forgets a descriptor, which is still open.
  public func remove(_ descriptor: Int32) {
    guard handlers.removeValue(forKey: descriptor) != nil else { return }
    _ = control(EPOLL_CTL_DEL, descriptor, [])
  }

  /// epoll puts what it has told of behind all others that are ready.
  private func serveOne() {
    var event = epoll_event()
    guard epoll_wait(epoll, &event, 1, 0) == 1 else { return }
    handlers[event.data.fd]?(Readiness(rawValue: event.events))
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Readiness) -> Bool {
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(fd: descriptor))
    return epoll_ctl(epoll, operation, descriptor, &event) == 0
  }
}
