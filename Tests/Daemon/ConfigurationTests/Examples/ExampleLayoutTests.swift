import Layout
import Testing
import TouchModel

@Suite("Example layouts")
struct ExampleLayoutTests {
  /// Which view is found at a point of an example.
  struct Answer: Sendable, CustomTestStringConvertible {
    var file: String
    var screen: String?
    var point: Point
    var target: String

    init(_ file: String, _ x: Double, _ y: Double, _ target: String, screen: String? = nil) {
      self.file = file
      self.screen = screen
      self.point = Point(x: x, y: y)
      self.target = target
    }

    var testDescription: String { "\(file) \(screen ?? "") (\(point.x), \(point.y)): \(target)" }
  }

  static let answers = [
    Answer("nested", 320, 100, "main/B/B.1"),
    Answer("nested", 100, 300, "main/A/A.2"),
    Answer("nested", 10, 10, "main"),
    Answer("nested", 30, 30, "main/A"),
    Answer("nested", 270, 100, "main"),
    Answer("nested", 700, 439, "main/C/C.2"),
    // Where A and B overlap, and A.2 and B.1.
    Answer("overlap", 400, 200, "main/B/B.1"),
    Answer("overlap", 370, 200, "main/B/B.1"),
    Answer("overlap", 365, 200, "main/B"),
    Answer("overlap", 359, 200, "main/A/A.2"),
    Answer("overlap", 400, 90, "main/B"),
    Answer("overlap", 100, 200, "main/A/A.1"),
    Answer("overlap", 250, 200, "main/A"),
    Answer("siblings", 220, 300, "gray/red"),
    Answer("siblings", 200, 200, "gray/green"),
    Answer("siblings", 100, 100, "gray/green"),
    Answer("siblings", 20, 20, "gray"),
    Answer("siblings", 220, 280, "yellow"),
    Answer("siblings", 420, 280, "yellow"),
    Answer("siblings", 460, 20, "-"),
    // On the row and the button, on the row alone, on the button outside of the row.
    Answer("overflow", 140, 90, "plain/row/button"),
    Answer("overflow", 50, 120, "plain/row"),
    Answer("overflow", 160, 70, "plain"),
    Answer("overflow", 360, 70, "children/row/button"),
    Answer("overflow", 250, 120, "children/row"),
    Answer("overflow", 250, 70, "children"),
    Answer("overflow", 560, 70, "disabled/row"),
    Answer("overflow", 540, 90, "disabled/row"),
    Answer("overflow", 160, 270, "first/row/button"),
    Answer("overflow", 50, 320, "first/row"),
    Answer("overflow", 50, 270, "first"),
    Answer("overflow", 360, 270, "covered.children/cover"),
    Answer("overflow", 340, 270, "covered.children/row/button"),
    Answer("overflow", 560, 270, "covered.first/cover"),
    Answer("overflow", 540, 270, "covered.first/row/button"),
    Answer("small-target", 180, 90, "home/button"),
    Answer("small-target", (220.0).nextDown, (130.0).nextDown, "home/button"),
    Answer("small-target", (180.0).nextDown, 110, "home"),
    Answer("small-target", 220, 110, "home"),
    Answer("small-target", 200, 130, "home"),
    Answer("small-target", 300, 90, "home/strip/button"),
    Answer("small-target", (300.0).nextDown, 110, "home"),
    Answer("small-target", (330.0).nextDown, 110, "home/strip/button"),
    Answer("small-target", 330, 110, "home/strip"),
    Answer("small-target", 450, 110, "home/wide-strip/button"),
    Answer("small-target", (450.0).nextDown, 110, "home"),
    Answer("small-target", 450, 60, "home/wide-strip"),
    Answer("overlay", 762, 38, "overlay/close"),
    // In the close button's frame, beside its ellipse; between the tools; on one that is off.
    Answer("overlay", 742, 18, "page"),
    Answer("overlay", 740, 200, "page/text"),
    Answer("overlay", 740, 320, "page/text"),
    Answer("overlay", 740, 150, "overlay/tools/pen"),
    Answer("overlay", 740, 272, "page/text"),
    Answer("overlay", 770, 300, "page"),
    Answer("overlay", 770, 250, "overlay/tools/eraser"),
    Answer("overlay", 100, 100, "page/text"),
    Answer("overlay", 600, 420, "page/links/next"),
    Answer("overlay", 400, 420, "page/links"),
    // Left of the strip, on a card, between cards, right of it; above and below the parent.
    Answer("carousel", 0, 120, "home/carousel/strip"),
    Answer("carousel", 400, 200, "home/carousel/strip"),
    Answer("carousel", 255, 200, "home/carousel/strip"),
    Answer("carousel", 799, 359, "home/carousel/strip"),
    Answer("carousel", 400, 119, "home"),
    Answer("carousel", 400, 360, "home"),
    Answer("carousel", 100, 50, "home/title"),
    Answer("carousel", 335, 385, "home/dots"),
  ]

  @Test("the target at a point (H2 to H7)", arguments: answers)
  func target(_ answer: Answer) throws {
    let example = try ExampleLayout(answer.file)
    let target = try example.target(answer.point.x, answer.point.y, on: answer.screen)
    #expect(target == answer.target)
  }

  @Test("nested views are asked from the front, what is missed without its subviews (H2)")
  func nested() throws {
    let example = try ExampleLayout("nested")
    #expect(try example.asked(320, 100) == "main, C, B, B.2, B.1")
    #expect(try example.asked(100, 300) == "main, C, B, A, A.2")
    #expect(try example.asked(10, 10) == "main, C, B, A")
  }

  @Test("all in front are asked before one is found, and none that lie below it (H2)")
  func overlap() throws {
    let example = try ExampleLayout("overlap")
    #expect(try example.asked(400, 200) == "main, B, B.2, B.1")
    #expect(try example.asked(359, 200) == "main, B, A, A.2")
  }

  @Test("a touch on red asks yellow, gray, green and red, and goes up to the root (H2, R1, R3)")
  func siblings() throws {
    let example = try ExampleLayout("siblings")
    #expect(try example.asked(220, 300) == "yellow, gray, green, red")
    var fingers = Fingers(example.configuration)
    for path in ["gray/red", "gray/green", "gray", "yellow", "app:root"] {
      try fingers.attach(path, passes: .all)
    }
    #expect(fingers.responders(220, 300) == ["gray/red", "gray", "app:root"])
    #expect(fingers.responders(200, 200) == ["gray/green", "gray", "app:root"])
    #expect(fingers.responders(220, 280) == ["yellow", "app:root"])
  }

  @Test("a view that says it contains every point gets each touch of those behind it (H5)")
  func always() throws {
    let example = try ExampleLayout("siblings")
    for y in stride(from: 0.0, to: 400, by: 20) {
      for x in stride(from: 0.0, to: 400, by: 20) {
        #expect(try example.target(x, y, on: "always") == "always.yellow")
      }
    }
    // The same as the first screen but for that.
    let changed = try ExampleLayout("siblings") { description in
      for index in description.windows.indices {
        description.windows[index].properties.inside = .bounds
      }
    }
    for (x, y, target) in [(220.0, 300.0, "gray/red"), (220, 280, "yellow"), (20, 20, "gray")] {
      #expect(try changed.target(x, y, on: "always") == "always." + target)
    }
  }

  @Test("a strip that a redirect names is the target whatever its own gates (H6)")
  func carousel() throws {
    let example = try ExampleLayout("carousel") { description in
      for index in description.views.indices
      where description.views[index].path == "home/carousel/strip" {
        description.views[index].properties.hidden = true
      }
    }
    #expect(try example.target(400, 200) == "home/carousel/strip")
  }
}
