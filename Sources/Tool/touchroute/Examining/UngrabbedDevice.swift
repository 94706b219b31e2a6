import TouchClient
import TouchInput

/// A touchscreen that the daemon does not grab as long as this object is there, so that this
/// process can read it.
final class UngrabbedDevice {
  private let node: String
  /// Nil where no daemon runs that uses the touchscreen, or none that this process may ask.
  private var daemon: Daemon?

  /// Has a running daemon let go of a touchscreen, as far as this process may ask it.
  init(_ device: DeviceDescription, _ socket: SocketOption) throws(Failure) {
    node = device.node
    guard let daemon = try? Daemon(.control, path: socket.socket, output: Output()) else { return }
    let known: DeviceStatus?
    do { known = try Self.status(of: device.node, daemon) } catch let failure as Failure {
      Failure("touchrouted is not asked to let go of \(node): \(failure.sentence)").report()
      return
    } catch { return }
    guard let status = known, !status.flags.contains(.ignored) else { return }
    do {
      // Also where it is not grabbed now: another process may have asked for that before.
      try daemon.ask { connection throws(TouchClientError) in
        try connection.ungrab(status.device)
      }
    } catch let failure as Failure where status.flags.contains(.grabbed) {
      throw Failure(
        "touchrouted has grabbed \(node), so no other program can read it, and does not let go: "
          + failure.sentence)
    } catch { return }
    self.daemon = daemon
  }

  /// What the daemon knows of the touchscreen at a node.
  private static func status(of node: String, _ daemon: Daemon) throws -> DeviceStatus? {
    var found: DeviceStatus?
    try daemon.ask({ connection throws(TouchClientError) in try connection.status() }) { event in
      if case .status(_, .device(let status)) = event, status.node == node { found = status }
    }
    return found
  }

  /// Readable when the daemon has ended; -1 where nothing depends on it.
  var descriptor: CInt { daemon?.connection.descriptor ?? -1 }

  /// Says that the daemon has ended, once ``descriptor`` is readable: the next one may grab.
  func hear() {
    do { try daemon?.next(timeoutMilliseconds: 0) { _ in } } catch {
      Failure(
        "touchrouted has ended: if the next one grabs \(node), this program gets nothing more of it"
      ).report()
      daemon = nil
    }
  }
}
