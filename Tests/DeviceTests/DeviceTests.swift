import Testing
import VirtualDevices

/// Tests over kernel devices, one at a time: a seat sees every device that is plugged in.
@Suite(
  "Kernel devices", .serialized,
  .enabled(
    if: VirtualTouchscreen.isAvailable, "/dev/uinput can't be written here; see scripts/guest")
)
enum DeviceTests {}
