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

  private static func userOfMachine(_ name: String) -> UInt32? {
    guard let file = fopen("/etc/passwd", "re") else { return nil }
    defer { fclose(file) }
    while let entry = fgetpwent(file) {
      if String(cString: entry.pointee.pw_name) == name { return entry.pointee.pw_uid }
    }
    return nil
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
