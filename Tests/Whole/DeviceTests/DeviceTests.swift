import Testing
import VirtualDevices

/// Tests over kernel devices, one at a time: a seat sees every device that is plugged in.
@Suite(
  "Kernel devices", .serialized,
  .enabled(
    if: VirtualTouchscreen.isAvailable, "/dev/uinput can't be written here; see scripts/guest")
)
enum DeviceTests {}

/// Plugs a touchscreen in that has as many units as the tests' screen has points, 800 x 480.
func panel(
  _ name: String = "touchroute panel", slots: Int32 = 10
) throws -> VirtualTouchscreen {
  try VirtualTouchscreen(.multitouch(name: name, slots: slots, width: 800, height: 480))
}
