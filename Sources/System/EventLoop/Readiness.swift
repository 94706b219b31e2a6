import CSystemd

/// What a descriptor is watched for, or is ready for: epoll's bits.
public struct Readiness: OptionSet, Hashable, Sendable {
  /// EPOLLIN and so on.
  public let rawValue: UInt32

  /// The set of those bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Something can be read, or a connection accepted (EPOLLIN).
  public static let read = Readiness(rawValue: EPOLLIN.rawValue)
  /// Something can be written (EPOLLOUT).
  public static let write = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer has shut down its writing half (EPOLLRDHUP).
  public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// Both halves are shut, or the device is gone (EPOLLHUP); reported unasked.
  public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  /// An error is pending (EPOLLERR); reported unasked.
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)
}
