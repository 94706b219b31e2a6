/// Whether a device gives touches, and if not, why.
package enum DeviceVerdict: Equatable, Sendable {
  /// libinput takes it for a touchscreen.
  case touchscreen
  /// udev calls it a touchscreen, but its node can't be opened: this sentence says why, and who
  /// could.
  case unreachable(String)
  /// udev calls it a touchscreen, libinput refuses it: this is what libinput says.
  case refused(String)
  /// It looks like a touchscreen, but not to udev: this sentence says what is wrong with it.
  case mistaken(String)
  /// udev has not looked at it: its daemon does not run, or has not come to it yet.
  case unknown
  /// It is the virtual touchscreen of the output of that name, which the daemon never reads.
  case output(String)
  /// It is something else: a mouse, a keyboard.
  case other(String)
}
