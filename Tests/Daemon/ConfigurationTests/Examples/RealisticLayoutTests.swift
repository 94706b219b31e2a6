import Foundation
import Layout
import TestSupport
import Testing
import TouchModel

@Suite("Example layouts of whole devices")
struct RealisticLayoutTests {
  typealias Answer = ExampleLayoutTests.Answer

  static let answers = [
    // Destinations have round corners and gaps.
    Answer("kiosk", 100, 340, "home/destinations/central"),
    Answer("kiosk", 1000, 800, "home/destinations/hospital"),
    Answer("kiosk", 25, 281, "home/destinations"),
    Answer("kiosk", 540, 340, "home/destinations"),
    Answer("kiosk", 100, 50, "home/header"),
    Answer("kiosk", 650, 50, "home/header/de"),
    // The clear button's outset is an ellipse too.
    Answer("kiosk", 1010, 168, "home/search/clear"),
    Answer("kiosk", 980, 170, "home/search"),
    Answer("kiosk", 689, 935, "home/adults/plus"),
    Answer("kiosk", 385, 1085, "home/children/minus"),
    Answer("kiosk", 550, 935, "home/adults"),
    Answer("kiosk", 900, 1850, "home/pay"),
    // Between keys, and between rows of keys, no touch is lost; above the first row it is.
    Answer("kiosk", 70, 1300, "keyboard/top/q"),
    Answer("kiosk", (124.0).nextDown, 1300, "keyboard/top/q"),
    Answer("kiosk", 124, 1300, "keyboard/top/w"),
    Answer("kiosk", 200, (1362.0).nextDown, "keyboard/top/w"),
    Answer("kiosk", 200, 1362, "keyboard/home/s"),
    Answer("kiosk", 500, 1700, "keyboard/last/space"),
    Answer("kiosk", 1000, 1550, "keyboard/bottom/delete"),
    Answer("kiosk", 300, 1230, "keyboard"),
    Answer("kiosk", 500, 1765, "home"),
    Answer("head-unit", 1000, 500, "map/canvas"),
    Answer("head-unit", 320, 200, "map/canvas/pin-1"),
    Answer("head-unit", 302, 182, "map/canvas"),
    Answer("head-unit", 1216, 104, "map/compass"),
    Answer("head-unit", 1187, 75, "map/canvas"),
    Answer("head-unit", 1220, 270, "map/zoom-out"),
    Answer("head-unit", 316, 74, "map/search/clear"),
    Answer("head-unit", 290, 75, "map/search"),
    Answer("head-unit", 26, 74, "map/canvas"),
    // The turns are scrolled by one and a half of them.
    Answer("head-unit", 100, 150, "map/turns/turn-2"),
    Answer("head-unit", 100, 186, "map/turns/turn-3"),
    Answer("head-unit", 100, 437, "map/turns/turn-6"),
    Answer("head-unit", 100, 438, "map/canvas"),
    // The play button sticks out of the bar, as an ellipse.
    Answer("head-unit", 640, 585, "media/play"),
    Answer("head-unit", 592, 580, "map/canvas"),
    Answer("head-unit", 60, 650, "media/cover"),
    Answer("head-unit", 200, 640, "media"),
    Answer("head-unit", 200, 672, "media/position"),
    Answer("head-unit", 824, 650, "media/shuffle"),
    Answer("head-unit", 980, 650, "media/sources/strip"),
    Answer("head-unit", 1100, 650, "media/sources/strip"),
    Answer("head-unit", 20, 20, "status/home"),
    Answer("head-unit", 620, 20, "status"),
    // The card covers two pins; what is beside it or beyond its corners is the map's.
    Answer("head-unit", 540, 280, "call/card"),
    Answer("head-unit", 440, 420, "call/card"),
    Answer("head-unit", 402, 162, "map/canvas"),
    Answer("head-unit", 508, 400, "call/card/decline"),
    Answer("head-unit", 772, 345, "call/card/accept"),
    Answer("control-surface", 70, 80, "deck/keys/key-1-1"),
    Answer("control-surface", 720, 520, "deck/keys/key-4-6"),
    Answer("control-surface", 13, 13, "deck/keys"),
    Answer("control-surface", 135, 80, "deck/keys"),
    Answer("control-surface", 790, 300, "deck"),
    Answer("control-surface", 804, 300, "deck/volume"),
    Answer("control-surface", 856, 300, "deck/volume"),
    Answer("control-surface", (908.0).nextDown, 300, "deck/volume"),
    Answer("control-surface", 908, 300, "deck/brightness"),
    Answer("control-surface", 5, 5, "deck"),
  ]

  @Test("the target at a point (H2 to H7)", arguments: answers)
  func target(_ answer: Answer) throws {
    let example = try ExampleLayout(answer.file)
    #expect(try example.target(answer.point.x, answer.point.y) == answer.target)
  }

  @Test("they have 30 to 80 views", arguments: ["kiosk", "head-unit", "control-surface"])
  func size(_ name: String) throws {
    #expect(30...80 ~= (try ExampleLayout(name)).layout.views.count)
  }

  @Test("every example has answers and a trace in these tests, but for the demonstration's")
  func complete() throws {
    let files = try Repository.configurations().filter { $0.path.contains("/config/examples/") }
    let names = Set(files.map { $0.deletingPathExtension().lastPathComponent })
    #expect(
      Set((Self.answers + ExampleLayoutTests.answers).map(\.file)) == names.subtracting(["demo"]))
    #expect(Set(ExampleTraceTests.traces.map(\.file)) == names.subtracting(["demo"]))
  }

  @Test("the ticket machine's shield takes every touch while it is shown (H6, H7)")
  func shield() throws {
    let example = try ExampleLayout("kiosk") { description in
      for index in description.windows.indices where description.windows[index].name == "shield" {
        description.windows[index].properties.hidden = false
      }
    }
    for y in stride(from: 0.0, to: 1920, by: 60) {
      for x in stride(from: 0.0, to: 1080, by: 60) {
        #expect(try example.target(x, y) == "shield")
      }
    }
    #expect(try example.trace(500, 900) == ["shield hit", "shield hit: shield"])
  }

  @Test("cancelling and paying keep one another out, and not those who type (T13)")
  func kioskFingers() throws {
    var fingers = Fingers(try ExampleLayout("kiosk").configuration)
    try fingers.attachToWindows()
    let cancel = Point(x: 200, y: 1850)
    let pay = Point(x: 750, y: 1850)
    let q = Point(x: 70, y: 1300)
    let plus = Point(x: 689, y: 935)
    #expect(fingers.targets([cancel, pay, q]) == ["home/cancel", "-", "keyboard/top/q"])
    #expect(fingers.targets([plus, pay]) == ["home/adults/plus", "-"])
    #expect(fingers.targets([q, pay]) == ["keyboard/top/q", "home/pay"])
  }

  @Test("a head unit's call is taken once, and the map zoomed beside it (T12, T13)")
  func headUnitFingers() throws {
    var fingers = Fingers(try ExampleLayout("head-unit").configuration)
    try fingers.attachToWindows()
    let decline = Point(x: 508, y: 400)
    let accept = Point(x: 772, y: 400)
    let canvas = [Point(x: 700, y: 550), Point(x: 300, y: 550)]
    #expect(
      fingers.targets([decline, accept] + canvas)
        == ["call/card/decline", "-", "map/canvas", "map/canvas"])
    let position = [Point(x: 200, y: 672), Point(x: 300, y: 672)]
    #expect(fingers.targets(position) == ["media/position", "-"])
  }

  @Test("a touch goes up to the program of its own window, and to no other (R1, R4)")
  func headUnitPrograms() throws {
    var fingers = Fingers(try ExampleLayout("head-unit").configuration)
    for name in ["navigation", "player", "system"] { try fingers.attach("app:\(name)") }
    #expect(fingers.responders(200, 640) == ["app:player"])
    #expect(fingers.responders(1140, 20) == ["app:system"])
    #expect(fingers.responders(320, 200) == ["app:navigation"])
    // Nobody has the pop-up: its touch is not the map's for that.
    #expect(fingers.responders(508, 400) == [])
  }

  @Test("all keys and both sliders are played at once, a slider by one finger (T12, T13)")
  func chords() throws {
    var fingers = Fingers(try ExampleLayout("control-surface").configuration)
    try fingers.attach("deck")
    var points: [Point] = []
    var names: [String] = []
    for row in 0..<4 {
      for column in 0..<6 {
        points.append(Point(x: 71 + Double(column) * 130, y: 80 + Double(row) * 147))
        names.append("deck/keys/key-\(row + 1)-\(column + 1)")
      }
    }
    points += [(856.0, 100.0), (856, 500), (960, 300)].map { Point(x: $0.0, y: $0.1) }
    #expect(fingers.targets(points) == names + ["deck/volume", "-", "deck/brightness"])
  }
}
