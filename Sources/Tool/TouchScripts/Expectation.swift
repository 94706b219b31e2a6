/// What must come of the touches before it: an `expect` line of a script of `touchroute test`.
package struct Expectation: Equatable {
  /// One thing that a program gets of a touch, or that a recognizer comes to.
  struct Event: Equatable {
    /// The phase of a touch, or the state of a gesture.
    let word: String
    /// With `cancelled`, why; nil for whatever reason.
    let reason: String?
  }

  /// Whom it is about, and what must come.
  enum Subject: Equatable {
    /// The program at that path gets these phases of each touch that it gets anything of.
    case touches(path: String, [Event])
    /// The program at that path gets nothing.
    case nothing(path: String)
    /// A recognizer comes to these states, or recognizes where there are none.
    case gesture(ExpectedRecognizer, [Event])
    /// No recognizer recognizes.
    case noGesture
    /// No program gets anything, and no recognizer recognizes.
    case nobody
    /// Feedback of that name is given, of that view or recognizer where one is named.
    case feedback(name: String, target: String?)
    /// No feedback is given.
    case noFeedback
  }

  let subject: Subject
  /// How long after the latest frame it may come at most, in milliseconds; nil for no limit.
  package let limit: Double?
  /// The line without what is about the file: one space between its words, and no comment.
  package let text: String

  /// Whether it says that something does not come, which no event can bring about.
  package var isNegative: Bool {
    switch subject {
    case .nothing, .noGesture, .nobody, .noFeedback: true
    case .touches, .gesture, .feedback: false
    }
  }
}

/// The recognizer that an expectation names.
struct ExpectedRecognizer: Equatable {
  /// The view that it belongs to, or `screen:NAME`.
  let owner: String
  /// Its name, if that is given.
  let name: String?
  /// Its kind, if that is given.
  let kind: String?

  func matches(path: String, kind: String) -> Bool {
    guard path.hasPrefix("\(owner)#") else { return false }
    return self.kind.map { $0 == kind } ?? (path == "\(owner)#\(name ?? "")")
  }
}

extension Expectation {
  /// What came of it.
  package enum Verdict: Equatable {
    case met
    /// It came, but so many milliseconds after the latest frame.
    case late(Double)
    case unmet
  }

  /// Judges what has come since the expectations before.
  ///
  /// - Parameter start: When the latest frame was played, in milliseconds.
  package func verdict(on happenings: Happenings, since start: Double) -> Verdict {
    switch subject {
    case .touches(let path, let events):
      let found = happenings.touches.filter { $0.path == path }
      guard !found.isEmpty, found.allSatisfy({ Self.areSame($0.events, events) }) else {
        return .unmet
      }
      return inTime(found.flatMap(\.events), start)
    case .gesture(let recognizer, let events):
      let found = happenings.gestures.filter { recognizer.matches(path: $0.path, kind: $0.kind) }
      let run = found.first { gesture in
        events.isEmpty ? gesture.isRecognized : Self.areSame(gesture.events, events)
      }
      guard let run else { return .unmet }
      return inTime(events.isEmpty ? Array(run.events.prefix(1)) : run.events, start)
    case .nothing(let path):
      return happenings.touches.contains { $0.path == path } ? .unmet : .met
    case .noGesture: return happenings.gestures.contains(where: \.isRecognized) ? .unmet : .met
    case .nobody:
      let isNobody =
        happenings.touches.isEmpty && !happenings.gestures.contains(where: \.isRecognized)
      return isNobody ? .met : .unmet
    case .feedback(let name, let target):
      let found = happenings.feedbacks.first {
        $0.name == name && (target == nil || $0.target == target)
      }
      guard let found else { return .unmet }
      return inTime([Happenings.Event(word: name, reason: nil, time: found.time)], start)
    case .noFeedback: return happenings.feedbacks.isEmpty ? .met : .unmet
    }
  }

  private func inTime(_ events: [Happenings.Event], _ start: Double) -> Verdict {
    let latest = events.map(\.time).max() ?? start
    guard let limit, latest - start > limit else { return .met }
    return .late(latest - start)
  }

  /// Whether the events are those that are wanted, moves left out unless they are wanted.
  private static func areSame(_ events: [Happenings.Event], _ wanted: [Event]) -> Bool {
    let wantsMoves = wanted.contains { $0.word == "moved" }
    let compared = events.filter { wantsMoves || $0.word != "moved" }
    guard compared.count == wanted.count else { return false }
    return zip(compared, wanted).allSatisfy { event, wanted in
      event.word == wanted.word && (wanted.reason == nil || wanted.reason == event.reason)
    }
  }
}
