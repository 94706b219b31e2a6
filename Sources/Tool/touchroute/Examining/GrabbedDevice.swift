import TouchClient
import TouchInput

/// Whether the daemon has a touchscreen for itself, so that no other program gets anything of it.
enum GrabbedDevice {
  /// Refuses a touchscreen that a running daemon has grabbed, as far as this process may ask it.
  static func check(_ device: DeviceDescription, _ socket: SocketOption) throws(Failure) {
    guard let daemon = try? Daemon(.control, path: socket.socket, output: Output()) else { return }
    var isGrabbed = false
    do {
      try daemon.ask({ connection throws(TouchClientError) in try connection.status() }) { event in
        guard case .status(_, .device(let status)) = event, status.node == device.node
        else { return }
        isGrabbed = status.flags.contains(.grabbed) && !status.flags.contains(.ignored)
      }
    } catch { return }
    guard isGrabbed else { return }
    throw Failure(
      "touchrouted has grabbed \(device.node), so nobody else gets anything of it: remove "
        + "grab = true from its [[device]], run touchroute reload, and put it back afterwards")
  }
}
