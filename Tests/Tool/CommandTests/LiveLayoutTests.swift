import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

@Suite("The layout in force, asked of the daemon")
struct LiveLayoutTests {
  /// Everything that the configuration can say of a view, and of a window.
  private static let everything =
    panel + """
      [[window]]
      name = "all"
      level = -3
      resizable = true
      secure = true
      multiple_touch = false
      inside = "children"
      label = "All: of it"
      [[view]]
      path = "all/card"
      frame = ["25%", 100.25, "50%", 40]
      bounds_origin = [3, -4.5]
      transform = { rotate = 30, translate = [3, 0] }
      alpha = 0.5
      outset = [1, 2, -3, 4]
      shape = { polygon = [[0, 0], [400, 0], [200, 40.5]] }
      inside = { children = ["pin", "tip"] }
      hit = { first = "pin/dot" }
      exclusive_touch = true
      interaction = false
      controller = "card"
      label = "Zurück"
      [[view]]
      path = "all/card/pin"
      frame = [0, 0, 10, 10]
      hidden = true
      shape = { radius = 2.5 }
      [[view]]
      path = "all/card/pin/dot"
      frame = [2, 2, 4, 4]
      inside = "never"
      [[view]]
      path = "all/card/tip"
      frame = [20, 0, 10, 10]
      inside = "always"
      hit = "pass_through"
      [[gesture]]
      view = "home"
      name = "pages"
      kind = "pan"
      [[gesture]]
      screen = "door"
      name = "up"
      kind = "edge_pan"
      edge = "bottom"
      to = "home"

      """

  private static func answer(_ client: DaemonClient, _ house: House) throws {
    let failure = try client.next(meanwhile: house.turnOnce) { event -> RequestFailure?? in
      event.completion != nil ? .some(nil) : event.failure.map { .some($0) }
    }
    #expect(failure == nil)
  }

  /// A house in which a program holds home, has added a view in its dial and has set a few things,
  /// as has somebody on the control socket.
  private static func inhabited() throws -> (House, DaemonClient) {
    let house = try House()
    let program = try DaemonClient(house.clientSocket, name: "nav")
    let home = try program.connection.attach(to: "home")
    _ = try program.next(meanwhile: house.turnOnce, \.geometry)
    var pin = Subview("pin", frame: Rect(x: 50, y: 110, width: 20, height: 20))
    pin.properties = [.outset(Outset(5)), .label("You are here")]
    try program.connection.changeViews([.add(pin, to: "dial")], in: home)
    try answer(program, house)
    try program.connection.set([
      ViewChange("home/toolbar", .frame(Rect(x: 0, y: 20, width: 800, height: 60))),
      ViewChange("home/toolbar", .multipleTouch(false)),
      ViewChange("home/toolbar", .label("Tools")),
    ])
    try answer(program, house)
    try program.connection.addGesture(GestureRecognizer.tap("hit"), to: home)
    try answer(program, house)
    let done = try house.start("set", "bell", "level=5", "home/toolbar", "alpha=0.75").waitForEnd()
    #expect(done == .init(status: 0, output: "", errors: ""))
    return (house, program)
  }

  @Test("what nobody has changed is told as the configuration says it, in all of its forms (L2)")
  func configured() throws {
    let house = try House(Self.everything)
    let path = house.directory.url.path + "/touchroute.toml"
    for options in [["--json"], [], ["--svg"]] {
      let live = try house.start(["tree", "--live"] + options).waitForEnd()
      let file = try Command.run(["tree", "--config", path] + options)
      #expect(live.output == file.output && live.errors == "" && file.status == 0)
    }
    for point in [["20", "20"], ["300", "300"], ["--screen", "door", "1", "1"], ["900", "1"]] {
      for options in [["--trace"], ["--json"], []] {
        let live = try house.start(["hit-test", "--live"] + options + point).waitForEnd()
        let file = try Command.run(["hit-test", "--config", path] + options + point)
        // The daemon alone knows that nobody is there to hear of gestures.
        let told = live.output.replacing(/: takes no part: .*handles gestures/, with: "")
          .replacing(/,"takes_no_part":"[^"]*"/, with: "")
        #expect(told == file.output && live.errors == "" && file.status == 0)
      }
    }
  }

  @Test("tree tells what programs have added and set, by which right, and which programs (L6, L7)")
  func tree() throws {
    let (house, program) = try Self.inhabited()
    let who = "pid \(ProcessInfo.processInfo.processIdentifier) (nav)"
    #expect(
      try house.start("tree", "--live").waitForEnd()
        == .init(
          status: 0,
          output: """
            screen panel: 800x480
            screen door: 480x800, mounted at 90°
            home  800x480 at (0, 0)  on panel  app:dashboard  held by \(who)  #hit tap, added by \(who)
            ├─ toolbar@bar  800x60 at (0, 20)  alpha 0.75  single touch  label "Tools"  alpha set on the control \
            socket  frame, multiple_touch, label set by \(who)
            │  └─ back  44x44 at (8, 8)  outset 8
            └─ dial  200x200 at (100, 100)  origin (0, 50)  ellipse
               └─ pin  20x20 at (50, 110)  outset 5  label "You are here"  added by \(who)
            bell  480x800 at (0, 0)  on door  level 5  hit self  level set on the control socket

            """, errors: ""))
    let json = try house.start("tree", "--json").waitForEnd().output
    let report = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
    let views = try #require(report?["views"] as? [NSDictionary])
    let nav =
      ["name": "nav", "pid": Int(ProcessInfo.processInfo.processIdentifier)] as NSDictionary
    #expect(views[4]["path"] as? String == "home/dial/pin")
    #expect(views[4]["added_by"] as? NSDictionary == nav && views[3]["added_by"] == nil)
    let settings = try #require(views[1]["set_by"] as? [String: NSDictionary])
    #expect(settings["alpha"] == ["by": "control"])
    #expect(settings["frame"] == ["by": "attachment", "name": "nav", "pid": nav["pid"] as Any])
    #expect(settings.count == 4 && views[0]["set_by"] == nil)
    #expect(views[0]["resizable"] as? Bool == false)
    let svg = try house.start("tree", "--svg", "--screen", "panel").waitForEnd().output
    #expect(svg.contains("You are here") && svg.contains("; added by \(who)</title>"))
    withExtendedLifetime(program) {}
  }

  @Test("hit-test --live says which gestures no touch is offered to, and a tap is not (G2)")
  func crowdedOut() throws {
    let house = try House(panel + "[limits]\ngestures_per_touch = 1\n")
    func program(_ name: String, _ path: String) throws -> DaemonClient {
      let client = try DaemonClient(house.clientSocket, name: name)
      let held = try client.connection.attach(to: path, options: .gestures)
      _ = try client.next(meanwhile: house.turnOnce, \.geometry)
      try client.connection.addGesture(GestureRecognizer(.tap, name), to: held)
      _ = try client.next(meanwhile: house.turnOnce, \.completion)
      return client
    }
    let programs = [try program("inner", "home/dial"), try program("outer", "home")]
    defer { withExtendedLifetime(programs) {} }
    let listed = try house.start("hit-test", "--live", "200", "200").waitForEnd().output
    let lines = listed.split(separator: "\n")
    let inner = try #require(lines.first { $0.contains("home/dial#inner") })
    let outer = try #require(lines.first { $0.contains("home#outer") })
    #expect(
      inner.hasSuffix(
        ": takes no part: as many gestures of programs as a touch is offered to come before it "
          + "(limits.gestures_per_touch)"))
    #expect(!outer.contains("takes no part"))
    let tapped = try house.start("tap", "200", "200").waitForEnd().output
    #expect(tapped.contains("home#outer") && !tapped.contains("#inner"), "\(tapped)")
  }

  @Test("hit-test --live answers by the layout in force, and presses nothing (H2, H9)")
  func hitTest() throws {
    let (house, program) = try Self.inhabited()
    let listener = try house.listen("home/toolbar")
    let pid = ProcessInfo.processInfo.processIdentifier
    #expect(
      try house.start("hit-test", "--live", "152", "162").waitForEnd()
        == .init(
          status: 0,
          output: """
            home/dial/pin
              at (2, 2) in its coordinates
              asked in this order: home/dial/pin, home/dial, home, app:dashboard
              recognizers:
                home#hit  tap, added by pid \(pid): takes no part: the program that has added it \
            handles no gestures at home or app:dashboard

            """, errors: ""))
    let json = try house.start("hit-test", "--live", "--json", "10", "30").waitForEnd().output
    #expect(json.contains("\"target\":\"home/toolbar/back\""))
    #expect(json.contains("\"added_by\":{\"pid\":\(pid)}"))
    let trace = try house.start("hit-test", "--live", "--trace", "10", "10").waitForEnd().output
    #expect(trace.hasPrefix("home hit\n"))
    #expect(
      trace.hasSuffix("toolbar inside (10.0, -10.0): no\ntoolbar hit: nothing\nhome hit: home\n"))
    try house.directory.write("points", "152 162\n10 10\n900 1\n")
    let points = house.directory.url.path + "/points"
    #expect(
      try house.start("hit-test", "--live", "--points", points).waitForEnd().output
        == "home/dial/pin\nhome\n-\n")
    // Nobody was pressed.
    #expect(listener.lines.count == 1)
    withExtendedLifetime(program) {}
  }

  @Test("a layout that changes between two pages is asked again, and told whole")
  func changes() throws {
    let rows = (0..<300).map { "[[view]]\npath = \"home/r\($0)\"\nframe = [0, 100, 9, 9]\n" }
    let house = try House(panel + rows.joined())
    let program = try house.client("list", attachedTo: "home")
    let tree = try house.start("tree")
    var y = 0.0
    try house.turn({ tree.output }) {
      y += 1
      _ = try? program.connection.set([ViewChange("home", .boundsOrigin(Point(x: 0, y: y)))])
      _ = program.pending()
      tree.poll()
      return tree.lines.count >= 307
    }
    let result = try tree.waitForEnd()
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count == 307)
    #expect(
      result.errors.isEmpty
        || result.errors.hasPrefix("touchroute: the layout changes all the time"))
  }
}
