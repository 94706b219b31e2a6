import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension ServiceTests {
  @Suite("Its configuration")
  struct ReloadTests {
    private static let wider = panels.replacing("[0, 0, 400, 480]", with: "[0, 0, 390, 480]")
    private static let rightAlone = """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "right"
      frame = [400, 0, 400, 480]

      """

    @Test(
      "systemctl reload: a touch whose target stays lives on, the others are cancelled (R8, F1)")
    func reload() throws {
      let touch = try VirtualTouchscreen(.multitouch(name: "reload", width: 800, height: 480))
      try Machine.rest(panels)
      let mark = try Machine.mark()
      try Machine.run("systemctl start \(Machine.unit)")
      try Machine.wait(forTouchscreens: 1)
      let left = try Program("left")
      let right = try Program("right")
      touch.down(0, x: 100, y: 100)
      touch.down(1, x: 600, y: 100)
      try touch.sync()
      try left.wait(for: .began)
      try right.wait(for: .began)
      try Machine.write(Self.wider)
      try Machine.run("systemctl reload \(Machine.unit)")
      try left.wait(for: "layout") { if case .layout = $0 { true } else { false } }
      try Machine.write(Self.rightAlone)
      #expect(try Machine.run("touchroute reload").contains("window \"left\" removed"))
      #expect(try left.wait(for: .cancelled).cancelReason == .targetRemoved)
      touch.up(0)
      touch.up(1)
      try touch.sync()
      try right.wait(for: .ended)
      #expect(left.touches == ["began left", "cancelled left targetRemoved"])
      #expect(right.touches == ["began right", "ended right"])
      #expect(!left.wasLost && !right.wasLost)
      // Files are read and layouts made by threads: where there can't be one, touches wait (F1).
      try Machine.run("systemctl stop \(Machine.unit)")
      #expect(try Machine.warnings(since: mark) == "")
    }

    @Test("A configuration that is not valid changes nothing, and the journal has its place (L6)")
    func refused() throws {
      try Machine.start(panels)
      let program = try Program("left")
      let mark = try Machine.mark()
      try Machine.write(panels + "[[window]]\nname = \"third\"\nlevl = 3\n")
      try Machine.run("systemctl reload \(Machine.unit)")
      let place = "\(Machine.configuration):11:1: "
      try Machine.wait(forLog: place, since: mark)
      try Machine.wait(forLog: "the configuration was not reloaded", since: mark)
      let (status, output) = try Machine.result(of: "touchroute reload")
      #expect(status == 1)
      #expect(output.contains(place))
      try program.ping()
      #expect(!program.wasLost)
    }
  }
}
