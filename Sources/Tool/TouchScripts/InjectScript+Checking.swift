import Layout

extension InjectScript {
  /// Has somebody play the steps, and holds against the `expect` lines what has come of them.
  ///
  /// - Parameters:
  ///   - play: plays a step that is none of these.
  ///   - settle: waits for what they expect; what has come since the latest ones, and when the
  ///     latest frame was played, in milliseconds.
  /// - Returns: what was not as expected, a sentence each.
  package func check(
    _ play: (Line, Step) throws -> Void,
    settle: ([Expected]) throws -> (happenings: Happenings, start: Double)
  ) throws -> [String] {
    var failures: [String] = []
    var next = 0
    while next < steps.count {
      let expected = expected(from: next)
      guard !expected.isEmpty else {
        try play(steps[next].line, steps[next].step)
        next += 1
        continue
      }
      let (happenings, start) = try settle(expected)
      for (line, expectation) in expected {
        if let lack = expectation.lack(in: happenings, since: start) {
          failures.append(failure(lack, at: line).sentence)
        }
      }
      next += expected.count
    }
    return failures
  }

  /// An `expect` line.
  package typealias Expected = (line: Line, expectation: Expectation)

  /// The `expect` lines, with no other step between them, from a step on.
  private func expected(from first: Int) -> [Expected] {
    var found: [Expected] = []
    for (line, step) in steps[first...] {
      guard case .expect(let expectation) = step else { break }
      found.append((line, expectation))
    }
    return found
  }

  /// Whether it expects something of feedback.
  package var expectsFeedback: Bool {
    steps.contains { step in
      guard case .expect(let expectation) = step.step else { return false }
      switch expectation.subject {
      case .feedback, .noFeedback: return true
      case .touches, .nothing, .gesture, .noGesture, .nobody: return false
      }
    }
  }

  /// Whether it has an `expect` line.
  package var hasExpectations: Bool { steps.indices.contains { !expected(from: $0).isEmpty } }

  /// Does something for a line, which its error then names.
  package func naming(
    _ line: Line, _ body: () throws(ScriptError) -> Void
  ) throws(ScriptError) {
    do throws(ScriptError) { try body() } catch {
      throw failure(error.sentence, at: line, word: error.word)
    }
  }
}

extension Expectation {
  /// What is not as expected, and what came instead; nil where all is.
  fileprivate func lack(in happenings: Happenings, since start: Double) -> String? {
    switch verdict(on: happenings, since: start) {
    case .met: nil
    case .late(let delay):
      "\(text): it came after \(RehearsedLine.plain(delay)) ms; \(happenings.summary)"
    case .unmet: "\(text): \(happenings.summary)"
    }
  }

  /// Refuses paths and recognizers that there are not.
  ///
  /// - Parameters:
  ///   - responders: whether there is a responder at a path.
  ///   - recognizers: their paths and kinds.
  ///   - nearest: the path of a responder that may be meant.
  package func requireNames(
    responders: (String) -> Bool, recognizers: [(path: String, kind: String)],
    nearest: (String) -> String?
  ) throws(ScriptError) {
    switch subject {
    case .noGesture, .nobody, .noFeedback, .feedback(_, nil): return
    case .touches(let path, _), .nothing(let path):
      guard !responders(path) else { return }
      let hint = nearest(path).map { "; did you mean \"\($0)\"?" } ?? ""
      throw ScriptError("there is no responder \"\(path)\"\(hint)", word: 1)
    case .gesture(let recognizer, _):
      let isThere = recognizers.contains { recognizer.matches(path: $0.path, kind: $0.kind) }
      if !isThere { throw recognizer.unknown(among: recognizers) }
    case .feedback(_, let target?):
      guard !responders(target), !recognizers.contains(where: { $0.path == target }) else { return }
      let near =
        NearestName.nearest(to: target, among: recognizers.map(\.path)) ?? nearest(target)
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
      throw ScriptError("there is no view or recognizer \"\(target)\"\(hint)", word: 4)
    }
  }
}

extension ExpectedRecognizer {
  fileprivate func unknown(among recognizers: [(path: String, kind: String)]) -> ScriptError {
    let own = recognizers.filter { $0.path.hasPrefix("\(owner)#") }
    if let name {
      let path = "\(owner)#\(name)"
      let near = NearestName.nearest(to: path, among: recognizers.map(\.path))
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
      return ScriptError("there is no recognizer \"\(path)\"\(hint)", word: 2)
    }
    guard own.isEmpty else {
      let list = own.map { "\($0.path) (\($0.kind))" }.joined(separator: ", ")
      return ScriptError("\"\(owner)\" has no \(kind ?? ""); it has \(list)", word: 3)
    }
    let owners = Set(recognizers.map { String($0.path.prefix { $0 != "#" }) }).sorted()
    let near = NearestName.nearest(to: owner, among: owners)
    let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
    return ScriptError("\"\(owner)\" has no recognizer\(hint)", word: 2)
  }
}
