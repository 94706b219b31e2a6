import CLinux
import Glibc

/// Why a device's node cannot be opened, in words that a person can act on.
package enum NodeAccess {
  /// A sentence about the failure `code` of opening the node.
  package static func explain(_ node: String, _ code: Int32) -> String {
    switch code {
    case EACCES, EPERM: refusal(node)
    case ENOENT, ENODEV, ENXIO: "\(node) is gone: the device was unplugged, or never existed"
    default: "\(node) can't be opened: \(String(cString: clinux_error_text(code)))"
    }
  }

  private static func refusal(_ node: String) -> String {
    let me = user(geteuid())
    var status = stat()
    guard stat(node, &status) == 0 else {
      return "\(node) may not be opened by \(me), nor may its folder be searched"
    }
    let owner = user(status.st_uid)
    let start = "\(node) may not be opened by \(me)"
    guard status.st_mode & 0o040 != 0 else {
      return "\(start): only its owner, \(owner), may read it; a udev rule with "
        + "GROUP=\"input\", MODE=\"0660\" opens it to a group"
    }
    let group = group(status.st_gid)
    return "\(start): join group \(group) (usermod -aG \(group) NAME, or "
      + "SupplementaryGroups=\(group) in the unit), or run as \(owner)"
  }

  private static func user(_ id: UInt32) -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard clinux_user_name(id, &name, name.count) == 0 else { return "user \(id)" }
    return "user \(text(name))"
  }

  private static func group(_ id: UInt32) -> String {
    var name = [CChar](repeating: 0, count: 256)
    return clinux_group_name(id, &name, name.count) == 0 ? text(name) : "\(id)"
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
