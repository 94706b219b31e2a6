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

  /// Those of a connected Unix socket; nil where the kernel does not say. The corresponding C call
  /// is getsockopt with SO_PEERCRED.
  init?(of descriptor: Int32) {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    guard clinux_peer_credentials(descriptor, &pid, &uid, &gid) == 0 else { return nil }
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }

  /// `user kiosk`, or `uid 1000` where the machine's own list of users has none of that number.
  ///
  /// It reads /etc/passwd and asks no name service, which could keep the loop waiting.
  public var user: String {
    guard let file = fopen("/etc/passwd", "re") else { return "uid \(uid)" }
    defer { fclose(file) }
    while let entry = fgetpwent(file) {
      if entry.pointee.pw_uid == uid { return "user \(String(cString: entry.pointee.pw_name))" }
    }
    return "uid \(uid)"
  }
}
