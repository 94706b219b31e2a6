import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient

@Suite("touchroute metrics")
struct MetricsTests {
  /// A sample, as the parser of Prometheus's Python client has it.
  private struct Sample: Decodable {
    var family: String
    var type: String
    var unit: String
    var help: String
    var name: String
    var labels: [String: String]
    var value: Double?
  }

  /// Reads OpenMetrics strictly; another one than the writer's.
  private static let parser = """
    import json, math, sys
    from prometheus_client.openmetrics.parser import text_string_to_metric_families as families
    for family in families(open(sys.argv[1], newline="").read()):
        for sample in family.samples:
            print(json.dumps({"family": family.name, "type": family.type, "unit": family.unit,
                              "help": family.documentation, "name": sample.name,
                              "labels": sample.labels, "value": sample.value}))
    """

  private static func parsed(_ text: String) throws -> [Sample] {
    let directory = try TemporaryDirectory()
    let file = try directory.write("metrics", text)
    let result = try RunningProgram.run("/usr/bin/python3", "-c", parser, file)
    try #require(result.status == 0, "\(result.errors)\(text)")
    return try result.output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
    }
  }

  @Test("every counter of status is a metric, by the rules of OpenMetrics, as its parser reads it")
  func counters() throws {
    let house = try House()
    let program = try house.client("player", attachedTo: "home")
    house.finger(.down(20, 470), .move(30, 470), .up, .down(900, 20), .up)
    let result = try house.start("metrics").waitForEnd()
    #expect(result.status == 0 && result.errors == "", "\(result)")
    let samples = try Self.parsed(result.output)
    let json = try house.start("status", "--json").waitForEnd().output
    let status = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let counters = try #require(status?["counters"] as? [String: Int])
    #expect(counters.count == DaemonStatus.Counter.allCases.count)
    let totals = samples.filter { $0.type == "counter" && $0.labels["client"] == nil }
    for (word, count) in counters {
      let isDiscarded = word.hasPrefix("discarded_")
      let sample = totals.first { sample in
        isDiscarded
          ? "discarded_\(sample.labels["reason"] ?? "")" == word
          : sample.name.hasSuffix("_\(word)_total")
      }
      #expect(sample?.value == Double(count), "\(word)")
    }
    #expect(totals.count == counters.count)
    let total = totals.first { $0.name == "touchroute_touches_delivered_total" }
    #expect(total?.value == 1 && total?.help == "Touches that a program got.")
    withExtendedLifetime(program) {}
  }

  @Test("the latencies are a histogram of seconds, whose last bucket counts every frame")
  func latencies() throws {
    let house = try House()
    let program = try house.client(attachedTo: "home")
    house.finger(.down(20, 470), .move(30, 470), .up)
    let samples = try Self.parsed(try house.start("metrics").waitForEnd().output)
    let buckets = samples.filter { $0.name == "touchroute_latency_seconds_bucket" }
    #expect(buckets.allSatisfy { $0.type == "histogram" && $0.unit == "seconds" })
    let bounds = buckets.compactMap { $0.labels["le"].flatMap(Double.init) }
    #expect(bounds.count == 24 && bounds.first == 0.000_001 && bounds.last == .infinity)
    #expect(bounds == bounds.sorted() && bounds[10] == 0.001024)
    #expect(buckets.last?.value == 3)
    withExtendedLifetime(program) {}
  }

  @Test("each program and each touchscreen has its numbers, and a place of a touch is in none (F7)")
  func labels() throws {
    let house = try House(
      panel + "[[window]]\nname = \"pin\"\nlevel = 3\nsecure = true\nframe = [300, 300, 80, 60]\n")
    let program = try house.client("player", attachedTo: "pin")
    house.finger(.down(333.125, 323.375))
    let text = try house.start("metrics").waitForEnd().output
    let samples = try Self.parsed(text)
    let own = samples.filter { $0.labels["program"] == "player" }
    #expect(own.allSatisfy { $0.labels["pid"] == "\(getpid())" && $0.labels["uid"] != nil })
    let values = Dictionary(own.map { ($0.name, $0.value) }, uniquingKeysWith: { a, _ in a })
    #expect(values["touchroute_program_live_touches"] == 1)
    #expect(values["touchroute_program_held_responders"] == 1)
    #expect(values["touchroute_program_unresponsive"] == 0)
    let device = try #require(samples.first { $0.name == "touchroute_device_ignored" })
    #expect(device.labels["name"] == "Goodix" && device.labels["node"] == "/dev/input/event7")
    #expect(samples.filter { $0.name == "touchroute_device_ignored" }.map(\.value) == [0, 1])
    #expect(samples.first { $0.name == "touchroute_devices" }?.value == 1)
    #expect(!text.contains("pin") && !text.contains("323.375"))
    withExtendedLifetime(program) {}
  }

  @Test("each touchscreen has what its filters did, and what is wrong with it (N1, N10)")
  func findings() throws {
    let house = try House()
    house.spoil(ghosts: 12)
    let samples = try Self.parsed(try house.start("metrics").waitForEnd().output)
    let filtered = samples.filter { $0.name == "touchroute_device_filtered_total" }
    #expect(filtered.map(\.value) == [12] && filtered[0].labels["filter"] == "ghost")
    let ill = samples.filter { $0.name == "touchroute_device_fault" && $0.value == 1 }
    #expect(ill.map { $0.labels["fault"] } == ["silent"] && ill[0].labels["name"] == "Goodix")
  }

  @Test("a program's name breaks no line and no label, whatever is in it (F4)")
  func hostileName() throws {
    let house = try House()
    // Behind each of them a mark that makes one character of both.
    let name = "a\"} 1 \\n\\" + "\"\u{301},program=\"\u{301}\\\u{301}"
    let program = try house.client(name, attachedTo: "home")
    let text = try house.start("metrics").waitForEnd().output
    let own = try Self.parsed(text).filter { $0.labels["program"] != nil }
    #expect(!own.isEmpty && own.allSatisfy { $0.labels["program"] == name })
    withExtendedLifetime(program) {}
    // A daemon that lets any name through.
    let daemon = try HostileDaemon(.describes)
    let result = try Command.run(["metrics"], environment: ["TOUCHROUTE_SOCKET": daemon.path])
    #expect(result.status == 0 && HostileDaemon.isHarmless(result.output), "\(result)")
    #expect(try Self.parsed(result.output).contains { $0.labels["program"] != nil })
  }

  @Test("--output replaces a file as a whole, readable as the umask says, and leaves nothing else")
  func file() throws {
    let house = try House()
    let path = try house.directory.write("out/touchroute.prom", "of before")
    let result = try house.start("metrics", "--output", path).waitForEnd()
    #expect(result == .init(status: 0, output: "", errors: ""))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasSuffix("# EOF\n"))
    #expect(try !Self.parsed(text).isEmpty)
    let folder = house.directory.file("out")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["touchroute.prom"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    let mask = umask(0)
    umask(mask)
    #expect(mode == 0o666 & ~Int(mask))
  }

  @Test("--output writes to a pipe, a device and what a link leads to, and replaces none of them")
  func special() throws {
    let house = try House()
    let file = try house.directory.write("file", "of before")
    let (link, pipe) = (house.directory.file("link"), house.directory.file("pipe"))
    try #require(symlink(file, link) == 0 && mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    for path in [link, pipe, "/dev/null", "/dev/stdout"] {
      let result = try house.start("metrics", "--output", path).waitForEnd()
      #expect(result.status == 0 && result.errors == "", "\(path): \(result)")
      #expect(result.output.hasSuffix("# EOF\n") == (path == "/dev/stdout"))
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("# EOF\n"))
    func kind(_ path: String) -> UInt32 {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
    #expect(kind(link) == S_IFLNK && kind(pipe) == S_IFIFO && kind("/dev/null") == S_IFCHR)
  }

  @Test("a file that can't be written is named, and what was there stays")
  func refusedFile() throws {
    let house = try House()
    let folder = house.directory.file("folder")
    for (path, reason) in [
      ("\(folder)/a.prom", "No such file or directory"), (folder, "Is a directory"),
    ] {
      if reason == "Is a directory" { try house.directory.write("folder/kept", "kept") }
      let result = try house.start("metrics", "--output", path).waitForEnd()
      #expect(result.status == 1 && result.output == "")
      #expect(result.errors == "touchroute: \(path) can't be written: \(reason)\n")
    }
    let kept = try FileManager.default.contentsOfDirectory(atPath: house.directory.url.path)
    #expect(!kept.contains { $0.hasPrefix("folder.") }, "\(kept)")
  }

  @Test("the alerts of docs/integrating.md speak of metrics and labels that there are")
  func alerts() throws {
    let page = try String(
      contentsOf: Repository.root.appending(path: "docs/integrating.md"), encoding: .utf8)
    let start = try #require(page.range(of: "```yaml\ngroups:\n"))
    let end = try #require(page[start.upperBound...].range(of: "```"))
    let rules = page[start.upperBound..<end.lowerBound]
    let house = try House()
    let program = try house.client(attachedTo: "home")
    let samples = try Self.parsed(try house.start("metrics").waitForEnd().output)
    let names = Set(rules.matches(of: #/touchroute_\w+/#).map { String($0.output) })
    #expect(names.count >= 5)
    for name in names { #expect(samples.contains { $0.name == name }, "\(name)") }
    let labels = Set(samples.flatMap(\.labels.keys))
    for match in rules.matches(of: #/\$labels\.(\w+)/#) {
      #expect(labels.contains(String(match.output.1)), "\(match.output.1)")
    }
    withExtendedLifetime(program) {}
  }
}
