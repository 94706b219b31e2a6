import Configuration
import FoundationEssentials
import Glibc
import Measuring
import TouchModel
import TouchScripts

/// The record of a day of use, made of a seed: touches on several views, recognizers of every kind,
/// programs that decline touches and that start again, layouts that change.
///
/// What comes of the touches says the daemon's own pipeline, as it does when the record is played.
final class Day {
  /// The files that it is written to.
  static let record = "day.jsonl"
  /// The layout that it is recorded with.
  static let layout = "day.toml"
  /// A layout in which a button is elsewhere, and a list scrolls later.
  static let otherLayout = "other.toml"

  private let touches: Int
  private var fingers: DayFingers
  private var random: SeededGenerator
  private var time: UInt64 = 1_000_000
  private var generation: UInt64 = 1
  private var clients: UInt32 = 0
  /// Who holds what: the client and the attachment.
  private var programs: [String: (client: UInt32, attachment: UInt32)] = [:]
  /// The touches that are over.
  private var ended: Set<UInt64> = []
  private let encoder = JSONEncoder()

  init(touches: Int, seed: UInt64) {
    self.touches = touches
    random = SeededGenerator(state: seed)
    fingers = DayFingers(SeededGenerator(state: ~seed))
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Writes the record and both layouts to a folder.
  func write(to folder: String) throws {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw BenchError("\(folder) can't be made: \(String(cString: strerror(errno)))")
    }
    let layout = "\(folder)/\(Self.layout)"
    for (name, text) in [
      (Self.layout, DayLayout.text), (Self.otherLayout, DayLayout.otherText),
    ] {
      let file = try WrittenLines("\(folder)/\(name)")
      try file.add(Data(text.utf8))
      try file.close()
    }
    let file = try WrittenLines("\(folder)/\(Self.record)")
    let configuration = try Configuration.load(files: [layout])
    let header = Data(DayLayout.header(at: time).utf8)
    let player = try RecordPlayer(
      configuration, JSONDecoder().decode(RecordHeader.self, from: header),
      JSONDecoder().decode(RecordedLayout.self, from: header))
    try file.add(header)
    for path in DayLayout.programs { try start(path, player, file) }
    var next = touches / 20
    while fingers.count < touches {
      for frame in fingers.action(from: &time) { try play(frame, player, file) }
      guard fingers.count >= next else { continue }
      next += touches / 20 + 1
      try changeLayout(player, file)
      try restart(DayLayout.programs[Int(random.next() % 3)], player, file)
    }
    for line in player.finish() { try add(line, to: file) }
    try file.close()
  }

  // MARK: - What happens

  private func start(
    _ path: String, _ player: RecordPlayer, _ file: WrittenLines
  ) throws {
    clients += 1
    var line = RecordedAttachment(
      time_us: time, attachment: clients, client: clients, name: "program of \(path)", path: path,
      handles: .all, passes: [], gestures: true)
    line.pid = Self.pid(of: clients)
    programs[path] = (clients, clients)
    try add(.attached(line), to: file)
    for result in try player.play(.attached(line)) { try add(result, to: file) }
  }

  private static func pid(of client: UInt32) -> Int32 { 1000 + Int32(client) }

  /// A program ends, and is started again.
  private func restart(_ path: String, _ player: RecordPlayer, _ file: WrittenLines) throws {
    guard let (client, _) = programs[path] else { return }
    time += 50_000
    var gone = RecordedEvent(event: "gone", time_us: time)
    (gone.client, gone.pid) = (client, Self.pid(of: client))
    try add(.event(gone), to: file)
    for result in try player.play(.event(gone)) { try add(result, to: file) }
    time += 400_000
    try start(path, player, file)
  }

  /// The menu is moved, or is where the configuration has it.
  private func changeLayout(_ player: RecordPlayer, _ file: WrittenLines) throws {
    time += 100_000
    generation += 1
    let line = Data(DayLayout.change(generation, at: time).utf8)
    try file.add(line)
    let layout = try JSONDecoder().decode(RecordedLayout.self, from: line)
    for result in try player.play(.layout(layout)) { try add(result, to: file) }
  }

  private func play(
    _ frame: RecordedFrame, _ player: RecordPlayer, _ file: WrittenLines
  ) throws {
    let results = try player.play(.frame(frame))
    note(results)
    // A recognizer may hold back the end of a touch (G10).
    for touch in frame.touches where touch.phase == "ended" && !ended.contains(touch.id) {
      var lifted = RecordedEvent(event: "lifted", time_us: frame.time_us)
      lifted.touch = touch.id
      try add(.event(lifted), to: file)
    }
    for result in results { try add(result, to: file) }
    for touch in frame.touches where touch.phase == "began" && touch.id % 97 == 0 {
      try decline(touch.id, of: results, player, file)
    }
  }

  /// The program that gets a touch does not want it.
  private func decline(
    _ touch: UInt64, of results: [RecordLine], _ player: RecordPlayer, _ file: WrittenLines
  ) throws {
    let links = results.flatMap { line -> [RecordedLink] in
      guard case .frame(let frame) = line else { return [] }
      return frame.touches.first { $0.id == touch }?.chain ?? []
    }
    guard let attachment = links.first(where: { $0.phases != nil })?.attachment else { return }
    var line = RecordedEvent(event: "declined", time_us: time)
    (line.touch, line.attachment, line.client) = (touch, attachment, attachment)
    line.pid = Self.pid(of: attachment)
    try add(.event(line), to: file)
    let results = try player.play(.event(line))
    note(results)
    for result in results { try add(result, to: file) }
  }

  private func note(_ results: [RecordLine]) {
    for case .frame(let frame) in results {
      for touch in frame.touches where touch.phase == "ended" || touch.phase == "cancelled" {
        ended.insert(touch.id)
      }
    }
    if ended.count > 1000 { ended = ended.filter { $0 + 500 > fingers.count } }
  }

  // MARK: - Lines

  private func add(_ line: RecordLine, to file: WrittenLines) throws {
    switch line {
    case .frame(var frame):
      for index in frame.touches.indices {
        guard let chain = frame.touches[index].chain else { continue }
        frame.touches[index].chain = chain.map { link in
          var link = link
          link.pid = link.attachment.map(Self.pid)
          return link
        }
      }
      try file.add(encoder.encode(frame))
    case .gesture(var event):
      event.kind = DayLayout.kinds[event.path]
      try file.add(encoder.encode(event))
    case .attached(let item): try file.add(encoder.encode(item))
    case .event(let event): try file.add(encoder.encode(event))
    case .header, .layout: break
    }
  }
}

/// A file of lines.
private final class WrittenLines {
  private let path: String
  private let stream: UnsafeMutablePointer<FILE>

  init(_ path: String) throws {
    self.path = path
    guard let stream = fopen(path, "we") else {
      throw BenchError("\(path) can't be written: \(String(cString: strerror(errno)))")
    }
    self.stream = stream
  }

  func add(_ line: Data) throws {
    let count = line.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard count == line.count, putc(0x0a, stream) >= 0 else { throw failure }
  }

  func close() throws { guard fclose(stream) == 0 else { throw failure } }

  private var failure: BenchError {
    BenchError("\(path) can't be written any further: \(String(cString: strerror(errno)))")
  }
}
