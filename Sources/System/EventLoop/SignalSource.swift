import CSystemd

/// A signal that a loop handles; made by `EventLoop.addSignal`. Cancelling it unblocks the signal.
public final class SignalSource: LoopSource {
  func start(on event: OpaquePointer, number: Int32) throws(EventLoopError) -> OpaquePointer {
    try start("watching signal \(number)") { handle, context in
      sd_event_add_signal(
        event, &handle, number | SD_EVENT_SIGNAL_PROCMASK,
        { _, _, context in LoopSource.fire(context, []) }, context)
    }
  }
}
