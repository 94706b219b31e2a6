/// The events of a ``TouchSession``. It ends when the task that iterates is cancelled, and throws
/// when the connection has ended.
public struct TouchEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = TouchEvent
  /// Why the connection has ended.
  public typealias Failure = TouchClientError

  /// Asks the session for one event after another.
  public struct Iterator: AsyncIteratorProtocol {
    let session: TouchSession

    /// The next event, once there is one; nil where the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(TouchClientError) -> TouchEvent? {
      try await session.nextEvent()
    }
  }

  let session: TouchSession

  /// An iterator; all of them take from the same queue.
  public func makeAsyncIterator() -> Iterator { Iterator(session: session) }
}

/// The touches of a ``TouchSession``, a frame at a time. Other events are passed over; a program
/// that has to know of them iterates over ``TouchSession/events``.
public struct TouchFrames: AsyncSequence, Sendable {
  /// The touches of one frame.
  public typealias Element = RoutedFrame
  /// Why the connection has ended.
  public typealias Failure = TouchClientError

  /// Asks the session for one event after another.
  public struct Iterator: AsyncIteratorProtocol {
    let session: TouchSession

    /// The next frame, once there is one; nil where the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(TouchClientError) -> RoutedFrame? {
      while let event = try await session.nextEvent() {
        if case .touches(let frame) = event { return frame }
      }
      return nil
    }
  }

  let session: TouchSession

  /// An iterator; all of them take from the same queue.
  public func makeAsyncIterator() -> Iterator { Iterator(session: session) }
}

/// The gestures of a ``TouchSession``. Other events are passed over; a program that has to know of
/// them, or of touches too, iterates over ``TouchSession/events``.
public struct GestureEvents: AsyncSequence, Sendable {
  /// What a gesture has come to.
  public typealias Element = Gesture
  /// Why the connection has ended.
  public typealias Failure = TouchClientError

  /// Asks the session for one event after another.
  public struct Iterator: AsyncIteratorProtocol {
    let session: TouchSession

    /// The next one, once there is one; nil where the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(TouchClientError) -> Gesture? {
      while let event = try await session.nextEvent() {
        if case .gesture(let gesture) = event { return gesture }
      }
      return nil
    }
  }

  let session: TouchSession

  /// An iterator; all of them take from the same queue.
  public func makeAsyncIterator() -> Iterator { Iterator(session: session) }
}
