import CSystemd
import Glibc

/// What a service tells systemd, and what it is given by it. Every call does nothing where the
/// process was not started by systemd.
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

  /// Sends a state, lines of `KEY=value`; whether a service manager was there to hear it. The
  /// corresponding C function is sd_notify.
  @discardableResult
  public static func notify(_ state: String) throws(EventLoopError) -> Bool {
    try EventLoopError.check(sd_notify(0, state), "telling systemd \"\(state)\"") > 0
  }

  /// The service is up; `status` is what `systemctl status` shows.
  @discardableResult
  public static func ready(status: String) throws(EventLoopError) -> Bool {
    try notify("READY=1\nSTATUS=\(singleLine(status))")
  }

  /// What `systemctl status` shows from now on.
  @discardableResult
  public static func status(_ status: String) throws(EventLoopError) -> Bool {
    try notify("STATUS=\(singleLine(status))")
  }

  /// The service reads its configuration again; `ready(status:)` says when it has. `now` is the
  /// loop's, in microseconds.
  @discardableResult
  public static func reloading(now: UInt64) throws(EventLoopError) -> Bool {
    try notify("RELOADING=1\nMONOTONIC_USEC=\(now)")
  }

  /// The service is alive, though its loop does not turn for the moment: it does something long
  /// that it has been asked to do. Says nothing where no watchdog asks. The corresponding C
  /// functions are sd_watchdog_enabled and sd_notify.
  @discardableResult
  public static func alive() throws(EventLoopError) -> Bool {
    guard sd_watchdog_enabled(0, nil) > 0 else { return false }
    return try notify("WATCHDOG=1")
  }

  /// The service is on its way down.
  @discardableResult
  public static func stopping() throws(EventLoopError) -> Bool { try notify("STOPPING=1") }

  /// A line feed would begin another assignment.
  private static func singleLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
