import CLibinput
import Glibc
import TouchModel

/// Tells when named nodes go and come back; libinput's path backend never does.
final class NodeMonitor {
  enum Change {
    /// The node with this path is gone.
    case gone(String)
    /// A device has come to this node, one of the named or the target of a named link.
    case came(String)
  }

  private let nodes: [String]
  /// Ours until the end; nil where the kernel refuses the socket, as in some containers.
  private let monitor: OpaquePointer?

  init(udev: OpaquePointer, nodes: [String]) {
    self.nodes = nodes
    monitor = udev_monitor_new_from_netlink(udev, "udev")
    guard let monitor else { return }
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
    udev_monitor_enable_receiving(monitor)
  }

  deinit { udev_monitor_unref(monitor) }

  /// Readable when there is a change; -1 where there is no way to know.
  var descriptor: Int32 { monitor.map { udev_monitor_get_fd($0) } ?? -1 }

  /// Reports each change that has come in, in order. Never blocks.
  func receive(_ report: (Change) -> Void) {
    guard let monitor else { return }
    while let device = udev_monitor_receive_device(monitor) {
      defer { udev_device_unref(device) }
      guard let action = udev_device_get_action(device).map({ String(cString: $0) }),
        let description = DeviceDescription(udevDevice: device)
      else { continue }
      switch action {
      case "remove": report(.gone(description.node))
      case "add", "change":
        if nodes.contains(where: { Self.leads($0, to: device) }) { report(.came(description.node)) }
      default: continue
      }
    }
  }

  /// Whether a path is the node of a device, or a link to it, whoever has made that.
  private static func leads(_ path: String, to device: OpaquePointer) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
      && status.st_rdev == udev_device_get_devnum(device)
  }
}
