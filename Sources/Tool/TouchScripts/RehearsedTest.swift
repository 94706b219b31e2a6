package import Configuration
import Gestures
import Layout

/// A script of `touchroute test` without a daemon: its touches through a ``Rehearsal``, and what
/// came of them held against its `expect` lines.
package struct RehearsedTest {
  private let script: InjectScript
  private let configuration: Configuration

  /// A test whose script speaks of what there is in the configuration.
  ///
  /// - Throws: an error that names the line of what there is not.
  package init(_ script: InjectScript, _ configuration: Configuration) throws(ScriptError) {
    self.script = script
    self.configuration = configuration
    try script.requirePrograms(in: configuration.layout)
    for case (let line, .expect(let expectation)) in script.steps {
      try script.naming(line) { () throws(ScriptError) in
        try expectation.requireNames(in: configuration)
      }
    }
  }

  /// Plays it; what was not as expected, a sentence each.
  package func failures() throws -> [String] {
    var played = PlayedScript(rehearsal: try script.rehearsal(configuration))
    return try script.check { line, step in
      do { try played.play(step) } catch let error as ScriptError {
        throw script.failure(error.sentence, at: line, word: error.word)
      }
    } settle: { expectations in
      played.settle(expectations.map(\.expectation))
    }
  }
}

extension InjectScript {
  /// A rehearsal with the programs that the script names.
  ///
  /// - Parameter panel: The touchscreen that plays; nil for one without filters.
  package func rehearsal(
    _ configuration: Configuration, on panel: Rehearsal.Panel? = nil
  ) throws -> Rehearsal {
    try requirePrograms(in: configuration.layout)
    return try Rehearsal(configuration, programs: programs.map(\.path), on: panel)
  }

  fileprivate func requirePrograms(in layout: Layout) throws(ScriptError) {
    for (line, path) in programs {
      try naming(line) { () throws(ScriptError) in try layout.requireResponder(path, word: 1) }
    }
  }
}

/// What has come of a script's touches until now.
private struct PlayedScript {
  let rehearsal: Rehearsal
  private var happenings = Happenings()
  /// When the latest frame was played, in milliseconds.
  private var start = 0.0

  init(rehearsal: Rehearsal) { self.rehearsal = rehearsal }

  mutating func play(_ step: InjectScript.Step) throws {
    take(try rehearsal.play(step))
    if case .frame = step { start = rehearsal.time }
  }

  /// Lets come what the expectations wait for: with fingers down no more than their limits allow,
  /// else all that can come.
  mutating func settle(_ expectations: [Expectation]) -> (happenings: Happenings, start: Double) {
    defer { happenings = Happenings() }
    let allowed = start + (expectations.compactMap(\.limit).max() ?? 0)
    let limit = rehearsal.hasFingers ? max(rehearsal.time, allowed) : .infinity
    while let lines = rehearsal.goOn(until: limit) { take(lines) }
    return (happenings, start)
  }

  private mutating func take(_ lines: [RehearsedLine]) {
    for line in lines {
      let reason = line.cancel_reason
      if let touch = line.touch, let phase = line.phase, let program = line.program {
        happenings.touch(touch, phase, reason: reason, at: program, time: line.at_ms)
      } else if let name = line.feedback {
        happenings.feedback(name, of: line.target, time: line.at_ms)
      } else if let path = line.path {
        happenings.gesture(
          path, kind: rehearsal.kind(of: path), line.state ?? "failed", reason: reason,
          time: line.at_ms)
      }
    }
  }
}

extension Expectation {
  /// Refuses what a configuration does not have.
  fileprivate func requireNames(in configuration: Configuration) throws(ScriptError) {
    try requireNames(
      responders: { configuration.layout.responder(at: $0) != nil },
      recognizers: configuration.gestures.map { ($0.path, $0.description.kind.name) }
    ) { configuration.layout.nearestPath(to: $0) }
  }
}
