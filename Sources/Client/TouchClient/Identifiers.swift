@_exported public import Wire

/// Names an attachment of this program, from ``TouchConnection/attach(to:handles:passes:options:)``
/// to its end, over all reconnections.
public struct AttachmentID: Hashable, Sendable {
  /// The number itself: the serial of the request.
  public var rawValue: UInt32

  /// The attachment of that number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Names a request of this connection, in its answer too.
public struct Serial: Hashable, Sendable {
  /// The number itself, from 1; 0 in an answer that answers no request.
  public var rawValue: UInt32

  /// The request of that number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Options of an attachment; the bits are the wire's.
public typealias AttachOptions = Wire.AttachFlags
