import Exchange
import Foundation
import Glibc
import Server
import TestSupport
import Testing
import TouchModel

@Suite("Commands of the control socket: filters of a bad panel")
struct SignalTests {
  @Test("monitor --why says which filter dropped a contact, or changed a touch (N1)")
  func why() throws {
    let house = try House()
    let monitor = try house.start("monitor", "--why")
    try house.turn { house.isObserved }
    house.filter(.deadZone, 12, 3, hasBegun: false)
    house.filter(.short, 20, 30.5, hasBegun: false)
    house.finger(.down(900, 20))
    house.filter(.bridged, 901, 20)
    house.filter(.smoothed, 902, 20)
    house.filter(.stuck, 903, 20)
    #expect(
      try monitor.waitForLines(6) == [
        "5.008  Goodix  a contact at (12, 3) was dropped: dead_zones",
        "5.008  Goodix  a contact at (20, 30.5) never began, it was too short: min_contact_ms",
        "5.008  Goodix  touch 1 began at (900, 20) on panel",
        "    no program gets it: it began outside of the screen",
        "5.016  Goodix  touch 1 goes on at (901, 20) after a gap: bridge_ms",
        "5.016  Goodix  touch 1 at (903, 20) has not moved for too long: stuck_ms",
      ])
  }

  @Test("monitor --moves has what the touchscreen reported beside what a filter made of it (N4)")
  func moves() throws {
    let house = try House()
    let monitor = try house.start("monitor", "--moves")
    try house.turn { house.isObserved }
    house.finger(.down(900, 20))
    house.filter(.smoothed, 912, 20)
    house.finger(.move(908, 20), .move(909, 20))
    let lines = try monitor.waitForLines(3)
    #expect(lines[1].hasPrefix("5.016  Goodix  touch 1  moved  (908, 20)  reported (912, 20)  "))
    #expect(lines[2].hasPrefix("5.024  Goodix  touch 1  moved  (909, 20)  for no program"))
  }

  @Test("monitor --moves --json has each point that a filter moved as it was reported (N4)")
  func json() throws {
    let house = try House()
    let monitor = try house.start("monitor", "--moves", "--json")
    try house.turn { house.isObserved }
    house.finger(.down(900, 20))
    house.filter(.smoothed, 912, 20)
    #expect(
      try monitor.waitForLines(2)[1]
        == #"{"device":1,"device_name":"Goodix","filter":"smoothed","#
        + #""reported_location":[912,20],"time_us":5016000,"touch":1}"#)
  }

  @Test("where a filter found something in a secure view nobody is told (N1, F7)")
  func secure() throws {
    let house = try House(
      panel.replacing("path = \"home/dial\"", with: "path = \"home/dial\"\nsecure = true"))
    let monitor = try house.start("monitor", "--why")
    try house.turn { house.isObserved }
    house.filter(.short, 200, 200, hasBegun: false)
    house.finger(.down(200, 200), .move(10, 10))
    house.filter(.bridged, 10, 10)
    let lines = try monitor.waitForLines(8)
    #expect(
      lines[0] == "5.008  Goodix  a contact in a secure view never began, it was too short: "
        + "min_contact_ms")
    #expect(
      lines.last == "5.024  Goodix  touch 1 goes on in a secure view after a gap: bridge_ms")
  }

  @Test("status counts what the filters of each touchscreen have done (N1)")
  func status() throws {
    let house = try House()
    house.findings = [DeviceFinding(.bridged, count: 3), DeviceFinding(.ghost, count: 12)]
    let lines = try house.start("status").waitForEnd().output.split(separator: "\n")
    let device = try #require(lines.firstIndex { $0.hasPrefix("  Goodix, ") })
    #expect(lines[device + 1] == "    filters: 3 bridged, 12 ghosts")
    #expect(lines[device + 2].hasPrefix("  eGTouch, "))
    let json = try house.start("status", "--json").waitForEnd().output
    #expect(json.contains(#""filters":{"bridged":3,"ghost":12}"#))
    #expect(json.contains(#""filters":{}"#))
  }

  @Test(
    "status says what is wrong with a touchscreen and since when, and monitor as it comes (N10)")
  func ill() throws {
    let house = try House()
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let since = Timestamp(microseconds: UInt64(now.tv_sec - 65) * 1_000_000)
    house.findings = [DeviceFinding(.silent, since: since, "has reported nothing for 60 s")]
    let lines = try house.start("status").waitForEnd().output
    #expect(lines.contains("\n    it has reported nothing for 60 s (since 1 min)\n"))
    let json = try house.start("status", "--json").waitForEnd().output
    #expect(json.contains(#""faults":[{"fault":"silent","seconds":6"#))
    let monitor = try house.start("monitor", "--why")
    try house.turn { house.isObserved }
    for isOver in [false, true] {
      house.exchange.server.send(
        HealthChange(
          device: DeviceID(1), finding: .silent, since: since,
          time: Timestamp(microseconds: 5_000_000), isOver: isOver,
          sentence: isOver ? "reports again" : "has reported nothing"))
      house.exchange.endTurn()
    }
    #expect(
      try monitor.waitForLines(2) == [
        "5.000  Goodix  has reported nothing", "5.000  Goodix  reports again",
      ])
  }
}
