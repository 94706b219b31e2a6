import CTouchroute
public import TouchModel
public import Wire

/// What else decides where touches go, for observers on the control socket that ask for it: in
/// order with ``Observation``.
public struct ObservedChange: Equatable, Sendable {
  /// What happened.
  public typealias Kind = Wire.ObservedChangeKind

  /// What happened.
  public var kind: Kind
  /// When.
  public var time: Timestamp
  /// With `layout` its generation, with `accepted` and `declined` the touch, with `detached` the
  /// reason, with `lost` how many messages.
  public var value: UInt64
  /// The daemon's number of the client; nil if it is not about one.
  public var client: UInt32?
  /// The daemon's number of the attachment; nil if it is not about one.
  public var attachment: UInt32?
  /// The client's process; nil if it is not about one.
  public var pid: Int32?
  /// With `attached`, the phases that the client handles. Rule R3.
  public var handles: TouchPhases
  /// With `attached`, those of them that go on up the chain too.
  public var passes: TouchPhases
  /// With `attached`, whether the client gets gestures. Rule G13.
  public var handlesGestures: Bool
  /// With `attached`, the responder's path; else empty.
  public var path: String
  /// With `attached`, what the client calls itself; else empty.
  public var name: String

  /// The message as the C library shows it; nil where it is of a newer daemon.
  init?(_ change: touchroute_observed_change, path: String, name: String) {
    guard let kind = Kind(rawValue: change.change) else { return nil }
    self.kind = kind
    time = Timestamp(microseconds: change.time_us)
    value = change.value
    client = change.client == TOUCHROUTE_NONE ? nil : change.client
    attachment = change.attachment == TOUCHROUTE_NONE ? nil : change.attachment
    pid = change.pid == 0 ? nil : change.pid
    handles = TouchPhases(rawValue: change.handles)
    passes = TouchPhases(rawValue: change.passes)
    handlesGestures = change.gestures != 0
    self.path = path
    self.name = name
  }
}
