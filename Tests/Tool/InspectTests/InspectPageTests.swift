import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The page of `touchroute inspect` in a browser.
@Suite("The page of touchroute inspect", .serialized)
struct InspectPageTests {
  private static let isDrawn = "inspector.isCurrent && document.querySelector('g.screen')"

  /// A picture for people, where somebody wants it.
  private func keep(_ browser: Browser, _ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["TOUCHROUTE_PICTURES"] else { return }
    try browser.picture().write(to: URL(filePath: folder).appending(path: "inspect-\(name).png"))
  }

  @Test("a tap shows where it went and why, a click presses nothing, and a change is drawn")
  func live() throws {
    let inspection = try Inspection()
    let media = try inspection.client("media")
    // What a program calls itself is text.
    let home = try DaemonClient(
      try #require(inspection.daemon?.socket), name: "<img src=x onerror=alert(1)>")
    _ = try home.connection.attach(to: "home")
    _ = try home.next(\.geometry)
    let browser = try Browser()
    try browser.open(inspection.address)
    try browser.wait(for: Self.isDrawn)
    #expect(try browser.run("return document.querySelectorAll('g.view').length") as? Int == 5)
    try browser.click(screen: 0, x: 600, y: 300)
    try browser.wait(for: "document.getElementById('hit').innerText.includes('media#pages')")
    #expect(try browser.text("hit").contains("media ("))
    #expect(try inspection.run("status", "--json").output.contains("\"began\":0"))
    try browser.press("\u{E00C}")
    // They have read all that they were told before.
    for program in [media, home] { program.dispatch() }
    #expect(try inspection.run("tap", "600", "300").status == 0)
    #expect(try inspection.run("tap", "10", "10").status == 0)
    try browser.wait(for: "inspector.touches.filter((touch) => touch.ended).length === 2")
    try browser.wait(for: "document.getElementById('touches').innerText.includes('1 ended')")
    let touches = try browser.text("touches")
    #expect(touches.contains("media") && touches.contains("<img src=x"), "\(touches)")
    #expect(try browser.run("return document.querySelector('img')") is NSNull)
    try keep(browser, "live")
    let outline = "document.querySelector('[data-path=\"home/dial\"] .bounds').getAttribute('d')"
    let before = try #require(try browser.run("return \(outline)") as? String)
    #expect(try inspection.run("set", "home/dial", "frame=0,0,50,50").status == 0)
    try browser.wait(for: "\(outline) !== '\(before)'")
    // Back to before it all, by the keys, and to now.
    _ = try browser.run("document.activeElement.blur()")
    try browser.press("\u{E011}")
    try browser.wait(for: "document.getElementById('state').innerText.includes('stopped at 0.0')")
    try browser.wait(for: "inspector.touches.length === 0")
    try browser.wait(for: "\(outline) === '\(before)'")
    try browser.press("\u{E010}")
    try browser.wait(for: "inspector.touches.length === 2")
    try browser.wait(for: "document.getElementById('state').innerText === 'live'")
    #expect(try browser.troubles() == [])
    withExtendedLifetime((media, home)) {}
  }

  @Test("what the page has saved is a record, which plays the same and opens without a daemon")
  func record() throws {
    let inspection = try Inspection()
    let program = try inspection.client("media")
    let browser = try Browser()
    try browser.open(inspection.address)
    try browser.wait(for: Self.isDrawn)
    #expect(try inspection.run("tap", "600", "300").status == 0)
    #expect(try inspection.run("swipe", "600", "300", "700", "300").status == 0)
    try browser.wait(for: "inspector.touches.filter((touch) => touch.ended).length === 2")
    // What would be downloaded.
    _ = try browser.run(
      """
      window.saved = null;
      URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; });
        return 'data:,'; };
      document.getElementById('save').click();
      """)
    try browser.wait(for: "window.saved")
    let text = try #require(try browser.run("return window.saved") as? String)
    let directory = try TemporaryDirectory()
    let file = try directory.write("touches.jsonl", text)
    let layout = try directory.write("layout.toml", Inspection.layout)
    let same = try inspection.run("play", "--dry", "--compare", "--config", layout, file)
    #expect(same.status == 0 && same.output.hasPrefix("0 of 2 touches"), "\(same)")
    let second = try Inspection(file: file)
    try browser.open(second.address)
    try browser.wait(for: "document.getElementById('state').innerText.includes('the record')")
    try browser.wait(for: Self.isDrawn)
    try browser.press("\u{E010}")
    try browser.wait(for: "inspector.touches.length === 2")
    _ = try browser.run("document.getElementById('heat').click()")
    try browser.wait(for: "document.getElementById('heat-views').innerText.includes('2 touches')")
    try keep(browser, "heat")
    // One that is picked in the page, as far as it is whole.
    let cut = try directory.write("cut.jsonl", text.dropLast(20) + "\n{\"ev")
    try browser.choose(cut, in: "open")
    try browser.wait(
      for: "document.getElementById('state').innerText.includes('this is no line of a record')")
    try browser.choose(layout, in: "open")
    try browser.wait(
      for: "document.getElementById('state').innerText.includes('layout.toml:1: ')")
    #expect(try browser.troubles() == [])
    withExtendedLifetime(program) {}
  }

  @Test("by the keyboard alone a person asks what a touch would hit, on a phone's width too")
  func keyboard() throws {
    let inspection = try Inspection()
    let browser = try Browser(size: (500, 900), isDark: true)
    try browser.open(inspection.address)
    try browser.wait(for: Self.isDrawn)
    _ = try browser.run("document.getElementById('screens').focus()")
    for key in ["\u{E014}", "\u{E014}", "\u{E015}", "\u{E007}"] { try browser.press(key) }
    try browser.wait(
      for: "document.getElementById('hit').innerText.includes('At (420, 250) on panel: media')")
    try browser.press("\u{E00F}")
    try browser.press("\u{E007}")
    try browser.wait(for: "document.getElementById('hit').innerText.includes('on door: bell')")
    let wide = "return document.documentElement.scrollWidth <= window.innerWidth"
    #expect(try browser.run(wide) as? Bool == true)
    try keep(browser, "phone")
    #expect(try browser.troubles() == [])
  }

  @Test("the mouse is a finger that the program gets")
  func finger() throws {
    let inspection = try Inspection(Inspection.layout, "--allow-input")
    let program = try inspection.client("media")
    let browser = try Browser()
    try browser.open(inspection.address)
    try browser.wait(for: Self.isDrawn)
    try browser.wait(for: "!document.getElementById('finger').hidden")
    _ = try browser.run("document.querySelector('#finger input').click()")
    try browser.click(screen: 0, x: 600, y: 300)
    let began = try #require(try program.next(\.frame).touches.first)
    #expect(began.phase == .began && abs(began.screenLocation.x - 600) < 2)
    _ = try program.next { $0.frame?.touches.first { $0.phase == .ended } }
    #expect(try browser.troubles() == [])
  }

  @Test("a thousand views are drawn, and ten fingers at 120 Hz move on them")
  func many() throws {
    var layout = "[screen.panel]\nsize = [1000, 800]\n[[window]]\nname = \"home\"\n"
    for row in 0..<25 {
      for column in 0..<40 {
        layout += "[[view]]\npath = \"home/r\(row)c\(column)\"\n"
        layout += "frame = [\(column * 25), \(row * 32), 22, 28]\n"
      }
    }
    let inspection = try Inspection(layout)
    let program = try inspection.client("home")
    let browser = try Browser()
    try browser.open(inspection.address)
    try browser.wait(for: Self.isDrawn)
    let drawn = try browser.run("return Math.round(inspector.firstDrawing)") as? Int
    #expect(try browser.run("return document.querySelectorAll('g.view').length") as? Int == 1001)
    let control = try DaemonClient(try #require(inspection.daemon?.controlSocket))
    func play(_ change: (Int32) -> InjectedContact.Change) throws {
      _ = try control.connection.inject((0..<10).map { InjectedContact(slot: $0, change($0)) })
      _ = try control.next { $0.completion != nil || $0.failure != nil ? true : nil }
    }
    try play { .began(Point(x: 50 + Double($0) * 90, y: 20)) }
    try browser.wait(for: "inspector.touches.length === 10")
    let before = try #require(try browser.run("return inspector.pictures") as? Int)
    let start = ContinuousClock.now
    for step in 1...360 {
      try play { .moved(Point(x: 50 + Double($0) * 90, y: 20 + Double(step))) }
      program.dispatch()
      let due = start + .seconds(1) * step / 120
      if due > .now { usleep(UInt32((due - .now) / .microseconds(1))) }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let after = try #require(try browser.run("return inspector.pictures") as? Int)
    try keep(browser, "many")
    try play { _ in .ended }
    try browser.wait(for: "inspector.touches.every((touch) => touch.ended)")
    // Figures for people: what the machine does beside this is not known.
    print(
      "the first drawing of 1,000 views took \(drawn ?? -1) ms from the page's start; "
        + "\(Double(after - before) / seconds) pictures a second")
    #expect(after > before)
    withExtendedLifetime(program) {}
  }
}
