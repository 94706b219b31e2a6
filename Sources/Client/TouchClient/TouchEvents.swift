/// The events of a ``TouchSession``. The sequence ends when the iterating task is cancelled, and
/// throws when the connection has ended.
public struct TouchEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = TouchEvent
  /// Why the connection has ended.
  public typealias Failure = TouchClientError

  /// Asks the session for one event after another.
  public struct Iterator: AsyncIteratorProtocol {
    let session: TouchSession

    /// Waits for the next event; nil if the task is cancelled.
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

/// The touches of a ``TouchSession``, a frame at a time. It drops other events; a program that
/// needs them iterates over ``TouchSession/events``.
public struct TouchFrames: AsyncSequence, Sendable {
  /// The touches of one frame.
  public typealias Element = RoutedFrame
  /// Why the connection has ended.
  public typealias Failure = TouchClientError

  /// Asks the session for one event after another.
  public struct Iterator: AsyncIteratorProtocol {
    let session: TouchSession

    /// Waits for the next frame; nil if the task is cancelled.
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

/// The gestures of a ``TouchSession``. It drops other events; a program that needs them, or touches
/// too, iterates over ``TouchSession/events``.
public struct GestureEvents: AsyncSequence, Sendable {
  /// A gesture.
  public typealias Element = Gesture
  /// Why the connection has ended.
  public typealias Failure = TouchClientError

  /// Asks the session for one event after another.
  public struct Iterator: AsyncIteratorProtocol {
    let session: TouchSession

    /// Waits for the next gesture; nil if the task is cancelled.
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
