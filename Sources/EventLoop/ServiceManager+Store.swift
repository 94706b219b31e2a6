import CSystemd
import Glibc

/// Descriptors that the service manager keeps while the service is restarted. They come back with
/// those of socket activation, under the name that they were kept by.
extension ServiceManager {
  /// The number of descriptors that the service manager keeps for us, as it says in `FDSTORE`; 0
  /// without one that does. systemd before 254 says nothing, so that the unit has to.
  public static var storeCapacity: Int {
    guard getenv("NOTIFY_SOCKET") != nil, let text = getenv("FDSTORE") else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  /// Gives descriptors to the service manager, which has them from here on beside us. One of which
  /// the peer hangs up meanwhile is dropped. The corresponding C function is
  /// sd_pid_notify_with_fds.
  public static func store(_ descriptors: [Int32], name: String) throws(EventLoopError) {
    var rest = descriptors[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(descriptorsOfOneMessage))
      rest = rest.dropFirst(batch.count)
      try EventLoopError.check(
        sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", batch, UInt32(batch.count)),
        "giving \(batch.count) descriptors to systemd")
    }
  }

  /// Has the service manager drop what it keeps by that name.
  public static func forget(_ name: String) throws(EventLoopError) {
    try notify("FDSTOREREMOVE=1\nFDNAME=\(name)")
  }

  /// The kernel passes at most 253 with one message.
  private static let descriptorsOfOneMessage = 250
}
