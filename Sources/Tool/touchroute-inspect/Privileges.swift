import Glibc

/// What root may do, which a program that reads what browsers send has no need of.
enum Privileges {
  /// The user and group that own nothing; on Debian they are called nobody and nogroup.
  private static let nobody: UInt32 = 65534

  /// Goes on as nobody, where it is root.
  static func drop() {
    guard getuid() == 0 else { return }
    guard setgroups(0, nil) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
      Complaint.end(
        "it can't go on as another user than root: \(String(cString: strerror(errno)))")
    }
  }
}
