import Foundation
import TestSupport

/// Which worlds are run: `TOUCHROUTE_SIMULATE_SEED` the one of that seed,
/// `TOUCHROUTE_SIMULATE_FIRST`, `TOUCHROUTE_SIMULATE_WORLDS` and `TOUCHROUTE_SIMULATE_STEPS` from
/// which seed, how many of each kind and how long, `TOUCHROUTE_SIMULATE_SECONDS` as many as there
/// is time for (`scripts/soak`), one kind after another, `TOUCHROUTE_SIMULATE_KIND` of which kind
/// alone, and `TOUCHROUTE_SIMULATE_SCRIPT` names a file with a seed and steps as a failure prints
/// them, for a world of touches or of screens. Without a first seed one is drawn, and printed.
package struct SimulationSettings: Sendable {
  /// What a world is about.
  package enum Kind: String, CaseIterable, Sendable { case touches, screens, gestures }

  /// How many parts there are, each with a share of the worlds, for as many threads.
  package static let parts = 8
  /// When the first of the parts began: of more parts than processors, some come later.
  private static let start = ContinuousClock.now
  /// The first seed where none is given: another one in each process.
  private static let drawn: UInt64 = {
    let seed = UInt64.random(in: 0..<1 << 48)
    print("the simulator's worlds begin with seed \(seed)")
    fflush(nil)
    return seed
  }()

  /// The steps of one world, from a file.
  struct Script: Sendable {
    let seed: UInt64
    let kind: Kind
    let steps: [Step]
  }

  let script: Script?
  let seed: UInt64?
  let steps: Int
  /// The kind that is run; nil for all.
  private let kind: Kind?
  private let worlds: Int
  /// Nil where it is drawn.
  private let first: UInt64?
  private let seconds: Int?

  private static let prefix = "TOUCHROUTE_SIMULATE_"
  private static let names = [
    "SCRIPT", "SEED", "STEPS", "WORLDS", "FIRST", "SECONDS", "KIND",
  ]

  /// The settings of an environment.
  ///
  /// - Throws: in words, which of them says nothing that makes sense.
  package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    func number<Number: FixedWidthInteger>(_ name: String) throws -> Number? {
      guard let text = environment[Self.prefix + name] else { return nil }
      guard let number = Number(text), number >= 0 else {
        throw Missing(
          "\(Self.prefix)\(name) is \"\(text)\": it must be a whole number, 0 to \(Number.max)")
      }
      return number
    }
    for name in environment.keys.sorted() where name.hasPrefix(Self.prefix) {
      guard !Self.names.contains(String(name.dropFirst(Self.prefix.count))) else { continue }
      let known = Self.names.map { Self.prefix + $0 }.joined(separator: ", ")
      throw Missing("there is no setting \(name); there are \(known)")
    }
    script = try environment[Self.prefix + "SCRIPT"].map(Script.init(path:))
    seed = try number("SEED")
    steps = try number("STEPS") ?? 500
    worlds = try number("WORLDS") ?? 1000
    first = try number("FIRST")
    seconds = try number("SECONDS")
    kind = try environment[Self.prefix + "KIND"].map { text in
      guard let kind = Kind(rawValue: text) else {
        throw Missing("\(Self.prefix)KIND is \"\(text)\": it must be touches, screens or gestures")
      }
      return kind
    }
    if script != nil, seed != nil {
      throw Missing("\(Self.prefix)SCRIPT and \(Self.prefix)SEED both name a world: set one")
    }
  }

  /// Calls `body` with the seed of each world of a part: those that once failed, then others.
  ///
  /// - Parameter kind: Of which there are none where another kind is asked for.
  func forEachSeed(of part: Int, _ kind: Kind, _ body: (UInt64) throws -> Void) rethrows {
    guard self.kind == nil || self.kind == kind else { return }
    if let seed { return part == 0 ? try body(seed) : () }
    if script != nil { return }
    for (index, seed) in kind.onceFailed.enumerated() where index % Self.parts == part {
      try body(seed)
    }
    let first = first ?? Self.drawn
    let deadline = deadline(of: kind)
    var number = part
    while deadline.map({ ContinuousClock.now < $0 }) ?? (number < worlds) {
      try body(first &+ UInt64(number))
      number += Self.parts
    }
  }

  /// When the time of a kind is over; nil where worlds are counted.
  private func deadline(of kind: Kind) -> ContinuousClock.Instant? {
    guard let seconds else { return nil }
    let kinds = self.kind.map { [$0] } ?? Kind.allCases
    let place = kinds.firstIndex(of: kind) ?? 0
    return Self.start + .seconds(seconds) * (place + 1) / kinds.count
  }
}

extension SimulationSettings.Kind {
  /// What runs the world of a seed again.
  func command(for seed: UInt64) -> String { "scripts/soak --world \(self) \(seed)" }

  /// Says on standard error that a world fails, before what the failure does not need is left out,
  /// which may take minutes.
  func tellOfFailure(of seed: UInt64) {
    let text = "world \(seed) of \(self) fails; it is being shortened: \(command(for: seed))\n"
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

extension SimulationSettings.Script {
  /// A line with a seed, and one for each step; `#` begins a comment.
  fileprivate init(path: String) throws {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Missing("the script \(path) can't be read: is it there, a file, and yours to read?")
    }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { (number: $0.offset + 1, text: $0.element.trimmingPrefix(while: \.isWhitespace)) }
      .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
    let head = lines.first?.text.split(separator: " ") ?? []
    guard (2...3).contains(head.count), head[0] == "seed", let seed = UInt64(head[1]),
      let kind = head.count == 2 ? .touches : SimulationSettings.Kind(rawValue: String(head[2])),
      kind != .gestures
    else {
      throw Missing(
        "\(path):\(lines.first?.number ?? 1): a script begins with \"seed NUMBER\", or "
          + "\"seed NUMBER screens\"")
    }
    self.seed = seed
    self.kind = kind
    steps = try lines.dropFirst().map { line in
      guard let step = Step(line.text) else {
        throw Missing("\(path):\(line.number): there is no step \"\(line.text)\"")
      }
      return step
    }
  }
}
