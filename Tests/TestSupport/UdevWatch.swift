import CLibinput
import Glibc

/// Hears what udev has done, from its making on.
final class UdevWatch {
  private let udev: OpaquePointer?
  private let monitor: OpaquePointer?

  init() {
    udev = udev_new()
    monitor = udev_monitor_new_from_netlink(udev, "udev")
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
    udev_monitor_enable_receiving(monitor)
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(udev)
  }

  /// Waits until udev has run its rules over the new node; false after 30 seconds without.
  func waitForAdd(_ node: String) -> Bool {
    while true {
      var ready = pollfd(fd: udev_monitor_get_fd(monitor), events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 30_000) == 1 else { return false }
      guard let device = udev_monitor_receive_device(monitor) else { continue }
      defer { udev_device_unref(device) }
      let action = udev_device_get_action(device).map { String(cString: $0) }
      let path = udev_device_get_devnode(device).map { String(cString: $0) }
      if action == "add", path == node { return true }
    }
  }
}
