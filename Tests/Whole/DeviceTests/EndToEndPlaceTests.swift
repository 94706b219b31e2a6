import CLibevdev
import DaemonSupport
import Foundation
import Testing
import TouchClient
import VirtualDevices

extension DeviceTests {
  @Suite("End to end: every touchscreen of the catalogue, however it is mounted")
  struct EndToEndPlaceTests {
    /// A panel as its owner configures it, and where on it a point of the device is; all from 0 to
    /// 1.
    private struct Mount: Sendable {
      var rotation = 0
      var calibration = ""
      var place: @Sendable (_ u: Double, _ v: Double) -> (x: Double, y: Double)

      var configuration: String {
        """
        [screen.panel]
        size = [800, 480]
        rotation = \(rotation)
        [[device]]
        \(calibration)
        [[window]]
        name = "panel"
        \(views)
        """
      }

      private var views: String {
        EndToEndPlaceTests.places.map { name, x, y in
          "[[view]]\npath = \"panel/\(name)\"\nframe = [\(x * 700), \(y * 380), 100, 100]"
        }.joined(separator: "\n")
      }
    }

    /// The views: in the corners and at the centre, with their places among the free room.
    private static let places = [
      ("left-top", 0.0, 0.0), ("right-top", 1, 0), ("left-bottom", 0, 1), ("right-bottom", 1, 1),
      ("centre", 0.5, 0.5),
    ]

    /// A panel that is mounted turned clockwise has its first corner where its second one would be.
    private static let mounts = [
      Mount { ($0, $1) },
      Mount(rotation: 90) { (1 - $1, $0) },
      Mount(rotation: 180) { (1 - $0, 1 - $1) },
      Mount(rotation: 270) { ($1, 1 - $0) },
      // Mirrored, and x and y exchanged: a calibration is the device's, and comes first.
      Mount(calibration: "calibration = [-1, 0, 1, 0, 1, 0]") { (1 - $0, $1) },
      Mount(rotation: 90, calibration: "calibration = [0, 1, 0, 1, 0, 0]") { (1 - $0, $1) },
    ]

    private static let touchscreens: [DeviceSheet] = {
      let url = Bundle.module.url(forResource: "Recordings/devices", withExtension: "json")
      let all = url.flatMap { try? DeviceSheet.catalogue(Data(contentsOf: $0)) } ?? []
      return all.filter(\.isTouch).map(\.sheet)
    }()

    private func name(_ x: Double, _ y: Double) -> String {
      Self.places.first { abs($0.1 - x) < 0.25 && abs($0.2 - y) < 0.25 }?.0 ?? "none"
    }

    /// The device's unit at a share of an axis.
    private func unit(_ share: Double, _ axis: DeviceSheet.Axis) -> Int32 {
      let size = Double(axis.maximum) - Double(axis.minimum)
      return axis.minimum + Int32((size * share).rounded())
    }

    @Test("A tap at a corner or the centre hits the view that is there (H1, T11)")
    func corners() throws {
      #expect(Self.touchscreens.count > 50)
      let daemon = try DaemonProcess.start(Self.mounts[0].configuration, touchscreens: 0)
      let control = try TouchProgram(control: daemon)
      let program = try TouchProgram(daemon, "panel")
      // Some at a time, since a reload takes as long as many taps.
      for start in stride(from: 0, to: Self.touchscreens.count, by: 16) {
        let devices = try Self.touchscreens[start...].prefix(16).map(VirtualTouchscreen.init)
        try daemon.wait(for: "touchscreens: \(devices.count)")
        for mount in Self.mounts {
          try daemon.write(mount.configuration)
          try control.reload()
          // What a service manager is told must be read, or the daemon waits until it is.
          try daemon.wait(for: "READY=1")
          for device in devices { try tap(device, mounted: mount, of: program) }
        }
        for device in devices { device.unplug() }
        try daemon.wait(for: "touchscreens: 0")
      }
      #expect(program.violations == [])
      try daemon.finish()
    }

    /// Taps at the corners and the centre of a device.
    private func tap(
      _ device: VirtualTouchscreen, mounted mount: Mount, of program: TouchProgram
    ) throws {
      let units = try #require(device.sheet.units)
      let seen = program.events.count
      let ended = program.endedTouches
      var expected: [String] = []
      for (u, v) in [(0.05, 0.05), (0.95, 0.05), (0.05, 0.95), (0.95, 0.95), (0.5, 0.5)] {
        try device.tap(x: unit(u, units.x), y: unit(v, units.y))
        let (x, y) = mount.place(u, v)
        expected.append("panel/\(self.name(x, y))")
      }
      let name = String(decoding: device.sheet.name, as: UTF8.self)
      try program.wait(ended: ended + expected.count, of: "\(name), \(mount)")
      #expect(program.targets(since: seen) == expected, "\(name), \(mount)")
    }
  }
}
