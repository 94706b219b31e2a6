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
    waitForAdd { path, _ in path == node } != nil
  }

  /// Waits until udev has run its rules over a new node of a device of that name, and says which;
  /// nil after 30 seconds without.
  func waitForAdd(name: String) -> String? {
    waitForAdd { _, other in other == name }
  }

  private func waitForAdd(_ isRight: (_ node: String, _ name: String) -> Bool) -> String? {
    while true {
      var ready = pollfd(fd: udev_monitor_get_fd(monitor), events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 30_000) == 1 else { return nil }
      guard let device = udev_monitor_receive_device(monitor) else { continue }
      defer { udev_device_unref(device) }
      let parent = udev_device_get_parent(device)
      guard udev_device_get_action(device).map({ String(cString: $0) }) == "add",
        let node = udev_device_get_devnode(device).map({ String(cString: $0) }),
        node.hasPrefix("/dev/input/event")
      else { continue }
      let name = udev_device_get_sysattr_value(parent, "name").map { String(cString: $0) } ?? ""
      if isRight(node, name) { return node }
    }
  }
}
