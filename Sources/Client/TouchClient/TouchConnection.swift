import CTouchroute
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Options of a connection.
public struct ConnectOptions: OptionSet, Hashable, Sendable {
  /// One bit for each option; the bits are the C library's.
  public var rawValue: UInt32

  /// The options of those bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Survive the daemon's restart, and wait for its start.
  ///
  /// The library connects again, at once, then after pauses that grow from 100 ms to 5 s. Then it
  /// attaches, observes and adds views and recognizers again, under the same numbers.
  public static let reconnect = ConnectOptions(rawValue: TOUCHROUTE_RECONNECT.rawValue)
}

/// A connection to the daemon, for a program with a loop of its own.
///
/// Poll ``descriptor``, then call ``dispatch(timeoutMilliseconds:_:)``. An `async` program uses
/// ``TouchSession`` instead.
///
/// Use it from one thread at a time; it is not `Sendable`. The connection ends with the last
/// reference to it.
///
/// The corresponding C struct is touchroute_connection; touchroute.h has the whole contract.
public final class TouchConnection {
  /// The C library's connection: ours, from init to deinit.
  let connection: OpaquePointer
  /// What the listener was told: the connection's data, so it lives longer than that.
  private let buffer = EventBuffer()
  private var isDispatching = false

  /// Connects and says hello; does not wait for the answer. You can make requests at once.
  ///
  /// - Parameters:
  ///   - path: The socket's path. nil: the environment's TOUCHROUTE_SOCKET, then the daemon's
  ///     default.
  ///   - name: What the daemon's status and log call this program. nil: the name it was started by.
  ///   - options: With ``ConnectOptions/reconnect`` it is no failure if no daemon runs yet.
  /// - Throws: ``TouchClientError/Kind/connect``, with what is wrong with the socket.
  ///
  /// The corresponding C function is touchroute_connect.
  public init(
    path: String? = nil, name: String? = nil, options: ConnectOptions = []
  ) throws(TouchClientError) {
    var listener = EventBuffer.listener()
    let data = Unmanaged.passUnretained(buffer).toOpaque()
    guard let connection = touchroute_connect(path, name, options.rawValue, &listener, data)
    else { throw TouchClientError(.connect, String(cString: touchroute_error_text(nil))) }
    self.connection = connection
  }

  deinit { touchroute_disconnect(connection) }

  /// The descriptor to poll. It stays the same for the connection's life; the library owns it.
  ///
  /// The corresponding C function is touchroute_get_fd.
  public var descriptor: CInt { touchroute_get_fd(connection) }

  /// The events to poll ``descriptor`` for: POLLIN, and POLLOUT while requests wait. Ask before
  /// each poll.
  ///
  /// The corresponding C function is touchroute_get_events.
  public var pollEvents: CShort { touchroute_get_events(connection) }

  /// Sends waiting requests, reads once, and calls a function for each event that has come.
  ///
  /// - Parameters:
  ///   - timeoutMilliseconds: How long to wait until something happens. 0 never blocks, -1 waits
  ///     for ever.
  ///   - handle: Is called for each event, in order. It may make requests; it may not dispatch.
  /// - Throws: ``TouchClientError/Kind/ended``, after it handled all events that came before.
  ///
  /// The corresponding C function is touchroute_dispatch.
  public func dispatch(
    timeoutMilliseconds: CInt = 0, _ handle: (TouchEvent) -> Void
  ) throws(TouchClientError) {
    precondition(!isDispatching, "dispatch may not be called by the function that it calls")
    isDispatching = true
    defer { isDispatching = false }
    let result = touchroute_dispatch(connection, timeoutMilliseconds)
    let sentence = result < 0 ? String(cString: touchroute_error_text(connection)) : ""
    for event in buffer.events { handle(event) }
    buffer.events.removeAll(keepingCapacity: true)
    if result < 0 { throw TouchClientError(code: result, sentence: sentence) }
  }

  /// Sends waiting requests. You rarely need it: a request is sent when you make it, and what the
  /// socket does not take is sent by the next dispatch.
  ///
  /// - Returns: Whether nothing waits any more.
  ///
  /// The corresponding C function is touchroute_flush.
  public func flush() throws(TouchClientError) -> Bool {
    let result = touchroute_flush(connection)
    if result < 0, result != -EAGAIN { throw failure(result) }
    return result == 0
  }

  /// The error that the C library's last call left.
  func failure(_ code: CInt) -> TouchClientError {
    TouchClientError(code: code, sentence: String(cString: touchroute_error_text(connection)))
  }
}
