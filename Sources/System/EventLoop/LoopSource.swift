import CSystemd

/// What a loop watches: a descriptor, a timer or a signal.
public class LoopSource {
  /// The loop, as long as it lives: it tells its sources of its end. (A weak reference would make
  /// every retain of the loop a slow one.)
  private(set) unowned var loop: EventLoop?
  /// The sd_event_source; nil once cancelled. The loop's table owns this object until then, so
  /// sd-event's unretained pointer to it is good whenever it calls.
  private(set) var handle: OpaquePointer?
  private var handler: ((Readiness) -> Void)?

  init(loop: EventLoop, _ handler: @escaping (Readiness) -> Void) {
    self.loop = loop
    self.handler = handler
  }

  /// Whether the handler may still be called.
  public var isActive: Bool { handle != nil }

  /// Ends the source: its handler is never called again, even where the source is ready in this
  /// very turn, and is let go of. May be called in any handler, this source's own too, and twice.
  public func cancel() {
    guard let handle else { return }
    self.handle = nil
    handler = nil
    loop?.remove(handle)
  }

  /// The loop is about to end, and ends its sources with it: first this for all, for what their
  /// handlers let go of may cancel any.
  func forgetLoop() {
    handle = nil
    loop = nil
  }

  /// Then this.
  func forgetHandler() { handler = nil }

  /// The present by the loop's reckoning, in microseconds; nil without a loop.
  var now: UInt64? { loop?.now }

  /// Makes the sd_event_source by one of the sd_event_add functions.
  func start(
    _ action: @autoclosure () -> String,
    _ add: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
  ) throws(EventLoopError) -> OpaquePointer {
    var handle: OpaquePointer?
    let result = add(&handle, Unmanaged.passUnretained(self).toOpaque())
    guard result >= 0, let handle else {
      throw EventLoopError(action: action(), code: -result)
    }
    self.handle = handle
    return handle
  }

  /// What sd-event's callbacks do, with the context that `start` gave them.
  static func fire(_ context: UnsafeMutableRawPointer?, _ readiness: Readiness) -> Int32 {
    guard let context else { return 0 }
    // The handler alone is held while it runs: it may cancel the source, of which the loop and the
    // source itself then let go.
    let handler = Unmanaged<LoopSource>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.handler }
    handler?(readiness)
    return 0
  }

  /// Calls the handler.
  func fire(_ readiness: Readiness) { handler?(readiness) }
}
