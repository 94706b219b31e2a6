import CSystemd

/// A descriptor that a loop watches; made by `EventLoop.addDescriptor`.
public final class EventSource: LoopSource {
  /// The descriptor; its maker's to close, once this source is cancelled.
  public let descriptor: Int32
  /// What it is watched for.
  private(set) var interest: Readiness = []

  init(loop: EventLoop, descriptor: Int32, _ handler: @escaping (Readiness) -> Void) {
    self.descriptor = descriptor
    super.init(loop: loop, handler)
  }

  /// What the descriptor is watched for from now on; nothing at all leaves hang-ups and errors.
  /// Costs a system call where it differs from before. The corresponding C function is
  /// sd_event_source_set_io_events.
  public func setInterest(_ interest: Readiness) {
    guard let handle, interest != self.interest else { return }
    let result = sd_event_source_set_io_events(handle, interest.rawValue)
    precondition(result >= 0, "descriptor \(descriptor) was closed before its source was cancelled")
    self.interest = interest
    do throws(EventLoopError) { try loop?.inputChanged(self) } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Which of several that are ready comes first, from now on; not of an input. The corresponding C
  /// function is sd_event_source_set_priority.
  public func setPriority(_ priority: SourcePriority) {
    guard let handle else { return }
    let result = sd_event_source_set_priority(handle, priority.rawValue)
    precondition(result >= 0, "a source's own handle was refused")
  }

  func start(on event: OpaquePointer, interest: Readiness) throws(EventLoopError) -> OpaquePointer {
    self.interest = interest
    return try start("watching descriptor \(descriptor)") { handle, context in
      sd_event_add_io(
        event, &handle, descriptor, interest.rawValue,
        { _, _, events, context in LoopSource.fire(context, Readiness(rawValue: events)) }, context)
    }
  }
}
