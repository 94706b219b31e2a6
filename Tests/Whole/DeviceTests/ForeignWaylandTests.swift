import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import VirtualDevices

extension DeviceTests {
  /// Debian's sway as it is, whose screen is memory, with a program of GTK's that fills it. sway
  /// reads the window's touchscreen through libinput, which seatd opens for it.
  @Suite(
    "GTK under sway as it is",
    .enabled(
      if: ProcessInfo.processInfo.environment["TOUCHROUTE_TOOLKITS"] != nil,
      "it takes a minute; see scripts/test --toolkits"))
  struct ForeignWaylandTests {
    private static let program = """
      import gi
      gi.require_version("Gtk", "3.0")
      from gi.repository import GLib, Gtk
      def say(*words): print(*words, flush=True)
      window, place = Gtk.Window(), Gtk.Fixed()
      window.add(place)
      button = Gtk.Button(label="button")
      button.set_size_request(200, 80)
      place.put(button, 100, 60)
      for name in ("pressed", "released", "clicked"):
        button.connect(name, lambda _, name=name: say(name))
      slider = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
      slider.set_size_request(300, 50)
      place.put(slider, 50, 200)
      slider.connect("value-changed", lambda it: say("slider", round(it.get_value())))
      # Drawn once, and so large as the screen.
      window.connect("map-event", lambda *_: GLib.timeout_add(500, lambda: say("shown")))
      window.show_all()
      Gtk.main()
      """

    /// sway refuses to be root.
    private static let session = """
      export XDG_RUNTIME_DIR=$(mktemp -d)
      config=$XDG_RUNTIME_DIR/config
      printf 'output HEADLESS-1 resolution 800x480\\ndefault_border none\\n' >"$config"
      echo 'exec python3 -c "import os; exec(os.environ[\\"PROGRAM\\"])"' >>"$config"
      chown -R nobody "$XDG_RUNTIME_DIR"
      seatd -u nobody &
      until [ -S /run/seatd.sock ]; do sleep 0.1; done
      exec setpriv --reuid nobody --regid nogroup --clear-groups sway -c "$config"
      """

    private static let layout = """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      frame = [0, 0, 800, 480]
      """

    @Test("a touch that is cancelled presses no button, and a slider stays where it was (R9)")
    func cancels() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(Self.layout, touchscreens: 1)
      let output = try OutputProcess(daemon, "home")
      _ = try output.node()
      let sway = try ForeignProgram(
        "/bin/bash", ["-c", Self.session], hiding: [touch.node],
        environment: [
          "PROGRAM": Self.program, "SEATD_VTBOUND": "0", "LIBSEAT_BACKEND": "seatd",
          "WLR_BACKENDS": "headless,libinput", "WLR_RENDERER": "pixman",
          "WLR_LIBINPUT_NO_DEVICES": "1", "GDK_BACKEND": "wayland", "NO_AT_BRIDGE": "1",
          "GSETTINGS_BACKEND": "memory",
        ])
      try sway.wait(for: "shown", seconds: 300)
      let control = try TouchProgram(control: daemon)
      func count(_ word: String) -> Int { sway.lines.count { $0 == word } }
      func expect(pressed: Int, clicked: Int) throws {
        try expectSoon { count("released") == pressed }
        #expect(count("pressed") == pressed && count("clicked") == clicked, "\(sway.lines)")
      }
      // Once it is mapped sway may have nothing of it yet.
      try expectSoon {
        try touch.tap(x: 200, y: 100)
        usleep(1_000_000)
        return count("clicked") > 0 && count("released") == count("pressed")
      }
      let before = count("clicked")
      touch.down(x: 200, y: 100)
      try touch.sync()
      try expectSoon { count("pressed") == before + 1 }
      try control.connection.cancel(nil)
      try expect(pressed: before + 1, clicked: before)
      touch.up()
      try touch.sync()
      try touch.tap(x: 200, y: 100)
      try expect(pressed: before + 2, clicked: before + 1)

      touch.down(x: 100, y: 230)
      try touch.sync()
      for x in [120, 160, 200] as [Int32] {
        touch.move(x: x, y: 230)
        try touch.sync()
      }
      try expectSoon { sway.lines.contains("slider 50") }
      try control.connection.cancel(nil)
      touch.up()
      try touch.sync()
      try touch.tap(x: 200, y: 100)
      try expect(pressed: before + 3, clicked: before + 2)
      #expect(sway.lines.last { $0.hasPrefix("slider") } == "slider 50")

      touch.down(x: 200, y: 100)
      try touch.sync()
      try expectSoon { count("pressed") == before + 4 }
      daemon.kill()
      try expect(pressed: before + 4, clicked: before + 2)
    }
  }
}
