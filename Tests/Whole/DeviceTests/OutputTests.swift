import CLibevdev
import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchInput
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("Outputs: a window is a touchscreen of uinput's")
  struct OutputTests {
    @Test("a tap on the window is one on its touchscreen, in its own coordinates (T9, T12)")
    func tap() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let reader = try OutputProcess(daemon, "right").reader()
      try touch.tap(x: 500, y: 120)
      #expect(reader.wait { $0.frames.count == 2 })
      #expect(
        reader.words == ["id 1, x 100, y 120, touch 1, X 100, Y 120", "id -1, touch 0"])
      try daemon.finish()
    }

    @Test("its device says what it is: ranges, fingers, bus, whose it is")
    func sheet() throws {
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 0)
      let output = try OutputProcess(daemon, "--slots", "3", "left/button")
      let reader = try output.reader()
      let device = reader.device
      #expect(String(cString: libevdev_get_name(device)) == "touchroute left-button")
      #expect(String(cString: libevdev_get_phys(device)) == "touchroute/left-button")
      #expect(libevdev_get_id_bustype(device) == BUS_VIRTUAL)
      #expect(libevdev_has_property(device, UInt32(INPUT_PROP_DIRECT)) == 1)
      #expect(libevdev_get_num_slots(device) == 3)
      for axis in [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
        let info = try #require(libevdev_get_abs_info(device, UInt32(axis))).pointee
        #expect(info.minimum == 0 && info.maximum == 99 && info.resolution == 4)
      }
      #expect(libevdev_has_event_code(device, UInt32(EV_ABS), UInt32(ABS_MT_TOOL_TYPE)) == 1)
      #expect(libevdev_has_event_code(device, UInt32(EV_KEY), UInt32(BTN_TOUCH)) == 1)
      withExtendedLifetime(reader) {}
    }

    @Test("ten fingers at a thousand frames: none is lost, each is ended, within its range (T5)")
    func tenFingers() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let reader = try OutputProcess(daemon, "right").reader()
      for round in 0..<3 as Range<Int32> {
        for slot in 0..<10 as Range<Int32> { touch.down(slot, x: 420 + slot * 30, y: 50) }
        try touch.sync()
        let begun = 10 * Int(round + 1)
        #expect(reader.wait { $0.fingers == (down: 10, begun: begun) }, "\(reader.fingers)")
        for step in 1...100 as ClosedRange<Int32> {
          // Beyond the window at its end: a drag goes on (H1).
          for slot in 0..<10 as Range<Int32> {
            touch.move(slot, x: 420 + slot * 30 - step * 2, y: 50 + step + round)
          }
          try touch.sync()
          usleep(1000)
          // Who reads too late is told so by the kernel, and has to ask for what has become of it.
          reader.take()
        }
        for slot in 0..<10 as Range<Int32> { touch.up(slot) }
        try touch.sync()
        #expect(reader.wait { $0.fingers == (down: 0, begun: begun) }, "\(reader.fingers)")
      }
      for event in reader.frames.joined() where event.type == UInt16(EV_ABS) {
        switch Int32(event.code) {
        case ABS_MT_SLOT: #expect((0..<10).contains(event.value))
        case ABS_X, ABS_MT_POSITION_X: #expect((0..<400).contains(event.value))
        case ABS_Y, ABS_MT_POSITION_Y: #expect((0..<480).contains(event.value))
        default: break
        }
      }
      try daemon.finish()
    }

    @Test("the daemon ends in the middle of a touch: it is taken back, and the touchscreen stays")
    func restart() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let output = try OutputProcess(daemon, "right")
      let reader = try output.reader()
      touch.down(x: 500, y: 100)
      try touch.sync()
      #expect(reader.wait { $0.frames.count == 1 })
      daemon.kill()
      #expect(reader.wait { $0.fingers.down == 0 })
      #expect(reader.words.suffix(3) == ["y 479, Y 479", "y 489, Y 489", "id -1, touch 0"])
      try daemon.start()
      try daemon.wait(for: "touchscreens: 1")
      touch.up()
      try touch.sync()
      try expectSoon { try daemon.isHeld("right") }
      try touch.tap(x: 600, y: 100)
      #expect(reader.wait { $0.fingers == (down: 0, begun: 2) })
      #expect(output.nodes.count == 1 && !reader.isGone)
    }

    @Test("SIGTERM ends it with status 0, and its touchscreen with it, a finger down or not")
    func stops() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let output = try OutputProcess(daemon, "right")
      let reader = try output.reader()
      touch.down(x: 500, y: 100)
      try touch.sync()
      #expect(reader.wait { $0.frames.count == 1 })
      output.program.signal(SIGTERM)
      #expect(output.program.finish().status == 0)
      #expect(reader.wait { $0.isGone })
      touch.up()
      try touch.sync()
      try daemon.finish()
    }

    @Test("a window of another size is followed by another device once no finger is down (T11)")
    func size() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let output = try OutputProcess(daemon, "right")
      let fixed = try OutputProcess(daemon, "--size", "1000x1000", "left")
      let reader = try output.reader()
      let steady = try fixed.reader()
      touch.down(x: 500, y: 100)
      try touch.sync()
      #expect(reader.wait { $0.frames.count == 1 })
      try daemon.write(twoWindows.replacing("[400, 0, 400, 480]", with: "[400, 0, 200, 480]"))
      try TouchProgram(control: daemon).reload()
      touch.move(x: 550, y: 100)
      try touch.sync()
      // Half as wide: until the finger is lifted it is scaled to what readers know.
      #expect(reader.wait { $0.lastWords == "x 300, X 300" })
      touch.up()
      try touch.sync()
      #expect(reader.wait { $0.fingers == (down: 0, begun: 1) })
      let next = try DeviceReader(output.node(2))
      #expect(libevdev_get_abs_maximum(next.device, UInt32(ABS_MT_POSITION_X)) == 199)
      try touch.tap(x: 550, y: 100)
      #expect(next.wait { $0.frames.count == 2 })
      #expect(next.words.first == "id 1, x 150, y 100, touch 1, X 150, Y 100")
      try touch.tap(x: 200, y: 240)
      #expect(steady.wait { $0.frames.count == 2 })
      #expect(steady.words.first == "id 1, x 500, y 500, touch 1, X 500, Y 500")
      #expect(fixed.nodes.count == 1)
    }

    @Test("an application has the screen's size, and all of its windows")
    func application() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let reader = try OutputProcess(daemon, "app:dashboard").reader()
      #expect(libevdev_get_abs_maximum(reader.device, UInt32(ABS_X)) == 799)
      try touch.tap(x: 100, y: 50)
      try touch.tap(x: 700, y: 50)
      #expect(reader.wait { $0.frames.count == 4 })
      #expect(reader.words[2] == "id 2, x 700, y 49, y 50, touch 1, X 700, Y 49, Y 50")
    }

    @Test("a reader that never reads delays nobody")
    func deafReader() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let output = try OutputProcess(daemon, "right")
      let deaf = try output.reader()
      let reader = try output.reader()
      // Far more than the kernel keeps for who doesn't read.
      for count in 1...150 {
        try touch.tap(x: 500, y: 100)
        try #require(reader.wait { $0.fingers == (down: 0, begun: count) }, "\(reader.fingers)")
      }
      #expect(deaf.frames.isEmpty)
      try daemon.finish()
    }
  }
}

/// Waits until the condition holds; 30 seconds are the bound of failure.
func expectSoon(
  _ condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  for _ in 0..<3000 {
    if try condition() { return }
    usleep(10_000)
  }
  Issue.record("it has not come true in 30 s", sourceLocation: sourceLocation)
}
