/// What came of touches since the latest expectations: what programs got, what recognizers came to,
/// and what feedback was given.
package struct Happenings {
  /// One phase or state, and when it came, in milliseconds.
  struct Event {
    let word: String
    let reason: String?
    let time: Double
  }

  /// What one program got of one touch.
  struct Touch {
    let id: UInt64
    let path: String
    fileprivate(set) var events: [Event] = []
  }

  /// What a recognizer came to, once.
  struct Gesture {
    let path: String
    let kind: String
    fileprivate(set) var events: [Event] = []

    /// Whether it has recognized, or goes on since before.
    var isRecognized: Bool { events.contains { $0.word == "recognized" || $0.word == "began" } }

    fileprivate var isOver: Bool { events.last.map { $0.word != "began" } ?? false }
  }

  /// Feedback that was given. Rule D10.
  struct Feedback {
    let name: String
    /// The view or recognizer; nil of a secure view.
    let target: String?
    let time: Double
  }

  /// In the order in which programs got something first.
  private(set) var touches: [Touch] = []
  /// In the order in which they came to something first.
  private(set) var gestures: [Gesture] = []
  /// In the order in which it was given.
  private(set) var feedbacks: [Feedback] = []

  /// Nothing.
  package init() {}

  /// A program gets a phase of a touch. Moves in a row are one.
  package mutating func touch(
    _ id: UInt64, _ phase: String, reason: String?, at path: String, time: Double
  ) {
    var index = touches.firstIndex { $0.id == id && $0.path == path }
    if index == nil {
      index = touches.count
      touches.append(Touch(id: id, path: path))
    }
    guard let index else { return }
    if phase == "moved", touches[index].events.last?.word == "moved" { return }
    touches[index].events.append(Event(word: phase, reason: reason, time: time))
  }

  /// A recognizer comes to a state. That its values change is left out: observers are not told.
  package mutating func gesture(
    _ path: String, kind: String, _ state: String, reason: String?, time: Double
  ) {
    guard state != "changed" else { return }
    let event = Event(word: state, reason: reason, time: time)
    if let index = gestures.lastIndex(where: { $0.path == path }), !gestures[index].isOver {
      gestures[index].events.append(event)
    } else {
      gestures.append(Gesture(path: path, kind: kind, events: [event]))
    }
  }

  /// Feedback is given.
  package mutating func feedback(_ name: String, of target: String?, time: Double) {
    feedbacks.append(Feedback(name: name, target: target, time: time))
  }

  /// All of it in a line.
  package var summary: String {
    let got = touches.map { "\($0.path) got \(Self.words($0.events))" }
    let recognized = gestures.map { "\($0.path) \(Self.words($0.events))" }
    let given = feedbacks.map {
      "feedback \($0.name)" + ($0.target.map { " at \($0)" } ?? " of a secure view")
    }
    let all = got + recognized + given
    return all.isEmpty ? "nothing came of them" : all.joined(separator: "; ")
  }

  private static func words(_ events: [Event]) -> String {
    events.map { $0.word + ($0.reason.map { " \($0)" } ?? "") }.joined(separator: ", ")
  }
}
