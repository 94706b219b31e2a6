import CLinux
import CSystemd
import Glibc

/// What a service is given by systemd. Every call does nothing where the process was not started by
/// systemd. What it tells systemd is ``ServiceNotifier``'s.
public enum ServiceManager {
  /// A socket that the service manager has opened for us.
  public struct ListenDescriptor: Equatable, Sendable {
    /// The descriptor, close-on-exec; the caller's.
    public var descriptor: Int32
    /// The name that the socket unit gives it (FileDescriptorName=), or `unknown`.
    public var name: String
  }

  /// The descriptors of socket activation, none without it. LISTEN_FDS and its kin leave the
  /// environment: a second call finds none. The corresponding C function is
  /// sd_listen_fds_with_names.
  public static func listenDescriptors() throws(EventLoopError) -> [ListenDescriptor] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = try EventLoopError.check(
      sd_listen_fds_with_names(1, &names), "taking the sockets that systemd passes")
    defer {
      for index in 0..<Int(count) { free(names?[index]) }
      free(names)
    }
    return (0..<count).map { index in
      let name = names?[Int(index)].map { String(cString: $0) }
      return ListenDescriptor(
        descriptor: SD_LISTEN_FDS_START + index, name: name ?? "unknown")
    }
  }

  /// The number of descriptors that the service manager keeps for us, as it says in `FDSTORE`; 0
  /// without one that does. systemd before 254 says nothing, so that the unit has to.
  public static var storeCapacity: Int {
    guard notifySocket != nil, let text = getenv("FDSTORE") else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  /// The service is alive, though its loop does not turn for the moment: it does something long
  /// that it has been asked to do. Says nothing where no watchdog asks, and waits for nobody: where
  /// the service manager does not read, this is lost. Any thread may call it.
  public static func alive() {
    guard sd_watchdog_enabled(0, nil) > 0, let address = notifySocket else { return }
    let socket = clinux_notify_connect(address)
    guard socket >= 0 else { return }
    _ = clinux_notify_send(socket, "WATCHDOG=1", nil, 0)
    close(socket)
  }

  /// Where the service manager hears us; nil where there is none.
  static var notifySocket: String? { getenv("NOTIFY_SOCKET").map { String(cString: $0) } }
}
