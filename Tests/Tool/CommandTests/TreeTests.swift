import Foundation
import TestSupport
import Testing

@Suite("touchroute tree")
struct TreeTests {
  @Test("A configuration's layout is drawn as a tree, with what is not by default")
  func configuration() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    #expect(
      try Command.run(["tree", "--config", "panel.toml"], in: directory.url)
        == .init(
          status: 0,
          output: """
            screen panel: 800x480
            screen door: 480x800, mounted at 90°
            home  800x480 at (0, 0)  on panel  app:dashboard
            ├─ toolbar@bar  800x60 at (0, 0)
            │  └─ back  44x44 at (8, 8)  outset 8
            └─ dial  200x200 at (100, 100)  origin (0, 50)  ellipse
            bell  480x800 at (0, 0)  on door  level 2  hit self

            """, errors: ""))
  }

  @Test("The recognizers of views and screens stand beside them, and in an array of --json (G1)")
  func gestures() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      "panel.toml",
      """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      [[gesture]]
      view = "home"
      name = "zoom"
      kind = "pinch"
      [[gesture]]
      screen = "panel"
      name = "back"
      kind = "edge_pan"
      edge = "left"
      to = "home"
      [[gesture]]
      view = "home"
      name = "next"
      kind = "swipe"
      direction = "left"
      touches = [2, 3]

      """)
    let tree = try Command.run(["tree", "-c", "panel.toml"], in: directory.url)
    #expect(
      tree.output == """
        screen panel: 800x480  #back edge_pan left, to home
        home  800x480 at (0, 0)  #zoom pinch  #next swipe left, 2 to 3 fingers

        """)
    let json = try Command.run(["tree", "-c", "panel.toml", "--json"], in: directory.url)
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let gestures = try #require(report["gestures"] as? [NSDictionary])
    #expect(
      gestures.map { $0["path"] as? String } == ["home#zoom", "screen:panel#back", "home#next"])
    #expect(gestures[2]["touches"] as? [Int] == [2, 3])
    #expect(gestures[2]["duration_ms"] as? Int == 500)
  }

  @Test("--json gives every property of a configuration's views, as the configuration has them")
  func json() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      "panel.toml",
      panel + """
        [[view]]
        path = "home/card"
        frame = [0, 100, "50%", 40]
        shape = { radius = 12 }
        hit = { first = "pin" }
        inside = { children = ["pin"] }
        outset = 4.5
        [[view]]
        path = "home/card/pin"
        frame = [0, 0, 10, 10]
        transform = { translate = [3, 0] }

        """)
    let result = try Command.run(["tree", "-c", "panel.toml", "--json"], in: directory.url)
    #expect(result.status == 0 && result.errors == "")
    #expect(result.output.split(separator: "\n").count == 1)
    let tree = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary)
    let screens = [
      ["name": "panel", "rotation": 0, "size": [800, 480]],
      ["name": "door", "rotation": 90, "size": [480, 800]],
    ]
    #expect(tree["screens"] as? NSArray == screens as NSArray)
    let views = try #require(tree["views"] as? [NSDictionary])
    let paths = views.map { $0["path"] as? String ?? "" }
    #expect(
      paths == [
        "home", "home/toolbar", "home/toolbar/back", "home/dial", "home/card", "home/card/pin",
        "bell",
      ])
    let card: [String: Any] = [
      "alpha": 1, "bounds_origin": [0, 0], "exclusive_touch": false, "frame": [0, 100, 400, 40],
      "hidden": false, "hit": ["first": "pin"], "inside": ["children": ["pin"]],
      "interaction": true, "multiple_touch": true, "outset": [4.5, 4.5, 4.5, 4.5],
      "path": "home/card", "secure": false, "shape": ["radius": 12],
      "transform": [1, 0, 0, 1, 0, 0],
    ]
    #expect(views[4] == card as NSDictionary)
    #expect(views[5]["transform"] as? [Int] == [1, 0, 0, 1, 3, 0])
    #expect(views[0]["application"] as? String == "dashboard")
    #expect(views[1]["controller"] as? String == "bar")
    #expect(views[6]["screen"] as? String == "door" && views[6]["level"] as? Int == 2)
    #expect(try Command.run(["tree", "--json", "--svg", "-c", "panel.toml"]).status == 64)
  }

  @Test("A reader that goes away ends it quietly")
  func closedPipe() throws {
    let directory = try TemporaryDirectory()
    let views = (0..<20_000).map { "[[view]]\npath = \"home/v\($0)\"\nframe = [0, 0, 9, 9]\n" }
    try directory.write("big.toml", panel + views.joined())
    let output = Pipe()
    let errors = Pipe()
    let process = try Command.start(
      ["tree", "-c", "big.toml"], in: directory.url, output: output.fileHandleForWriting,
      errors: errors.fileHandleForWriting)
    try errors.fileHandleForWriting.close()
    let first = output.fileHandleForReading.readData(ofLength: 10)
    try output.fileHandleForReading.close()
    #expect(String(decoding: first, as: UTF8.self) == "screen pan")
    #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
    #expect(process.waitForExit() == 0)
  }

  @Test("An output that can't be written is an error")
  func fullDisk() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    let errors = Pipe()
    let process = try Command.start(
      ["tree", "-c", "panel.toml"], in: directory.url,
      output: try FileHandle(forWritingTo: URL(filePath: "/dev/full")),
      errors: errors.fileHandleForWriting)
    try errors.fileHandleForWriting.close()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text == "touchroute: standard output can't be written: No space left on device\n")
    #expect(process.waitForExit() == 1)
  }
}
