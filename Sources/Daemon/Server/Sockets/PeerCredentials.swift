import CLinux
import Glibc

/// Who was at the other end of a socket when it connected.
public struct PeerCredentials: Equatable, Sendable {
  /// The process; 0 where it is in another pid namespace.
  public var pid: Int32
  /// Its user.
  public var uid: UInt32
  /// Its group.
  public var gid: UInt32
  /// Its supplementary groups.
  public var groups: [UInt32]

  /// Somebody of whom that is known already.
  public init(pid: Int32, uid: UInt32, gid: UInt32, groups: [UInt32] = []) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
    self.groups = groups
  }

  /// Those of a connected Unix socket; nil where the kernel does not say. The corresponding C call
  /// is getsockopt with SO_PEERCRED.
  init?(of descriptor: Int32) {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    guard clinux_peer_credentials(descriptor, &pid, &uid, &gid) == 0 else { return nil }
    self.init(pid: pid, uid: uid, gid: gid, groups: Self.groups(of: descriptor))
  }

  /// The user at the other end of a connected Unix socket; the highest number, which is nobody's,
  /// where the kernel does not say.
  static func user(of descriptor: Int32) -> UInt32 {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    return clinux_peer_credentials(descriptor, &pid, &uid, &gid) == 0 ? uid : .max
  }

  /// None where the kernel does not say. The corresponding C call is getsockopt with
  /// SO_PEERGROUPS.
  private static func groups(of descriptor: Int32) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 32)
    while true {
      var count = UInt32(groups.count)
      if clinux_peer_groups(descriptor, &groups, &count) == 0 {
        return Array(groups.prefix(Int(count)))
      }
      guard errno == ERANGE, count > groups.count else { return [] }
      groups = [UInt32](repeating: 0, count: Int(count))
    }
  }
}
