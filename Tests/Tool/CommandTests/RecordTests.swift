import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

@testable import TouchScripts

/// Records: what happens to touches, kept and played again.
@Suite("touchroute record and play")
struct RecordTests {
  private static let ended = "\"phase\":\"ended\""

  @Test("a record says which programs got a touch, and that another layout gives it to others")
  func compare() throws {
    let studio = try Studio(panelWithPages)
    let program = try studio.client("home", options: .gestures)
    #expect(try studio.run("tap", "300", "400").status == 0)
    #expect(try studio.run("swipe", "300", "300", "500", "300").status == 0)
    try studio.wait { $0.components(separatedBy: Self.ended).count == 3 }
    let same = try studio.compare(panelWithPages)
    #expect(same.output.hasPrefix("0 of 2 touches and 0 of ") && same.status == 0, "\(same)")
    let without = try studio.compare(panel)
    #expect(without.status == 2)
    #expect(without.output.contains("touch 2"), "\(without)")
    #expect(without.output.contains("home#pages  began does not come any more"), "\(without)")
    #expect(without.output.contains("comes to ended, and came to gesture"), "\(without)")
    let moved = try studio.compare(
      panelWithPages + "[[view]]\npath = \"home/new\"\nframe = [290, 390, 50, 50]\n", json: true)
    #expect(moved.status == 2)
    #expect(moved.output.contains("\"difference\":\"target\",\"played\":\"home/new\""), "\(moved)")
    #expect(moved.output.contains("\"differing_touches\":1"), "\(moved)")
    withExtendedLifetime(program) {}
  }

  @Test("what programs attach, override, add and decide is part of a record (L6, L7, R5)")
  func programs() throws {
    let studio = try Studio(panel)
    let toolbar = try studio.client("home/toolbar")
    let home = try DaemonClient(studio.daemon.socket, name: "home")
    let attachment = try home.connection.attach(to: "home")
    _ = try home.next(\.geometry)
    _ = try home.connection.addViews(in: attachment) {
      Subview("row", frame: Rect(x: 0, y: 200, width: 800, height: 50))
    }
    _ = try home.next(\.completion)
    #expect(try studio.run("set", "home/dial", "frame=500,100,200,200").status == 0)
    #expect(try studio.run("tap", "400", "220").output.contains("hit home/row"))
    #expect(try studio.run("tap", "600", "150").output.contains("hit home/dial"))
    // One that is declined.
    let finger = try InjectedFrames(studio.daemon)
    try finger.frame([.init(slot: 0, .began(Point(x: 30, y: 30)))])
    let touch = try #require(try toolbar.next(\.frame).touches.first)
    try toolbar.connection.decline(touch.id, for: touch.attachment)
    _ = try toolbar.connection.flush()
    _ = try home.next { event -> Bool? in
      event.frame?.touches.contains { $0.id == touch.id } == true ? true : nil
    }
    try finger.frame([.init(slot: 0, .ended)])
    try studio.wait { $0.components(separatedBy: Self.ended).count == 4 }
    for word in ["attached", "declined", "layout"] {
      #expect(studio.text.contains("\"event\":\"\(word)\""), "\(word) is not in \(studio.text)")
    }
    let same = try studio.compare(panel)
    #expect(same.output.hasPrefix("0 of 3 touches") && same.status == 0, "\(same)")
    #expect(same.errors == "")
  }

  @Test("a record has the lift of a finger whose end a recognizer holds back (G10)")
  func lifted() throws {
    let taps =
      panel + """
        [[gesture]]
        view = "home"
        name = "double"
        kind = "tap"
        taps = 2

        """
    let studio = try Studio(taps)
    let program = try studio.client("home", options: .gestures)
    let finger = try InjectedFrames(studio.daemon)
    for _ in 0..<2 {
      try finger.frame([.init(slot: 0, .began(Point(x: 300, y: 400)))])
      try finger.frame([.init(slot: 0, .ended)])
    }
    try studio.wait { $0.contains("\"recognized\"") }
    #expect(studio.text.components(separatedBy: "\"event\":\"lifted\"").count == 2)
    let same = try studio.compare(taps)
    #expect(same.output.hasPrefix("0 of 2 touches and 0 of 1 ") && same.status == 0, "\(same)")
    withExtendedLifetime(program) {}
  }

  @Test("a touch on a secure view has no place in a record, and is not compared (F7)")
  func secure() throws {
    let studio = try Studio(panel.replacing("shape = \"ellipse\"", with: "secure = true"))
    let program = try studio.client("home")
    _ = try studio.run("tap", "200", "200")
    try studio.wait { $0.contains(Self.ended) }
    #expect(studio.text.contains("\"secure\""))
    #expect(!studio.text.contains("\"at\""), "\(studio.text)")
    let result = try studio.compare(panel)
    #expect(result.output.contains("0 of 0 touches"), "\(result)")
    #expect(result.output.contains("1 touch on secure views can't be compared"), "\(result)")
    let mode = try FileManager.default.attributesOfItem(atPath: studio.record)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    withExtendedLifetime(program) {}
  }

  @Test("what has happened when a signal ends record is in the file, and it exits with 0 (F7)")
  func ended() throws {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      let studio = try Studio(panel)
      let finger = try InjectedFrames(studio.daemon)
      try finger.frame([.init(slot: 0, .began(Point(x: 300, y: 400)))])
      try finger.frame([.init(slot: 0, .ended)])
      studio.recorder.signal(signal)
      let result = studio.recorder.finish()
      #expect(result.status == 0 && result.errors == "", "\(result)")
      #expect(studio.text.contains(Self.ended), "\(studio.text)")
    }
  }

  @Test("play injects a record's touches into a running daemon, in its order and faster")
  func inject() throws {
    let studio = try Studio(panel)
    let program = try studio.client("home")
    #expect(try studio.run("swipe", "300", "400", "500", "400", "--duration", "400").status == 0)
    try studio.wait { $0.contains(Self.ended) }
    studio.recorder.kill()
    func phases() throws -> [RoutedTouch] {
      var touches: [RoutedTouch] = []
      _ = try program.next { event -> Bool? in
        touches += event.frame?.touches ?? []
        return touches.last?.phase == .ended ? true : nil
      }
      return touches
    }
    let before = try phases()
    let played = try studio.run("play", "--speed", "50", studio.record)
    #expect(played.status == 0 && played.output.contains("gets it"), "\(played)")
    let again = try phases()
    #expect(again.map(\.phase) == before.map(\.phase))
    #expect(again.map(\.screenLocation) == before.map(\.screenLocation))
  }

  @Test("record --last keeps the latest, and writes it at SIGUSR1 and at a cancel, each a record")
  func last() throws {
    let studio = try Studio(panel, ["--last", "60s", "--on-cancel", "requested"])
    let program = try studio.client("home")
    #expect(try studio.run("tap", "300", "400").status == 0)
    #expect(studio.text == "")
    studio.recorder.signal(SIGUSR1)
    try studio.wait { $0.contains(Self.ended) }
    let same = try studio.compare(panel)
    #expect(same.output.hasPrefix("0 of 1 touch ") && same.status == 0, "\(same)")
    let finger = try InjectedFrames(studio.daemon)
    try finger.frame([.init(slot: 0, .began(Point(x: 300, y: 400)))])
    try finger.frame([.init(slot: 0, .cancelled)])
    let second = studio.record + ".2"
    for _ in 0..<3000 {
      guard !FileManager.default.fileExists(atPath: second) else { break }
      usleep(10_000)
    }
    let text = { (try? String(contentsOfFile: second, encoding: .utf8)) ?? "" }
    for _ in 0..<3000 {
      guard !text().contains("\"requested\"") else { break }
      usleep(10_000)
    }
    #expect(text().hasPrefix("{\"format\":\"touchroute-record\""))
    #expect(text().contains("\"cancel_reason\":\"requested\""), "\(text())")
    withExtendedLifetime(program) {}
  }

  @Test("record --last leaves a file that is there, and writes what it has kept beside it")
  func takenName() throws {
    let studio = try Studio(panel, ["--last", "60s"])
    try "mine".write(toFile: studio.record, atomically: true, encoding: .utf8)
    #expect(try studio.run("tap", "300", "400").status == 2)
    studio.recorder.signal(SIGUSR1)
    let text = { (try? String(contentsOfFile: studio.record + ".2", encoding: .utf8)) ?? "" }
    for _ in 0..<3000 {
      guard !text().contains(Self.ended) else { break }
      usleep(10_000)
    }
    #expect(text().hasPrefix("{\"format\":\"touchroute-record\"") && text().contains(Self.ended))
    #expect(studio.text == "mine" && studio.recorder.isRunning)
  }

  @Test("record writes no file for each of many cancels, and none is lost (S55)")
  func manyCancels() throws {
    let studio = try Studio(panel, ["--last", "1h", "--on-cancel", "requested"])
    let program = try studio.client("home")
    let finger = try InjectedFrames(studio.daemon)
    for _ in 0..<20 {
      try finger.frame([.init(slot: 0, .began(Point(x: 300, y: 400)))])
      try finger.frame([.init(slot: 0, .cancelled)])
    }
    try studio.wait { $0.contains("\"requested\"") }
    studio.recorder.signal(SIGUSR1)
    let second = { (try? String(contentsOfFile: studio.record + ".2", encoding: .utf8)) ?? "" }
    let cancels = { second().components(separatedBy: "\"requested\"").count - 1 }
    for _ in 0..<3000 {
      guard cancels() < 20 && studio.recorder.isRunning else { break }
      usleep(10_000)
    }
    #expect(cancels() == 20)
    #expect(!FileManager.default.fileExists(atPath: studio.record + ".3"))
    withExtendedLifetime(program) {}
  }

  @Test("what a layout decides that the recorder could not read is not compared")
  func unreadLayout() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panelWithPages)
    let touch = { (phase: String, x: Int, time: Int, rest: String) in
      #"{"event":"frame","device":1,"screen":0,"sequence":\#(time),"time_us":\#(time),"#
        + #""touches":[{"id":1,"at":[\#(x),300],"phase":"\#(phase)"\#(rest)}]}"#
    }
    let lines = [
      #"{"format":"touchroute-record","version":1,"touchroute":"0.2.0","started":1,"time_us":5,"#
        + #""screens":[{"name":"panel","size":[800,480],"rotation":0}]}"#,
      #"{"event":"attached","time_us":6,"attachment":1,"client":1,"name":"home","path":"home","#
        + #""handles":["began","moved","ended","cancelled"],"passes":[],"gestures":true}"#,
      touch(
        "began", 300, 10,
        #","target":"home","chain":[{"path":"home","outcome":"delivered","attachment":1,"#
          + #""phases":["began","moved","ended","cancelled"]}]"#),
      #"{"event":"gesture","path":"home#pages","state":"possible","time_us":10,"touch":1}"#,
      // The layout that disabled home#pages, which was gone before the recorder had it.
      #"{"event":"layout","generation":2,"time_us":11,"unread":true}"#,
      #"{"event":"layout","generation":3,"time_us":12}"#,
      touch("moved", 500, 20, ""), touch("ended", 500, 30, ""),
      #"{"event":"gesture","path":"home#pages","state":"possible","time_us":30}"#,
    ]
    func compare(_ lines: [String]) throws -> Command.Result {
      try directory.write("record", lines.joined(separator: "\n") + "\n")
      return try Command.run(
        ["play", "--dry", "--compare", "--config", "panel.toml", "record"], in: directory.url)
    }
    let result = try compare(lines)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasPrefix("0 of 0 touches and 0 of 0 gesture events differ; 1 touch"))
    // What began after a loss is compared, though the end of a touch before it is lost.
    let later = lines.filter { !$0.contains("unread") }.map {
      $0.replacing("\"id\":1,", with: "\"id\":2,").replacing("\"touch\":1", with: "\"touch\":2")
    }
    let lost = #"{"event":"lost","time_us":8,"count":3}"#
    let early = lines[2].replacing("_us\":10", with: "_us\":7")
    let afterLoss = try compare(Array(later[..<2]) + [early, lost] + Array(later[2...]))
    #expect(afterLoss.status == 2, "\(afterLoss)")
    #expect(afterLoss.output.contains("comes to gesture, and came to ended"), "\(afterLoss)")
    // A recognizer that is gone with a layout that the record does not have decides nothing later.
    let gone = #"{"event":"layout","generation":3,"time_us":12,"gestures":[]}"#
    let second = [later[2], later[5], later[6]].map {
      $0.replacing("_us\":", with: "_us\":1000")
    }
    let afterRemoval = try compare(
      Array(lines[..<5]) + [gone] + Array(lines[6...7]) + second)
    #expect(afterRemoval.status == 2, "\(afterRemoval)")
    #expect(afterRemoval.output.contains("touch 2 at"), "\(afterRemoval)")
    #expect(afterRemoval.output.contains("1 of 1 touch "), "\(afterRemoval)")
    // Where the record has the layout, the same is a difference.
    let known = try compare(lines.filter { !$0.contains("unread") })
    #expect(known.status == 2 && known.output.contains("comes to gesture, and came to ended"))
  }

  @Test("a record has the screens that a reload changes, and plays by their names (L1, R8)")
  func screens() throws {
    func layout(_ screens: [(String, Int)]) -> String {
      screens.map { name, width in
        """
        [screen.\(name)]
        size = [\(width), 300]
        [[window]]
        name = "on-\(name)"
        screen = "\(name)"

        """
      }.joined()
    }
    let studio = try Studio(layout([("a", 400)]))
    let control = try DaemonClient(studio.daemon.controlSocket, name: "control")
    func tap(_ screen: UInt32, _ point: Point) throws {
      for change in [InjectedContact.Change.began(point), .ended] {
        _ = try control.connection.inject([InjectedContact(slot: 0, change)], screen: screen)
        _ = try control.next(\.completion)
      }
    }
    try tap(0, Point(x: 10, y: 20))
    let new = layout([("b", 640), ("a", 500)])
    _ = try studio.daemon.directory.write("touchroute.toml", new)
    #expect(try studio.run("reload").status == 0)
    try tap(0, Point(x: 600, y: 30))
    try tap(1, Point(x: 450, y: 40))
    try studio.wait { $0.contains("[450,40]") && $0.contains("\"id\":3,\"phase\":\"ended\"") }
    let line = try #require(
      studio.text.split(separator: "\n").first { $0.contains("\"event\":\"layout\"") })
    #expect(line.contains("{\"name\":\"b\",\"rotation\":0,\"size\":[640,300]}"))
    #expect(line.contains("{\"name\":\"a\",\"rotation\":0,\"size\":[500,300]}"))
    // Touch 2 is on b and touch 3 on a, as both were then.
    let same = try studio.compare(new)
    #expect(same.status == 0 && same.output.hasPrefix("0 of 3 touches"), "\(same)")
    let other = try studio.compare(new.replacing("on-b", with: "other"))
    #expect(other.status == 2 && other.output.contains("at (600.0, 30.0) on b"), "\(other)")
    let missing = try studio.compare(layout([("a", 500)]))
    #expect(missing.status == 1 && missing.errors.contains("the record has a screen \"b\""))
    #expect(missing.errors.contains("record.jsonl:"), "\(missing.errors)")
  }

  @Test("what is no record, is of another version or was edited wrongly is refused by its line")
  func refused() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    let head = #"{"format":"touchroute-record","version":1,"touchroute":"0.2.0","started":1,"#
    let start =
      head + #""time_us":5,"screens":[{"name":"panel","size":[800,480],"rotation":0}]}"# + "\n"
    for (text, words) in [
      ("", "is no record: it is empty"), ("\u{1}\u{2}\n", "is no record"),
      ("[screen.panel]\nsize = [8, 4]\n", "is no record: its first line does not say"),
      ("{\"format\":\"x\"}\n", "is no record"),
      (start.replacing("\"version\":1", with: "\"version\":2"), "is a record of version 2"),
      (start.replacing("\"started\":1,", with: ""), "record:1: \"started\" is missing"),
      (start.replacing("panel", with: "tv"), "has a screen \"tv\", and the configuration has"),
      (start + "{}\n", "record:2: \"event\" is missing"), (start + "nonsense\n", "record:2: this"),
      (
        start + #"{"event":"gone","time_us":9007199254740993}"# + "\n", "record:2: time_us is 900"
      ), (start + #"{"event":"fame"}"# + "\n", "record:2: there is no event \"fame\""),
      (
        start + #"{"event":"frame","device":1,"screen":7,"sequence":1,"time_us":6,"touches":[]}"#
          + "\n", "record:2: there is no screen 7"
      ),
      (
        start + #"{"event":"frame","device":1,"screen":0,"sequence":1,"time_us":6,"touches":[{}]}"#
          + "\n", "record:2: touches.[0]: \"id\" is missing"
      ),
      (
        start + #"{"event":"layout","time_us":6,"views":[{"path":"a","order":-1}]}"# + "\n",
        "record:2: views.[0].order: -1 is not from 0 to"
      ),
      (
        start + #"{"event":"layout","time_us":6,"views":[{"path":"a","label":"\u0007"}]}"# + "\n",
        "record:2: views.[0].label: it must not have control"
      ),
    ] {
      try directory.write("record", text)
      let result = try Command.run(
        ["play", "--dry", "--compare", "--config", "panel.toml", "record"], in: directory.url)
      #expect(result.status == 1 && result.errors.contains(words), "\(text): \(result)")
    }
    try directory.write("record", start)
    let long = try FileHandle(forUpdating: directory.url.appending(path: "record"))
    try long.truncate(atOffset: 300 << 20)
    try long.close()
    let tooLong = try Command.run(
      ["play", "--dry", "--compare", "--config", "panel.toml", "record"], in: directory.url)
    #expect(tooLong.errors.contains("record:2: the line is longer than 256 MiB"), "\(tooLong)")
    try directory.write("record", start + #"{"event":"gone","client":1,"ti"#)
    let cut = try Command.run(
      ["play", "--dry", "--compare", "--config", "panel.toml", "record"], in: directory.url)
    #expect(cut.status == 0 && cut.errors.contains("record:2: the last line is not whole"))
  }

  @Test(
    "play reads evemu's files of real touchscreens, and libinput's with the same events",
    arguments: [
      "EP0430M09.4-finger-drag-down", "Atmel maXTouch Touchscreen.2-fingers-touch-release",
    ])
  func deviceRecordings(_ name: String) throws {
    let file = Repository.root.appending(
      path: "Tests/Whole/DeviceTests/Recordings/\(name).events")
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    let evemu = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    try directory.write("recording.events", evemu)
    try directory.write("recording.yml", Self.libinput(evemu))
    func play(_ file: String) throws -> Command.Result {
      try Command.run(
        ["play", "--dry", "--config", "panel.toml", "--map", "door", file], in: directory.url)
    }
    let played = try play("recording.events")
    #expect(played.status == 0 && played.errors == "")
    let count = { (word: String) in played.output.components(separatedBy: word).count - 1 }
    #expect(count(" began ") == (name.contains("4-finger") ? 4 : 2), "\(played.output)")
    #expect(count(" began ") == count(" ended "))
    #expect(count("hit bell") > 0)
    #expect(try play("recording.yml") == played)
  }

  /// The events and axes as `libinput record` writes them.
  private static func libinput(_ evemu: String) -> String {
    var axes: [String] = []
    var events: [String] = []
    for line in evemu.split(separator: "\n") {
      let text = line.dropFirst(2).prefix { $0 != "#" }
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      if line.hasPrefix("A:") {
        let code = Int(words[0], radix: 16) ?? 0
        axes.append("      \(code): [\(words.dropFirst().joined(separator: ", "))] # an axis")
      } else if line.hasPrefix("E:") {
        let time = words[0].split(separator: ".").compactMap { Int($0) }
        let numbers = words[1...2].compactMap { Int($0, radix: 16) }
        events.append(
          "  - evdev:\n    - [ \(time[0]), \(time[1]), \(numbers[0]), \(numbers[1]), "
            + "\(words[3])] # it"
        )
      }
    }
    return """
      # libinput record
      version: 1
      ndevices: 1
      libinput:
        version: "1.22.1"
        git: "unknown"
      system:
        os: "debian:12"
      devices:
      - node: /dev/input/event0
        evdev:
          # Name: panel
          name: "panel"
          id: [24, 0, 0, 0]
          codes:
            0: [0, 1] # EV_SYN
          absinfo:
      \(axes.joined(separator: "\n"))
          properties: [1]
        hid: []
        udev:
          properties:
          - ID_INPUT=1
        quirks:
        events:
        # Current time is 12:00:00
      \(events.joined(separator: "\n"))

      """
  }

  @Test("what is no contact of a type B touchscreen is refused by its line")
  func foreignEvents() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    let head = "# EVEMU 1.3\nN: panel\nA: 2f 0 9 0 0 0\nA: 35 0 99 0 0 0\nA: 36 0 99 0 0 0\n"
    let down = "E: 0.000001 0003 0039 7\nE: 0.000001 0003 0035 5\nE: 0.000001 0000 0000 0\n"
    for (text, words) in [
      (head, "r.txt has no touches"),
      (head + down + "E: 0.000002 0002 0000 3\n", "r.txt:9:1: an event of type 2, code 0 is no"),
      (head + "E: 0.000001 0000 0003 0\n", "r.txt:6:1: events were lost here (SYN_DROPPED)"),
      (head + "E: 0.000001 0000 0002 0\n", "r.txt:6:1: SYN_MT_REPORT is of a type A device"),
      (head + down + "N: second\n", "r.txt:9:1: a second device begins here"),
      (head + "E: yesterday\n", "r.txt:6:1: it must be E: SECONDS TYPE CODE VALUE"),
      (head.replacing("A: 2f 0 9 0 0 0\n", with: "") + down, "only type B devices are read"),
      ("version: 2\n", "r.txt:1:1: this is version 2 of libinput's recordings: 1 is read"),
    ] {
      try directory.write("r.txt", text)
      let result = try Command.run(
        ["play", "--dry", "--config", "panel.toml", "r.txt"], in: directory.url)
      #expect(result.status == 1 && result.errors.contains(words), "\(text): \(result)")
    }
    try directory.write("r.txt", head + down)
    let compared = try Command.run(
      ["play", "--dry", "--compare", "--config", "panel.toml", "r.txt"], in: directory.url)
    #expect(
      compared.status == 1 && compared.errors.contains("does not say what came of its touches"))
    let elsewhere = try Command.run(
      ["play", "--dry", "--config", "panel.toml", "--map", "tv", "r.txt"], in: directory.url)
    #expect(elsewhere.errors.contains("there is no screen \"tv\"; the layout has panel, door"))
  }

  @Test("a full disk, a file that is there and a wrong option end record with a sentence")
  func files() throws {
    let studio = try Studio(panel)
    let full = try studio.run("record", "/dev/full")
    #expect(full.status == 1)
    #expect(
      full.errors == "touchroute: /dev/full can't be written any further; it is good up to here: "
        + "No space left on device\n")
    let there = try studio.run("record", studio.record)
    #expect(there.status == 1 && there.errors.contains("is there already: name another file"))
    for (words, text) in [
      (["record", "x", "--last", "never"], "--last must be a time from 1ms to 24h"),
      (["record", "x", "--on-cancel", "palm"], "--on-cancel needs --last"),
      (["record", "x", "--last", "1s", "--on-cancel", "p"], "--on-cancel must be one of"),
      (["play", "--compare", "x"], "--compare, --json and --config need --dry"),
      (["play", "--dry", "--speed", "2", "x"], "can't be given together with --dry"),
      (["play", "--speed", "0", "x"], "--speed must be from 0.01 to 1000"),
    ] {
      let result = try studio.run(words)
      #expect(result.status == 64 && result.errors.contains(text), "\(words): \(result)")
    }
  }

  @Test("a record is written to no file, pipe or link that another program has put there (S53)")
  func placesOfOthers() throws {
    let studio = try Studio(panel)
    let folder = studio.daemon.directory
    let elsewhere = folder.file("elsewhere")
    for (name, put) in [
      ("empty", { _ = try folder.write("empty", "") }),
      ("link", { symlink(elsewhere, folder.file("link")) }),
      ("pipe", { mkfifo(folder.file("pipe"), 0o666) }),
    ] as [(String, () throws -> Void)] {
      try put()
      let recorder = try RunningProgram(
        Command.tool, ["record", folder.file(name)],
        environment: ["TOUCHROUTE_SOCKET": studio.daemon.socket])
      for _ in 0..<3000 {
        guard recorder.isRunning && recorder.errors.isEmpty else { break }
        usleep(10_000)
      }
      #expect(recorder.errors.contains("\(name) is there already: name another file"))
      recorder.kill()
    }
    #expect(!FileManager.default.fileExists(atPath: elsewhere))
    #expect(try String(contentsOfFile: folder.file("empty"), encoding: .utf8).isEmpty)
  }

  @Test("of views that are added in front of others a record has these alone (record.md)")
  func addedViews() throws {
    let studio = try Studio(panel)
    let home = try DaemonClient(studio.daemon.socket, name: "home")
    let attachment = try home.connection.attach(to: "home/toolbar")
    _ = try home.next(\.geometry)
    for turn in 0..<3 {
      _ = try home.connection.addViews(in: attachment) {
        for row in 0..<40 {
          Subview("row-\(turn)-\(row)", frame: Rect(x: 0, y: 0, width: 40, height: 9)) {
            Subview("icon", frame: Rect(x: 0, y: 0, width: 9, height: 9))
          }
        }
      }
      _ = try home.next(\.completion)
      try studio.wait { $0.contains("row-\(turn)-39/icon") }
    }
    let layouts = studio.text.split(separator: "\n").filter { $0.contains("\"event\":\"layout\"") }
    #expect(layouts.count == 3, "\(layouts)")
    // The next layout is made of the one before, as the daemon has it.
    #expect(layouts.allSatisfy { !$0.contains("\"whole\":true") }, "\(layouts)")
  }

  @Test("the quick reader of lines reads what the JSON decoder reads, and nothing else")
  func scanner() throws {
    let seed = Seeds.fresh()
    print("the quick reader of lines: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let encoder = JSONEncoder()
    for _ in 0..<2000 {
      encoder.outputFormatting = random.oneIn(2) ? [.sortedKeys, .withoutEscapingSlashes] : []
      let isFrame = random.oneIn(2)
      var text = String(
        decoding: isFrame
          ? try encoder.encode(Self.frame(&random)) : try encoder.encode(Self.gesture(&random)),
        as: UTF8.self)
      let hasEscapes = text.contains("\\")
      if random.oneIn(2) { text = text.replacing(",", with: ", ").replacing("\":", with: "\": ") }
      var line = [UInt8](text.utf8)
      #expect(try hasEscapes || Self.isScanned(line), "\(text)")
      let place = Int.random(in: 0..<line.count, using: &random)
      line[place] = .random(in: 0x20...0x7e, using: &random)
      #expect(throws: Never.self, "\(String(decoding: line, as: UTF8.self))") {
        _ = try Self.isScanned(line)
      }
    }
  }

  private static func frame(_ random: inout SeededGenerator) -> RecordedFrame {
    let touches = (0..<Int.random(in: 1...10, using: &random)).map { number in
      var touch = RecordedTouch(
        id: .random(in: 0...UInt64.max, using: &random), phase: random.pick(["moved", "began"]),
        at: [.random(in: -1e6...1e6, using: &random), Double(number), Double(number) / 256])
      guard random.oneIn(3) else { return touch }
      (touch.target, touch.taps, touch.flags) = ("a/b\u{e4}", number, ["injected", "secure"])
      (touch.cancel_reason, touch.discard_reason) = ("palm", "dark")
      touch.chain = [
        RecordedLink(
          path: "a", outcome: "delivered", attachment: .random(in: 0...9, using: &random), pid: 7,
          phases: random.oneIn(2) ? ["began"] : []),
        RecordedLink(path: "a", outcome: "no_client", attachment: nil, pid: nil, phases: []),
      ]
      return touch
    }
    return RecordedFrame(
      device: .random(in: 0...UInt32.max, using: &random), screen: 0,
      sequence: .random(in: 0...UInt64.max, using: &random), time_us: 5, touches: touches)
  }

  private static func gesture(_ random: inout SeededGenerator) -> RecordedGestureEvent {
    var event = RecordedGestureEvent(
      path: random.pick(["home#pages", "screen:panel#zoom"]), state: "failed",
      time_us: .random(in: 0...UInt64.max, using: &random))
    guard random.oneIn(2) else { return event }
    (event.kind, event.touch, event.pid) = ("pan", 8, 9)
    (event.cancel_reason, event.reason) = ("palm", "it moved, and must not")
    return event
  }

  /// Whether the quick reader reads a line.
  ///
  /// - Throws: What the JSON decoder has against such a line.
  private static func isScanned(_ line: [UInt8]) throws -> Bool {
    let scanned = (line + [0x0a]).withUnsafeBufferPointer { bytes in
      var scanner = LineScanner(UnsafeBufferPointer(rebasing: bytes.dropLast()))
      return scanner?.line()
    }
    switch scanned {
    case .frame(let frame):
      #expect(try JSONDecoder().decode(RecordedFrame.self, from: Data(line)) == frame)
    case .gesture(let event):
      #expect(try JSONDecoder().decode(RecordedGestureEvent.self, from: Data(line)) == event)
    default: return false
    }
    return true
  }
}
