import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension ServiceTests {
  @Suite("Its configuration that is kept")
  struct KeptTests {
    @Test("A start with files that are not valid has what was in force, and all say so (L6)")
    func start() throws {
      let touch = try VirtualTouchscreen(.multitouch(name: "kept", width: 800, height: 480))
      try Machine.start(panels)
      try Machine.wait(forTouchscreens: 1)
      let mark = try Machine.mark()
      try Machine.start(panels + "[[window]]\nname = \"third\"\nlevl = 3\n")
      let place = "\(Machine.configuration):11:1: "
      let kept = "/var/lib/touchroute/in-force.toml, in force since "
      let why = ", as \(Machine.configuration) is not valid"
      try Machine.wait(forLog: place, since: mark)
      try Machine.wait(forLog: "this is a start with the one that was in force", since: mark)
      let errors = try Machine.run(
        "journalctl --quiet --output cat --priority err --unit \(Machine.unit) --since @\(mark)")
      #expect(errors.contains(place) && errors.contains("is not valid"))
      #expect(try Machine.property("ActiveState") == "active")
      #expect(try Machine.property("StatusText").contains(kept))
      let status = try Machine.run("touchroute status")
      #expect(status.contains(kept) && status.contains(why))
      let check = try Machine.result(of: "touchroute check")
      #expect(check.status == 1)
      #expect(check.output.contains(place) && check.output.contains(kept))
      let json = try Machine.result(of: "touchroute check --json")
      #expect(json.status == 1)
      #expect(json.output.contains("\"in_force\":\"\(kept)"))
      // Nobody else may write what a start takes.
      #expect(
        try Machine.run("stat -c '%a %U' /var/lib/touchroute/in-force.toml").hasSuffix(
          " touchroute\n"))
      // The panel is not dead.
      let left = try Program("left")
      touch.down(0, x: 100, y: 100)
      try touch.sync()
      try left.wait(for: .began)
      touch.up(0)
      try touch.sync()
      try left.wait(for: .ended)
      // Once they are right, they are in force.
      try Machine.write(panels)
      try Machine.run("touchroute reload")
      #expect(try !Machine.property("StatusText").contains("in force since"))
      #expect(try Machine.result(of: "touchroute check").status == 0)
      #expect(!left.wasLost)
    }
  }
}
