package import TouchClient

/// A program attached to the daemon, and what it was told and has not looked at yet.
package final class DaemonClient {
  package let connection: TouchConnection
  private var events: [TouchEvent] = []
  /// Why the connection ended, once it has.
  package private(set) var ending: TouchClientError?

  package init(_ path: String, name: String = "test") throws {
    connection = try TouchConnection(path: path, name: name)
  }

  /// Reads what has come, for at most so many milliseconds where nothing is there.
  package func dispatch(milliseconds: Int32 = 0) {
    guard ending == nil else { return }
    do throws(TouchClientError) {
      try connection.dispatch(timeoutMilliseconds: milliseconds) { events.append($0) }
    } catch { ending = error }
  }

  /// The next event that `pick` makes something of; those before it are passed over.
  ///
  /// - Parameter meanwhile: Lets a daemon in this very thread work; nil waits for one elsewhere.
  package func next<Value>(
    meanwhile: (() throws -> Void)? = nil, _ pick: (TouchEvent) -> Value?
  ) throws -> Value {
    for _ in 0..<3000 {
      while !events.isEmpty {
        if let value = pick(events.removeFirst()) { return value }
      }
      if let ending { throw Ended(error: ending) }
      try meanwhile?()
      dispatch(milliseconds: meanwhile == nil ? 10 : 0)
    }
    throw Silence()
  }

  /// Reads until the daemon has ended the connection; everything that came before.
  package func rest(meanwhile: (() throws -> Void)? = nil) throws -> [TouchEvent] {
    for _ in 0..<3000 {
      guard ending == nil else { break }
      try meanwhile?()
      dispatch(milliseconds: meanwhile == nil ? 10 : 0)
    }
    guard ending != nil else { throw Silence() }
    defer { events.removeAll() }
    return events
  }

  /// What has come and was not looked at.
  package func pending() -> [TouchEvent] {
    dispatch()
    defer { events.removeAll() }
    return events
  }

  /// What is waited for never came.
  package struct Silence: Error {
    package init() {}
  }

  /// The connection ended while something was waited for.
  package struct Ended: Error {
    package let error: TouchClientError
  }
}

/// What an event is, where a test waits for one of a kind.
extension TouchEvent {
  package var geometry: AttachmentGeometry? {
    if case .attached(let value) = self { value } else { nil }
  }
  package var newLayout: AttachmentGeometry? {
    if case .layout(let value) = self { value } else { nil }
  }
  package var failure: RequestFailure? { if case .failed(let value) = self { value } else { nil } }
  package var completion: Completion? { if case .done(let value) = self { value } else { nil } }
  package var closing: ClosingNotice? { if case .closing(let value) = self { value } else { nil } }
  package var greeting: Welcome? { if case .welcome(let value) = self { value } else { nil } }
  package var waiting: Waiting? { if case .waiting(let value) = self { value } else { nil } }
  package var detachment: Detachment? { if case .detached(let value) = self { value } else { nil } }
  package var holder: ResponderHolder? { if case .holder(let value) = self { value } else { nil } }
  package var frame: RoutedFrame? { if case .touches(let value) = self { value } else { nil } }
  package var observation: Observation? {
    if case .observed(let value) = self { value } else { nil }
  }
  package var screen: ScreenNotice? { if case .screen(let value) = self { value } else { nil } }
  package var lock: LockNotice? { if case .lock(let value) = self { value } else { nil } }
  package var feedback: FeedbackNotice? {
    if case .feedback(let value) = self { value } else { nil }
  }
  package var idle: IdleChange? { if case .idle(let value) = self { value } else { nil } }
  package var item: StatusItem? { if case .status(_, let value) = self { value } else { nil } }
  package var view: DescribedView? { if case .view(_, let value) = self { value } else { nil } }
}
