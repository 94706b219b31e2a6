#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An error between this program and the daemon.
public struct TouchClientError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The kinds of errors.
  public enum Kind: Equatable, Sendable {
    /// No connection could be made.
    case connect
    /// The connection has ended, and the library does not reconnect.
    case ended
    /// The connection has ended because one end broke the protocol.
    case malformed
    /// The connection has ended because the daemon and this library have no version in common.
    case version
    /// An argument is out of range, or a limit of the library is reached.
    case request
    /// Too many requests wait for the daemon. Try again later.
    case full
    /// There is no connection at the moment; the library is reconnecting.
    case away
    /// The daemon refused a request, for this reason.
    case refused(RequestFailure.Code)
    /// The task that waited was cancelled.
    case cancelled
  }

  /// The kind of error.
  public var kind: Kind
  /// What is wrong and what to do about it, as a sentence.
  public var description: String

  /// A failure of that kind.
  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// What a request or dispatch of the C library returned, with the sentence that it left.
  init(code: CInt, sentence: String) {
    switch -code {
    case EAGAIN: self.init(.full, sentence)
    case ENOTCONN: self.init(.away, sentence)
    case ECONNRESET: self.init(.ended, sentence)
    case EPROTO: self.init(.malformed, sentence)
    case EPROTONOSUPPORT: self.init(.version, sentence)
    default: self.init(.request, sentence)
    }
  }
}
