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
    // The list is drawn after that.
    for text in ["1 ended", "media (", "<img src=x"] {
      try browser.wait(for: "document.getElementById('touches').innerText.includes('\(text)')")
    }
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
    // Lines that somebody else has written neither hang nor stop the page.
    for (name, line) in [
      ("time", "{\"event\":\"lost\",\"time_us\":1e400}"),
      ("path", "{\"event\":\"gesture\",\"time_us\":1,\"state\":\"began\"}"),
      ("place", "{\"event\":\"frame\",\"touches\":[{\"id\":1,\"phase\":\"began\",\"at\":[5]}]}"),
    ] {
      let file = try directory.write("\(name).jsonl", "\(text)\(line)\n")
      try browser.choose(file, in: "open")
      try browser.wait(
        for: "/\(name).jsonl:[0-9]+: this is no line/.test("
          + "document.getElementById('state').innerText)")
    }
    try browser.choose(layout, in: "open")
    try browser.wait(
      for: "document.getElementById('state').innerText.includes('layout.toml:1: ')")
    #expect(try browser.troubles() == [])
    withExtendedLifetime(program) {}
  }

  @Test("after a restart of the daemon the page goes on by itself, with the time line that it has")
  func restartOfDaemon() throws {
    let inspection = try Inspection()
    let daemon = try #require(inspection.daemon)
    let program = try inspection.client("media")
    let browser = try Browser()
    try browser.open(inspection.address)
    try browser.wait(for: Self.isDrawn)
    let control = try DaemonClient(daemon.controlSocket)
    _ = try control.connection.inject([InjectedContact(slot: 0, .began(Point(x: 600, y: 300)))])
    try browser.wait(for: "inspector.touches.some((touch) => !touch.ended)")
    daemon.kill()
    try browser.wait(for: "document.getElementById('state').innerText.includes('waiting for it')")
    // What was live is not any more, and nobody holds anything.
    try browser.wait(for: "inspector.touches.length === 1 && inspector.touches[0].ended")
    try browser.wait(for: "document.getElementById('programs').innerText.includes('No program')")
    try keep(browser, "away")
    try daemon.write(Inspection.layout.replacing("home/dial", with: "home/knob"))
    try daemon.start()
    try daemon.wait(for: "READY=1")
    try browser.wait(for: "document.getElementById('state').innerText === 'live'")
    try browser.wait(for: "document.querySelector('[data-path=\"home/knob\"]')")
    #expect(try inspection.run("tap", "10", "10").status == 2)
    try browser.wait(for: "inspector.touches.at(-1).phase === 'ended'")
    // The new daemon counts touches anew; of the old one's there is still the past.
    _ = try browser.run("document.activeElement.blur()")
    try browser.press("\u{E011}")
    try browser.wait(for: "document.querySelector('[data-path=\"home/dial\"]')")
    #expect(try browser.troubles() == [])
    withExtendedLifetime(program) {}
  }

  @Test("after a restart of the server a page goes on where the new address is opened beside it")
  func restartOfServer() throws {
    let inspection = try Inspection()
    let browser = try Browser()
    try browser.open(inspection.address)
    try browser.wait(for: Self.isDrawn)
    #expect(try inspection.run("tap", "600", "300").status == 2)
    try browser.wait(for: "inspector.touches.length === 1")
    inspection.stop()
    try browser.wait(for: "document.getElementById('state').innerText.includes('is not reached')")
    #expect(try inspection.run("tap", "10", "10").status == 2)
    try inspection.restart()
    try browser.wait(for: "document.getElementById('state').innerText.includes('started anew')")
    _ = try browser.run("window.other = window.open('\(inspection.address)')")
    try browser.wait(for: "document.getElementById('state').innerText === 'live'")
    // A page behind another one is not painted.
    _ = try browser.run("window.other.close()")
    #expect(try browser.run("return location.href") as? String == inspection.address)
    #expect(try inspection.run("tap", "600", "300").status == 2)
    try browser.wait(for: "inspector.touches.length === 2")
    // The server that draws knows what it has drawn.
    try browser.wait(for: Self.isDrawn)
    try browser.click(screen: 0, x: 600, y: 300)
    try browser.wait(for: "document.getElementById('hit').innerText.includes('media#pages')")
    withExtendedLifetime(inspection) {}
  }

  @Test("after a restart of the machine, whose clock begins anew, the time line goes on")
  func restartOfMachine() throws {
    let inspection = try Inspection()
    let browser = try Browser()
    try browser.open(inspection.address)
    let script = """
      return import('./record.js').then(({ Recording }) => {
        const layout = {screens: [{name: 'panel', size: [800, 480], rotation: 0}], whole: true,
          views: [{path: 'home', screen: 'panel', frame: [0, 0, 800, 480]}], gestures: []};
        const header = (time) => ({format: 'touchroute-record', version: 1, touchroute: '0',
          started: 1, time_us: time, ...layout});
        const phases = ['began', 'moved', 'ended', 'cancelled'];
        const holder = (time, name) => ({event: 'attached', time_us: time, attachment: 1,
          client: 1, pid: 9, name, path: 'home', handles: phases, passes: [], gestures: false});
        const chain = [{path: 'home', outcome: 'delivered', attachment: 1, pid: 9, phases}];
        const frame = (time, id, phase) => ({event: 'frame', time_us: time, sequence: 1, device: 1,
          screen: 0, touches: [{id, phase, at: [5, 5], ...(phase === 'began' ? {target: 'home',
          chain} : {})}]});
        const recording = new Recording();
        const tell = (lines, machine) => recording.resume(
          lines.map((line) => JSON.stringify(line)), machine);
        tell([header(7e9), holder(7e9, 'old'), frame(7e9 + 1e6, 3, 'began')], 'before');
        const touch = [frame(41e6, 1, 'began'), frame(42e6, 1, 'ended')];
        tell([header(40e6), holder(40e6, 'new'), ...touch], 'after');
        return [recording.to - recording.from,
          [...recording.latest.holders.values()].map(({ name }) => name),
          [...recording.latest.touches.values()].map(({ id, ended }) => [id, Boolean(ended)]),
          recording.spans.map(({ from, to }) => to - from), recording.text];
      });
      """
    let result = try #require(try browser.run(script) as? [Any])
    #expect(result[0] as? Int == 3_000_000 && result[1] as? [String] == ["new"])
    #expect(result[2] as? [[Int]] == [[3, 1], [1, 1]])
    #expect(result[3] as? [Int] == [0, 1_000_000])
    let directory = try TemporaryDirectory()
    let file = try directory.write("saved.jsonl", try #require(result[4] as? String))
    let layout = try directory.write("layout.toml", Inspection.layout)
    let played = try inspection.run("play", "--dry", "--compare", "--config", layout, file)
    #expect(played.status == 0 && played.output.hasPrefix("0 of 1 touch "), "\(played)")
    #expect(try browser.troubles() == [])
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
    // Switched off by the keyboard meanwhile, the finger is none any more.
    try browser.click(screen: 0, x: 600, y: 300, isHeld: true)
    _ = try program.next { $0.frame?.touches.first { $0.phase == .began } }
    _ = try browser.run("document.querySelector('#finger input').click()")
    _ = try program.next { $0.frame?.touches.first { $0.phase == .cancelled } }
    #expect(try browser.troubles() == [])
  }

  /// Makes the picture of README.md, docs/inspect.png: CONTRIBUTING.md says how.
  @Test("two fingers on a head unit have the colours of their programs, and one its gesture")
  func headUnit() throws {
    let example = Repository.root.appending(path: "config/examples/head-unit.toml")
    let gesture = "\n[[gesture]]\nview = \"map\"\nname = \"pan\"\nkind = \"pan\"\n"
    let inspection = try Inspection(String(contentsOf: example, encoding: .utf8) + gesture)
    let socket = try #require(inspection.daemon?.socket)
    var programs: [DaemonClient] = []
    for (name, window) in [
      ("system", "status"), ("player", "media"), ("navigation", "map"), ("phone", "call"),
    ] {
      let client = try DaemonClient(socket, name: name)
      _ = try client.connection.attach(to: window, options: .gestures)
      _ = try client.next(\.geometry)
      programs.append(client)
    }
    let browser = try Browser(size: (1280, 900))
    try browser.open(inspection.address)
    try browser.wait(for: Self.isDrawn)
    let control = try DaemonClient(try #require(inspection.daemon?.controlSocket))
    func play(_ changes: [Int32: InjectedContact.Change]) throws {
      _ = try control.connection.inject(
        changes.map { InjectedContact(slot: $0.key, $0.value) })
      _ = try control.next { $0.completion != nil || $0.failure != nil ? true : nil }
      for program in programs { program.dispatch() }
      usleep(12_000)
    }
    for (x, y) in [(600, 20), (640, 585), (610, 345), (824, 650), (1220, 270), (60, 650)] {
      try play([0: .began(Point(x: Double(x), y: Double(y)))])
      usleep(70_000)
      try play([0: .ended])
      usleep(140_000)
    }
    // One drags the map, in an arc; the other one the position in a song.
    func place(_ slot: Int32, _ step: Int) -> Point {
      let angle = Double(step) / 40 * 2
      return slot == 0
        ? Point(x: 950 - 160 * cos(angle), y: 520 - 200 * sin(angle))
        : Point(x: 240 + Double(step) * 6, y: 672)
    }
    try play([0: .began(place(0, 0)), 1: .began(place(1, 0))])
    for step in 1...40 { try play([0: .moved(place(0, step)), 1: .moved(place(1, step))]) }
    for _ in 0..<8 { try browser.press("+") }
    try browser.wait(for: "inspector.touches.some((touch) => touch.gesture === 'map#pan')")
    try browser.wait(
      for: "/map#pan\\s+pan\\s+began/.test(document.getElementById('recognizers').innerText)")
    let touches = try browser.text("touches")
    for name in ["navigation", "player", "phone", "system"] {
      #expect(touches.contains(name), "\(touches)")
    }
    try play([0: .moved(place(0, 41)), 1: .moved(place(1, 41))])
    try keep(browser, "head-unit")
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
