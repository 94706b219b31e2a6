#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What went wrong between this program and the daemon.
public struct TouchClientError: Error, Equatable, CustomStringConvertible, Sendable {
  /// What kind of failure it is.
  public enum Kind: Equatable, Sendable {
    /// No connection could be made.
    case connect
    /// The connection has ended, and is not being made again.
    case ended
    /// It has ended because one end broke the protocol.
    case malformed
    /// It has ended because the daemon speaks no version of the protocol that is known here.
    case version
    /// An argument is out of range, or a limit of the library was reached.
    case request
    /// So many requests wait for the daemon that no more can be queued; later they can.
    case full
    /// There is no connection at the moment; it is being made again.
    case away
    /// The daemon refused a request, for this reason.
    case refused(RequestFailure.Code)
    /// The task that waited was cancelled.
    case cancelled
  }

  /// What kind of failure it is.
  public var kind: Kind
  /// What was wrong and what can be done about it, as a sentence.
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
