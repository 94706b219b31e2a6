import Glibc

/// Finds users and groups by their names.
package struct Accounts {
  /// The number of a user of that name.
  package var user: (String) -> UInt32?
  /// The number of a group of that name.
  package var group: (String) -> UInt32?

  /// Accounts that those functions know.
  package init(user: @escaping (String) -> UInt32?, group: @escaping (String) -> UInt32?) {
    self.user = user
    self.group = group
  }

  /// Those of /etc/passwd and /etc/group. No name service is asked: a reload would wait for it,
  /// and touches for the reload.
  package static var machine: Accounts {
    Accounts(user: Accounts.userOfMachine, group: Accounts.groupOfMachine)
  }

  /// The bytes of an entry of /etc/passwd, at most.
  private static let longestEntry = 65_536

  private static func userOfMachine(_ name: String) -> UInt32? {
    guard let file = fopen("/etc/passwd", "re") else { return nil }
    defer { fclose(file) }
    // fgetpwent has one entry for all threads, and the loop's may be looking for a name meanwhile.
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: longestEntry) { bytes in
      guard let text = bytes.baseAddress else { return nil }
      while fgetpwent_r(file, &entry, text, bytes.count, &found) == 0 {
        if String(cString: entry.pw_name) == name { return entry.pw_uid }
      }
      return nil
    }
  }

  private static func groupOfMachine(_ name: String) -> UInt32? {
    guard let file = fopen("/etc/group", "re") else { return nil }
    defer { fclose(file) }
    while let entry = fgetgrent(file) {
      if String(cString: entry.pointee.gr_name) == name { return entry.pointee.gr_gid }
    }
    return nil
  }
}
