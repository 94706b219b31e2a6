import Configuration
import Foundation
import FoundationXML
import Layout
import LayoutDrawing
import Testing
import TouchModel

@Suite("SVGDocument")
struct DrawingTests {
  @Test("Every view is drawn and named, from back to front (L1)")
  func order() throws {
    let drawing = try Drawing(gallery)
    let paths = [
      "home", "home/box", "home/box/cut", "home/box/far", "home/grown", "home/dial",
      "home/hidden", "home/faint", "home/off", "home/none", "home/none/sub", "home/never",
      "pop", "pop/ok",
    ]
    #expect(drawing.views.map(\.path) == paths)
    let named = drawing.elements("text", with: "data-path").compactMap { $0["data-path"] }
    #expect(named.sorted() == paths.sorted())
    #expect(drawing.all("legend").count == 1)
  }

  @Test("What takes no touch is hatched, with its reason (H2, H5, H6)")
  func hatched() throws {
    let drawing = try Drawing(gallery)
    let untouchable = drawing.views.filter { $0.state == "untouchable" }
    #expect(
      untouchable.map(\.title) == [
        "home/box/far: untouchable, outside its superviews",
        "home/off: untouchable, no interaction",
        "home/none: untouchable, hit none",
        "home/none/sub: untouchable, never asked: a superview takes or stops every touch",
        "home/never: untouchable, inside never",
      ])
    for view in untouchable {
      #expect(view.count("hatched") == 1, "\(view.path)")
      #expect(view.count("region") == 0, "\(view.path)")
    }
    let home = try #require(drawing.view("home"))
    #expect(home.count("hatched") == 0)
    #expect(home.data("region") == ["M0 0L800 0L800 480L0 480Z"])
  }

  @Test("What is hidden is an outline that hides nothing, and what is in it is left out (H2)")
  func hidden() throws {
    let drawing = try Drawing(
      gallery + """

        [[view]]
        path = "home/hidden/sub"
        frame = [0, 0, 20, 20]
        [[window]]
        name = "shield"
        level = 9
        hidden = true
        hit = "self"
        """)
    let hidden = drawing.views.filter { $0.state == "hidden" }
    #expect(
      hidden.map(\.title) == [
        "home/hidden: untouchable, hidden", "home/hidden/sub: untouchable, in a hidden view",
        "home/faint: untouchable, alpha 0", "shield: untouchable, hidden",
      ])
    #expect(hidden.map { $0.count("hidden") } == [1, 0, 1, 1])
    for view in hidden {
      #expect(view.elements.allSatisfy { ($0["fill"] ?? "none") == "none" }, "\(view.path)")
    }
    #expect(drawing.view("shield")?.data("hidden") == ["M0 0L800 0L800 480L0 480Z"])
    // In the legend alone: in the picture it would name what it covers.
    #expect(drawing.texts.contains("shield (hidden)"))
    #expect(!drawing.elements("text", with: "data-path").contains { $0["data-path"] == "shield" })
  }

  @Test("A name lies behind what lies in front of its view, and over what lies in it")
  func orderOfNames() throws {
    let drawing = try Drawing(
      """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      [[view]]
      path = "home/list"
      frame = [0, 0, 800, 480]
      [[view]]
      path = "home/list/hint"
      frame = [0, 380, 200, 80]
      hidden = true
      [[view]]
      path = "home/list/row"
      frame = [0, 0, 800, 60]
      [[window]]
      name = "bar"
      level = 1
      frame = [0, 360, 800, 120]
      """)
    func place(_ words: String) throws -> String.Index {
      try #require(drawing.text.range(of: words), "\(words)").lowerBound
    }
    func name(_ view: String) throws -> String.Index {
      try place("data-path=\"home/list\(view)\" fill=")
    }
    let bar = try place("<g class=\"view\" data-path=\"bar\"")
    let names = try [name("/hint"), name("/row"), name("")]
    #expect(names.allSatisfy { $0 < bar })
    #expect(try name("") > place("<g class=\"view\" data-path=\"home/list/row\""))
  }

  @Test("Where gestures from an edge begin is drawn, turned as their view is (G16)")
  func zones() throws {
    func zone(_ path: String, _ view: Int32?, _ area: Rect) -> GestureZone {
      GestureZone(
        path: path, view: view.map(ViewIndex.init(_:)), screen: ScreenIndex(0), area: area)
    }
    let drawing = try Drawing(
      panel.replacing("200, 200]", with: "200, 100]\ntransform = { rotate = 90 }"),
      zones: [
        zone("home/dial#in", 1, Rect(x: 0, y: 0, width: 20, height: 100)),
        zone("screen:panel#back", nil, Rect(x: 0, y: 0, width: 16, height: 480)),
      ])
    #expect(
      drawing.all("zone").map { "\($0["data-path"] ?? ""): \($0["d"] ?? "")" } == [
        "home/dial#in: M250 50L250 70L150 70L150 50Z",
        "screen:panel#back: M0 0L16 0L16 480L0 480Z",
      ])
    #expect(drawing.texts.contains("gesture from an edge"))
    #expect(try !Drawing(panel).texts.contains("gesture from an edge"))
  }

  @Test("Transforms are written as the configuration writes them (L2)")
  func transforms() throws {
    for transform in [
      "rotate = -15", "rotate = 90", "rotate = 180", "scale = 2", "scale = [1, 0.5]",
      "scale = [-1, 1]", "translate = [4, -8.5]", "rotate = 30, scale = 1.5",
      "rotate = -15, scale = [2, 3], translate = [4, 0]", "matrix = [1, 0, 0.5, 1, 0, 7]",
    ] {
      let text = panel.replacing("200, 200]", with: "200, 100]\ntransform = { \(transform) }")
      let configuration = try Configuration.parse([("panel.toml", text)])
      let (layout, description) = (configuration.layout, configuration.layoutDescription)
      let properties = layout.views.indices.map {
        description.properties(of: ViewIndex(Int32($0)), in: layout)
      }
      let tree = LayoutTree(layout, properties: properties)
      let line = try #require(tree.lines().first { $0.contains("dial") })
      #expect(line.hasSuffix("  \(transform)"), "\(line)")
    }
  }

  @Test("A name is inside its view, or beside it with a line, and never shortened")
  func labels() throws {
    let drawing = try Drawing(
      """
      [screen.panel]
      size = [1080, 1920]
      [[window]]
      name = "service"
      [[view]]
      path = "service/temperature"
      frame = [10, 10, 36, 36]
      [[view]]
      path = "service/brightness"
      frame = [56, 10, 36, 36]
      [[view]]
      path = "service/a-rather-wide-view"
      frame = [10, 200, 900, 100]
      """)
    let labels = drawing.elements("text", with: "data-path")
    #expect(Set(drawing.texts).isSuperset(of: ["temperature", "brightness", "a-rather-wide-view"]))
    #expect(
      drawing.all("leader").map { $0["data-path"] } == [
        "service/temperature", "service/brightness",
      ])
    let wide = try #require(labels.first { $0["data-path"] == "service/a-rather-wide-view" })
    #expect((10...910).contains(Double(wide["x"] ?? "") ?? 0))
    #expect((200...300).contains(Double(wide["y"] ?? "") ?? 0))
  }

  @Test("Names are text in the drawing, whatever mark is behind a bracket (S34)")
  func hostileNames() throws {
    // With a mark behind it, each of them is a character that is not the one XML keeps for itself.
    let name = "<\u{301}a b='\u{301}c' d=\"\u{301}e\">\u{301}&\u{301}lt;\u{fffe}"
    let kept = Set("<>'\"".unicodeScalars)
    #expect(name.xmlEscaped.unicodeScalars.allSatisfy { !kept.contains($0) })
    let document = try XMLDocument(xmlString: "<a>\(name.xmlEscaped)</a>")
    let text = try #require(document.rootElement()?.stringValue)
    let shown = name.unicodeScalars.dropLast() + ["\u{fffd}"]
    #expect(text.unicodeScalars.elementsEqual(shown), "\(text)")
  }

  @Test("A region is cut by its superviews; what is cut off is hatched (H2)")
  func cut() throws {
    let drawing = try Drawing(gallery)
    let cut = try #require(drawing.view("home/box/cut"))
    #expect(cut.state == "touchable")
    #expect(cut.data("region") == ["M90 60L150 60L150 80L90 80Z"])
    #expect(cut.count("hatched") == 1)
    let name = try #require(cut.elements.compactMap { $0["clip-path"] }.first)
    let clip = try #require(drawing.elements.first { "url(#\($0["id"] ?? ""))" == name })
    #expect(clip["clip-path"] != nil)
    #expect(drawing.elements.contains { $0["d"] == "M10 10L110 10L110 110L10 110Z" })
  }

  @Test("An outset is dashed around the bounds, and fills the region (H3)")
  func outset() throws {
    let drawing = try Drawing(gallery)
    let grown = try #require(drawing.view("home/grown"))
    #expect(grown.data("bounds") == ["M200 20L240 20L240 60L200 60Z"])
    #expect(grown.data("outset") == ["M180 15L260 15L260 90L180 90Z"])
    #expect(grown.data("region") == grown.data("outset"))
    let dashed = try #require(grown.elements.first { $0["class"] == "outset" })
    #expect(dashed["stroke-dasharray"] != "none")
    #expect(drawing.views.filter { $0.count("outset") > 0 }.map(\.path) == ["home/grown"])
  }

  @Test("Shapes are drawn as what they are, turned and scaled (L2, H4)")
  func shapes() throws {
    let drawing = try Drawing(gallery)
    let dial = try #require(drawing.view("home/dial")?.data("region").first)
    // An ellipse 80 by 40 about (340, 40), turned by 90°.
    #expect(dial.contains("C"))
    #expect(dial.hasPrefix("M360 40"))
  }

  @Test("An overlay is not filled, and its controls are (H6)")
  func passing() throws {
    let drawing = try Drawing(gallery)
    #expect(drawing.view("pop")?.state == "passing")
    #expect(drawing.view("pop")?.count("region") == 0)
    #expect(drawing.view("pop/ok")?.count("region") == 1)
  }

  @Test("hit first leads past the superviews' edges, redirect to the view named (H6)")
  func overrides() throws {
    let drawing = try Drawing(
      """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      [[view]]
      path = "home/row"
      frame = [0, 0, 100, 100]
      hit = { first = "button" }
      [[view]]
      path = "home/row/button"
      frame = [80, 80, 90, 90]
      [[view]]
      path = "home/wheel"
      frame = [200, 0, 100, 100]
      hit = { redirect = "strip" }
      [[view]]
      path = "home/wheel/strip"
      frame = [40, 0, 20, 100]
      [[view]]
      path = "home/wheel/strip/card"
      frame = [0, 0, 10, 10]
      """)
    let button = try #require(drawing.view("home/row/button"))
    #expect(button.count("hatched") == 0)
    #expect(button.data("region") == ["M80 80L170 80L170 170L80 170Z"])
    #expect(drawing.view("home/wheel")?.state == "passing")
    let strip = try #require(drawing.view("home/wheel/strip"))
    #expect(strip.state == "touchable")
    #expect(strip.data("region") == ["M200 0L300 0L300 100L200 100Z"])
    #expect(drawing.view("home/wheel/strip/card")?.state == "untouchable")
    let arrows = drawing.all("arrow")
    #expect(arrows.map { $0["data-rule"] } == ["first", "redirect"])
    #expect(arrows.map { $0["data-from"] } == ["home/row", "home/wheel"])
    #expect(arrows.map { $0["data-to"] } == ["home/row/button", "home/wheel/strip"])
  }

  @Test("A point is marked, with its target and the target's superviews (R1)")
  func point() throws {
    let drawing = try Drawing(gallery, points: [Point(x: 100, y: 70)])
    let mark = try #require(drawing.all("point").first)
    #expect(mark["data-x"] == "100")
    #expect(mark["data-y"] == "70")
    #expect(drawing.all("target").map { $0["data-path"] } == ["home/box/cut"])
    #expect(drawing.all("superview").map { $0["data-path"] } == ["home", "home/box"])
    #expect(drawing.texts.contains("(100, 70) asks home/box/cut, home/box, home, app:dashboard"))

    let outside = try Drawing(gallery, points: [Point(x: 800, y: 70)])
    #expect(outside.all("point").isEmpty)
    #expect(outside.texts.contains { $0.hasPrefix("nothing at (800, 70): it is outside screen") })
  }

  @Test("Several points are marked, each with its target and a line of its own (R1)")
  func points() throws {
    let marked = [Point(x: 100, y: 70), Point(x: 700, y: 400), Point(x: 800, y: 70)]
    let drawing = try Drawing(gallery, points: marked)
    #expect(drawing.all("point").map { $0["data-x"] } == ["100", "700"])
    #expect(drawing.all("target").first?["data-path"] == "home/box/cut")
    #expect(drawing.all("target").count == 2)
    let answers = drawing.texts.suffix(3)
    #expect(answers.first?.hasPrefix("(100, 70) asks home/box/cut, ") == true)
    #expect(answers.dropFirst().first?.hasPrefix("(700, 400) asks ") == true)
    #expect(answers.last?.hasPrefix("nothing at (800, 70): it is outside screen") == true)
  }

  @Test("Screens stand side by side, or one by itself; the drawing is always the same")
  func screens() throws {
    let both = try Drawing(panel)
    #expect(both.all("screen").map { $0["data-screen"] } == ["panel", "door"])
    let door = try Drawing(panel, screen: "door", points: [Point(x: 1, y: 1)])
    #expect(door.views.map(\.path) == ["bell"])
    #expect(door.all("target").map { $0["data-path"] } == ["bell"])
    #expect(try Drawing(panel).text == both.text)
  }

  @Test("A layout of more views than can be told apart is not drawn (F5)")
  func tooMany() throws {
    let views = (1..<SVGDocument.maximumViews).map {
      "[[view]]\npath = \"home/v\($0)\"\nframe = [0, 0, 9, 9]\n"
    }
    let screen = "[screen.panel]\nsize = [800, 480]\n[[window]]\nname = \"home\"\n"
    #expect(try Drawing(screen + views.joined()).views.count == SVGDocument.maximumViews)
    let error = #expect(throws: SVGDocument.TooManyViews.self) {
      try Drawing(screen + "[[view]]\npath = \"home/one\"\nframe = [0, 0, 9, 9]\n" + views.joined())
    }
    #expect(error?.count == SVGDocument.maximumViews + 1)
  }
}

/// A drawing of a configuration's layout, read back.
private struct Drawing {
  typealias Element = [String: String]

  /// A group of class `view`.
  struct View {
    var path: String
    var state: String
    var title = ""
    var elements: [Element] = []

    func count(_ name: String) -> Int { elements.count { $0["class"] == name } }
    func data(_ name: String) -> [String] {
      elements.filter { $0["class"] == name }.compactMap { $0["d"] }
    }
  }

  let text: String
  let elements: [Element]
  let views: [View]
  let texts: [String]

  /// - Parameters:
  ///   - screen: the only one to be drawn; nil for all.
  ///   - points: the points marked.
  ///   - zones: where gestures begin.
  init(
    _ text: String, screen: String? = nil, points: [Point] = [], zones: [GestureZone] = []
  ) throws {
    let layout = try Configuration.parse([("panel.toml", text)]).layout
    let screens = layout.screens.indices.filter {
      screen == nil || layout.screens[$0].name == screen
    }
    .map { ScreenIndex(Int32($0)) }
    let lines = try SVGDocument(layout, screens: screens, points: points, zones: zones).lines
    self.text = lines.joined(separator: "\n")
    let reader = Reader()
    let parser = XMLParser(data: Data(self.text.utf8))
    parser.delegate = reader
    try #require(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "not XML")")
    (elements, views, texts) = (reader.elements, reader.views, reader.texts)
  }

  func view(_ path: String) -> View? { views.first { $0.path == path } }
  func all(_ name: String) -> [Element] { elements.filter { $0["class"] == name } }
  func elements(_ kind: String, with attribute: String) -> [Element] {
    elements.filter { $0[""] == kind && $0[attribute] != nil }
  }

  private final class Reader: NSObject, XMLParserDelegate {
    /// With their names as the attribute "".
    var elements: [Element] = []
    var views: [View] = []
    var texts: [String] = []
    private var content = ""
    private var depth = 0
    /// The depth of the open view.
    private var viewDepth: Int?

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      depth += 1
      content = ""
      elements.append(attributes.merging(["": name]) { own, _ in own })
      if attributes["class"] == "view" {
        viewDepth = depth
        views.append(
          View(path: attributes["data-path"] ?? "", state: attributes["data-state"] ?? ""))
      } else if viewDepth != nil {
        views[views.count - 1].elements.append(attributes)
      }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { content += text }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      if name == "text" { texts.append(content) }
      if name == "title", viewDepth != nil { views[views.count - 1].title = content }
      if depth == viewDepth { viewDepth = nil }
      depth -= 1
    }
  }
}

/// A view of each kind that is drawn in its own way.
private let gallery = """
  [screen.panel]
  size = [800, 480]
  [[window]]
  name = "home"
  application = "dashboard"
  [[view]]
  path = "home/box"
  frame = [10, 10, 100, 100]
  [[view]]
  path = "home/box/cut"
  frame = [80, 50, 60, 20]
  [[view]]
  path = "home/box/far"
  frame = [100, 0, 50, 50]
  [[view]]
  path = "home/grown"
  frame = [200, 20, 40, 40]
  outset = [5, 20, 30, 20]
  [[view]]
  path = "home/dial"
  frame = [300, 20, 80, 40]
  shape = "ellipse"
  transform = { rotate = 90 }
  [[view]]
  path = "home/hidden"
  frame = [0, 200, 50, 50]
  hidden = true
  [[view]]
  path = "home/faint"
  frame = [60, 200, 50, 50]
  alpha = 0
  [[view]]
  path = "home/off"
  frame = [120, 200, 50, 50]
  interaction = false
  [[view]]
  path = "home/none"
  frame = [180, 200, 50, 50]
  hit = "none"
  [[view]]
  path = "home/none/sub"
  frame = [0, 0, 20, 20]
  [[view]]
  path = "home/never"
  frame = [240, 200, 50, 50]
  inside = "never"
  [[window]]
  name = "pop"
  level = 1
  frame = [400, 200, 200, 200]
  hit = "pass_through"
  [[view]]
  path = "pop/ok"
  frame = [10, 10, 50, 50]
  """

/// Two screens, each with a window.
private let panel = """
  [screen.panel]
  size = [800, 480]
  [screen.door]
  size = [480, 800]
  [[window]]
  name = "home"
  [[view]]
  path = "home/dial"
  frame = [100, 100, 200, 200]
  [[window]]
  name = "bell"
  screen = "door"
  hit = "self"
  """
