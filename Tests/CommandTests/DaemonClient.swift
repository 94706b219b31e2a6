import Testing
import TouchClient

/// A program attached to the daemon, and what it was told and has not looked at yet.
final class DaemonClient {
  let connection: TouchConnection
  private var events: [TouchEvent] = []
  /// Why the connection ended, once it has.
  private(set) var ending: TouchClientError?

  init(_ path: String, name: String = "test") throws {
    connection = try TouchConnection(path: path, name: name)
  }

  /// Reads what has come, for at most so many milliseconds where nothing is there.
  func dispatch(milliseconds: Int32 = 0) {
    guard ending == nil else { return }
    do throws(TouchClientError) {
      try connection.dispatch(timeoutMilliseconds: milliseconds) { events.append($0) }
    } catch { ending = error }
  }

  /// The next event that `pick` makes something of; those before it are passed over.
  ///
  /// - Parameter meanwhile: Lets a daemon in this very thread work; nil waits for one elsewhere.
  func next<Value>(
    meanwhile: (() throws -> Void)? = nil, _ pick: (TouchEvent) -> Value?
  ) throws -> Value {
    for _ in 0..<3000 {
      while !events.isEmpty {
        if let value = pick(events.removeFirst()) { return value }
      }
      try #require(ending == nil, "the connection ended: \(ending?.description ?? "")")
      try meanwhile?()
      dispatch(milliseconds: meanwhile == nil ? 10 : 0)
    }
    throw Silence()
  }

  /// Reads until the daemon has ended the connection; everything that came before.
  func rest(meanwhile: (() throws -> Void)? = nil) throws -> [TouchEvent] {
    for _ in 0..<3000 where ending == nil {
      try meanwhile?()
      dispatch(milliseconds: meanwhile == nil ? 10 : 0)
    }
    try #require(ending != nil, "the connection never ended")
    defer { events.removeAll() }
    return events
  }

  /// What has come and was not looked at.
  func pending() -> [TouchEvent] {
    dispatch()
    defer { events.removeAll() }
    return events
  }

  struct Silence: Error {}
}

/// What an event is, where a test waits for one of a kind.
extension TouchEvent {
  var geometry: AttachmentGeometry? { if case .attached(let value) = self { value } else { nil } }
  var newLayout: AttachmentGeometry? { if case .layout(let value) = self { value } else { nil } }
  var failure: RequestFailure? { if case .failed(let value) = self { value } else { nil } }
  var completion: Completion? { if case .done(let value) = self { value } else { nil } }
  var closing: ClosingNotice? { if case .closing(let value) = self { value } else { nil } }
  var greeting: Welcome? { if case .welcome(let value) = self { value } else { nil } }
  var detachment: Detachment? { if case .detached(let value) = self { value } else { nil } }
  var holder: ResponderHolder? { if case .holder(let value) = self { value } else { nil } }
  var frame: RoutedFrame? { if case .touches(let value) = self { value } else { nil } }
  var observation: Observation? { if case .observed(let value) = self { value } else { nil } }
  var item: StatusItem? { if case .status(_, let value) = self { value } else { nil } }
  var view: DescribedView? { if case .view(_, let value) = self { value } else { nil } }
}
