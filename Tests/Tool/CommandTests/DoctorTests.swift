import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("touchroute doctor")
struct DoctorTests {
  private static let recordings = Repository.root.appending(
    path: "Tests/Whole/DeviceTests/Recordings")

  /// A single-touch panel of 800 by 480 units, each contact of which bounces after 20 ms.
  private static var bouncing: String {
    var lines = [
      "N: Bad [Panel] \"7\"", "I: 0003 0eef 0001 0100", "A: 00 0 799 0 0 0", "A: 01 0 479 0 0 0",
    ]
    func report(_ time: Int, _ x: Int, isDown: Bool) {
      let stamp = "\(time / 1000).\(String(String(1_000_000 + time % 1000 * 1000).dropFirst()))"
      if isDown {
        lines += ["E: \(stamp) 0003 0000 \(x)", "E: \(stamp) 0003 0001 \(x / 2)"]
      }
      lines += ["E: \(stamp) 0001 014a \(isDown ? 1 : 0)", "E: \(stamp) 0000 0000 0"]
    }
    for number in 0..<12 {
      let (start, x) = (1_000 + number * 700, 50 + number * 37)
      report(start, x, isDown: true)
      report(start + 20, x, isDown: false)
      report(start + 30, x + 1, isDown: true)
      report(start + 90, x + 1, isDown: false)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let proposal = [
    "[[device]]", #"match = { name = "Bad \\[Panel\\] \"7\"", id = "0eef:0001" }"#,
    "bridge_ms = 25",
  ]

  private func doctor(
    _ options: String..., in directory: TemporaryDirectory
  ) throws -> Command.Result {
    try directory.write("touchroute.toml", panel)
    try directory.write("panel.events", Self.bouncing)
    return try Command.run(["doctor"] + options, in: directory.url)
  }

  @Test("a recording of a bad panel has its fault named, and a [[device]] that mends it (N2)")
  func replay() throws {
    let result = try doctor(
      "--replay", "panel.events", "--size", "800x480", in: TemporaryDirectory())
    #expect(result.status == 2 && result.errors == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(
      lines.first == #"Bad [Panel] "7" (0eef:0001): 24 contacts in 7.8 s, at most 1 at once"#)
    #expect(
      lines.contains(
        "  bounces       bad      of 24 contacts, 12 landed within 25 ms of where one was lifted: "
          + "one tap may arrive as two"))
    #expect(lines.filter { $0.contains("  bad  ") }.count == 1)
    #expect(Array(lines.suffix(3)) == Self.proposal)
    #expect(
      lines.contains("with this in the configuration, none of what a filter can mend is left:"))
  }

  @Test("--svg draws the strokes before and after the filters, and is well-formed (N2)")
  func svg() throws {
    let directory = try TemporaryDirectory()
    let result = try doctor(
      "--replay", "panel.events", "--size", "800x480", "--svg", "panel.svg", in: directory)
    #expect(result.status == 2 && result.output.hasSuffix("drawn into panel.svg\n"))
    let file = directory.url.appending(path: "panel.svg")
    let picture = try String(contentsOf: file, encoding: .utf8)
    #expect(XMLParser(data: Data(picture.utf8)).parse())
    #expect(picture.contains(">as it was reported<"))
    // Of 24 contacts 12 are the rest of another one.
    let halves = picture.components(separatedBy: ">with the filters proposed<")
    #expect(halves.map { $0.components(separatedBy: "<circle ").count - 1 } == [24, 12])
    let refused = try doctor(
      "--replay", "panel.events", "--size", "800x480", "--svg", "none/panel.svg", in: directory)
    #expect(refused.status == 1)
    #expect(
      refused.errors
        == "touchroute: none/panel.svg can't be written: No such file or directory\n")
  }

  /// A finger that draws slow waves on the same panel, which trembles by some 2 points.
  private static var trembling: String {
    var lines = [
      "N: Bad panel", "I: 0003 0eef 0001 0100", "A: 00 0 799 0 0 0", "A: 01 0 479 0 0 0",
    ]
    var random = SeededGenerator(seed: 28)
    for number in 0..<400 {
      let x = 100 + number * 3 / 2
      // A wave of parabolas, in whole numbers: the same on every machine.
      let step = number % 100 - 50
      let height = (2_500 - step * step) / 30
      let y = 240 + (number / 100 % 2 == 0 ? height : -height)
      let stamp = "\(1 + number / 100).\(String(String(100 + number % 100).dropFirst()))0000"
      lines += [
        "E: \(stamp) 0003 0000 \(x + random.below(7) - 3)",
        "E: \(stamp) 0003 0001 \(y + random.below(7) - 3)",
      ]
      if number == 0 { lines.append("E: \(stamp) 0001 014a 1") }
      lines.append("E: \(stamp) 0000 0000 0")
    }
    lines += ["E: 5.000000 0001 014a 0", "E: 5.000000 0000 0000 0"]
    return lines.map { $0 + "\n" }.joined()
  }

  @Test("docs/bad-panel.svg is what --svg draws of a finger that trembles (N4)")
  func picture() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.events", Self.trembling)
    let result = try Command.run(
      ["doctor", "--replay", "panel.events", "--size", "800x480", "--svg", "panel.svg"],
      in: directory.url)
    #expect(result.status == 2 && result.output.contains("smooth = \"one_euro\""))
    let drawn = try String(contentsOf: directory.url.appending(path: "panel.svg"), encoding: .utf8)
    let shown = Repository.root.appending(path: "docs/bad-panel.svg")
    if ProcessInfo.processInfo.environment["TOUCHROUTE_DRAW"] != nil {
      try drawn.write(to: shown, atomically: true, encoding: .utf8)
    }
    #expect(
      try drawn == String(contentsOf: shown, encoding: .utf8),
      "set TOUCHROUTE_DRAW=yes for this test to draw it anew")
  }

  @Test("--write puts the proposal into conf.d once, where check finds nothing wrong with it")
  func write() throws {
    let directory = try TemporaryDirectory()
    let options = ["--replay", "panel.events", "--config", "touchroute.toml", "--write"]
    try directory.write("touchroute.toml", panel)
    try directory.write("panel.events", Self.bouncing)
    let result = try Command.run(["doctor"] + options, in: directory.url)
    #expect(result.status == 2)
    let file = "conf.d/doctor-bad-panel-7.toml"
    #expect(
      result.output.hasSuffix("written to \(file); touchroute reload puts it in force\n"))
    let text = try String(contentsOf: directory.url.appending(path: file), encoding: .utf8)
    #expect(
      text == (["# Proposed by touchroute doctor."] + Self.proposal).map { $0 + "\n" }.joined())
    let check = try Command.run(["check", "--config", "touchroute.toml"], in: directory.url)
    #expect(check.status == 0 && check.errors == "", "\(check.errors)")
    let again = try Command.run(["doctor"] + options, in: directory.url)
    #expect(again.status == 1)
    #expect(again.errors.contains("not written: [[device]] number 1 of the configuration matches"))
  }

  @Test("--json has every verdict, and the proposal line by line")
  func json() throws {
    let result = try doctor(
      "--replay", "panel.events", "--config", "touchroute.toml", "--json", in: TemporaryDirectory())
    #expect(result.status == 2)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["proposal"] as? [String] == Self.proposal)
    #expect(object["id"] as? String == "0eef:0001")
    #expect((object["remaining"] as? [String])?.isEmpty == true)
    let verdicts = try #require(object["verdicts"] as? [[String: String]])
    let bad = verdicts.filter { $0["verdict"] == "bad" }.compactMap { $0["fault"] }
    #expect(bad == ["bounces"] && verdicts.count > 10)
  }

  @Test("of a good panel's recording it proposes nothing; a description apart is read too")
  func good() throws {
    let folder = Self.recordings.path
    let result = try doctor(
      "--replay", "\(folder)/QUANTA OpticalTouchScreen.touch-on-left.events", "--description",
      "\(folder)/QUANTA OpticalTouchScreen.desc", "--config", "touchroute.toml",
      in: TemporaryDirectory())
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("nothing is wrong with it"))
    #expect(!result.output.contains("[[device]]"))
  }

  @Test("what can't be examined is refused, by file and line")
  func refused() throws {
    let directory = try TemporaryDirectory()
    try directory.write("bad.events", "N: Panel\nE: 1.000000 0003 zz 1\n")
    try directory.write("keys.events", "E: 1.000000 0001 001e 1\nE: 1.000000 0000 0000 0\n")
    func errors(_ options: String...) throws -> String {
      let result = try Command.run(["doctor"] + options, in: directory.url)
      #expect(result.status == 1)
      return result.errors
    }
    #expect(
      try errors("--replay", "bad.events", "--size", "800x480")
        == "touchroute: bad.events:2:1: it must be E: SECONDS TYPE CODE VALUE\n")
    #expect(
      try errors("--replay", "keys.events", "--size", "800x480").hasPrefix(
        "touchroute: keys.events: no touchscreen has reported a contact in it"))
    #expect(
      try errors("--replay", "none.events", "--size", "800x480").contains("can't be opened"))
    let usage = try Command.run(["doctor", "--size", "800"], in: directory.url)
    #expect(usage.status == 64 && usage.errors.contains("--size must be WIDTHxHEIGHT"))
  }
}
