import Configuration
import Foundation
import TestSupport
import Testing

@Suite("Warnings")
struct WarningTests {
  private static let head = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"

    """

  private func warnings(_ text: String) throws -> [String] {
    let anybody = Accounts(user: { _ in 1000 }, group: { _ in 1000 })
    return try Configuration.parse([("t.toml", Self.head + text)], accounts: anybody).warnings.lines
  }

  @Test(
    "each text gives exactly the warnings that its fixture names",
    arguments: try Fixture.all(in: "warned"))
  func fixtures(_ fixture: Fixture) throws {
    #expect(!fixture.expected.isEmpty, "a case without a warning does not belong here")
    #expect(try Configuration.parse(fixture.texts).warnings.lines == fixture.expected)
  }

  @Test("the configurations that are shipped and their examples give none")
  func shipped() throws {
    for file in try Repository.configurations() {
      #expect(try Configuration.load(files: [file.path]).warnings.lines == [], "\(file)")
    }
  }

  @Test("a view that may be scrolled in, or is hidden until it is placed, is none (L2)")
  func placedLater() throws {
    let text = """
      [[view]]
      path = "home/list"
      frame = [0, 0, 800, 100]
      bounds_origin = [0, 0]
      [[view]]
      path = "home/list/row"
      frame = [0, 200, 800, 100]
      [[view]]
      path = "home/list/row/button"
      frame = [0, 0, 50, 50]
      [[view]]
      path = "home/drawer"
      frame = ["100%", 0, 300, "100%"]
      hidden = true
      [[view]]
      path = "home/drawer/close"
      frame = [0, 0, 50, 50]

      """
    #expect(try warnings(text) == [])
  }

  @Test("where a rule of the view or its superview decides otherwise there is none (H5, H6)")
  func rules() throws {
    let text = """
      [[view]]
      path = "home/stack"
      frame = [10, 10, 0, 0]
      inside = "children"
      [[view]]
      path = "home/stack/note"
      frame = [20, 20, 50, 50]
      [[view]]
      path = "home/shield"
      frame = [0, 0, 0, 0]
      hit = "self"
      [[view]]
      path = "home/row"
      frame = [0, 0, 100, 40]
      hit = { first = "badge" }
      [[view]]
      path = "home/row/badge"
      frame = [120, 0, 30, 30]
      [[view]]
      path = "home/picture"
      frame = [0, 0, 0, 0]
      hit = "none"

      """
    #expect(try warnings(text) == [])
  }

  @Test("gestures that have something left are none (G5, G6)")
  func gesturesWithTheirOwn() throws {
    let text = """
      [[view]]
      path = "home/list"
      frame = [100, 0, 700, 480]
      [[gesture]]
      view = "home"
      name = "back"
      kind = "edge_pan"
      edge = "left"
      [[gesture]]
      view = "home"
      name = "bar"
      kind = "edge_pan"
      edge = "right"
      priority = true
      [[gesture]]
      view = "home/list"
      name = "pages"
      kind = "pan"
      direction = "horizontal"
      [[gesture]]
      view = "home"
      name = "pages"
      kind = "pan"
      direction = "horizontal"
      after = ["home#back"]
      [[gesture]]
      view = "home"
      name = "also"
      kind = "pan"
      direction = "horizontal"
      simultaneous = ["home#pages"]
      [[gesture]]
      view = "home"
      name = "off"
      kind = "pan"
      direction = "horizontal"
      enabled = false
      [[gesture]]
      view = "home"
      name = "two"
      kind = "pan"
      direction = "horizontal"
      touches = 2

      """
    #expect(try warnings(text) == [])
  }

  @Test("a secure view is none where a rule is about it or what it lies in (F6)")
  func secureWithRule() throws {
    let text = """
      [[view]]
      path = "home/pin"
      frame = [0, 0, 100, 100]
      secure = true
      [[access]]
      path = "home"
      users = ["kiosk"]

      """
    #expect(try warnings(text) == [])
  }

  @Test("a hundred are listed, and then that there are more")
  func bounded() throws {
    let views = (0..<400).map { "[[view]]\npath = \"home/v\($0)\"\nframe = [0, 900, 9, 9]\n" }
    let lines = try warnings(views.joined())
    #expect(lines.count == 101)
    #expect(lines.last == "there are more warnings; correct these first to see them")
  }
}
