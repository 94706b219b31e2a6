import Gestures
import Routing
import TouchModel

/// What the pipeline says at one moment, for comparison with what the oracle says.
struct GestureMoment {
  struct Gesture {
    var program: Int
    var path: String
    var change: String
    /// Of a failure.
    var reason: String
    var time: Timestamp
    var values: GestureValues
  }

  enum Entry {
    case gesture(Gesture)
    case record(OracleGestureRouter.Record)
  }

  private(set) var entries: [Entry] = []

  init(
    _ deliveries: Deliveries, _ clients: [ClientID], path: (RecognizerID) -> String
  ) {
    for entry in deliveries.entries {
      switch entry {
      case .gesture(let index):
        let gesture = deliveries.gestures[index]
        entries.append(.gesture(Self.gesture(gesture, clients, path: path)))
      case .frame(let frame):
        for index in frame.records {
          let record = deliveries.records[index]
          entries.append(
            .record(
              OracleGestureRouter.Record(
                program: clients.firstIndex(of: frame.client) ?? -1, touch: record.id,
                phase: record.phase, reason: record.cancelReason,
                isReplayed: record.flags.contains(.replayed), time: record.time,
                place: record.screenLocation)))
        }
      case .layout, .detached, .screen, .lock, .idle, .feedback: break
      }
    }
  }

  private static func gesture(
    _ gesture: Deliveries.Gesture, _ clients: [ClientID], path: (RecognizerID) -> String
  ) -> Gesture {
    let event = gesture.event
    var change = "\(event.change)"
    var reason = ""
    if case .cancelled(let why) = event.change { change = "cancelled \(why)" }
    if case .failed(let why) = event.change { (change, reason) = ("failed", why.text(path: path)) }
    return Gesture(
      program: clients.firstIndex(of: gesture.client) ?? -1, path: path(event.recognizer),
      change: change, reason: reason, time: event.time, values: event.values)
  }

  var gestures: [Gesture] {
    entries.compactMap { if case .gesture(let gesture) = $0 { gesture } else { nil } }
  }

  var records: [OracleGestureRouter.Record] {
    entries.compactMap { if case .record(let record) = $0 { record } else { nil } }
  }

  // MARK: Comparing

  /// What is otherwise than the oracle has it; nil where nothing is.
  func difference(
    from events: [OracleGestures.Event], _ records: [OracleGestureRouter.Record]
  ) -> String? {
    gestureDifference(from: events) ?? recordDifference(from: records) ?? disorder(events)
  }

  private func gestureDifference(from events: [OracleGestures.Event]) -> String? {
    let told = gestures.filter { $0.change != "failed" }
    let expected = events.filter { $0.change != "failed" }
    let failed = gestures.filter { $0.change == "failed" }
    let expectedFailed = events.filter { $0.change == "failed" }
    func text(_ gesture: Gesture) -> String {
      "\(gesture.path) \(gesture.change) \(gesture.reason)"
    }
    func text(_ event: OracleGestures.Event) -> String {
      "\(event.recognizer.gesture.path) \(event.change) \(event.reasons)"
    }
    let all = "told \(gestures.map(text)), the oracle has \(events.map(text))"
    guard
      told.map({ "\($0.path) \($0.change)" })
        == expected.map({ "\($0.recognizer.gesture.path) \($0.change)" })
    else { return "gestures: \(all)" }
    guard
      failed.map(\.path).sorted()
        == expectedFailed.map(\.recognizer.gesture.path).sorted()
    else { return "failures: \(all)" }
    for path in Set(failed.map(\.path)) {
      let reasons = failed.filter { $0.path == path }.map(\.reason)
      let allowed = expectedFailed.filter { $0.recognizer.gesture.path == path }.map(\.reasons)
      for (reason, words) in zip(reasons, allowed) where !words.contains(where: reason.contains) {
        return "reasons: \(all)"
      }
    }
    for (gesture, event) in zip(told, expected) {
      if gesture.time != event.time { return "time of \(text(gesture)): \(gesture.time)" }
      if gesture.program != event.receiver { return "receiver of \(text(gesture))" }
      if let values = difference(of: gesture.values, from: event.values) {
        return "\(text(gesture)): \(values)"
      }
    }
    return nil
  }

  private func difference(
    of values: GestureValues, from expected: OracleGestures.Values
  ) -> String? {
    func differ(_ left: Double, _ right: Double) -> Bool {
      !((left - right).magnitude <= 1e-6 * max(1, right.magnitude))
    }
    let pairs = [
      ("x", values.location.x, expected.location.x), ("y", values.location.y, expected.location.y),
      ("touches", Double(values.touches), Double(expected.touches)),
      ("translation x", values.translation.x, expected.translation.x),
      ("translation y", values.translation.y, expected.translation.y),
      ("velocity x", values.velocity.x, expected.velocity.x),
      ("velocity y", values.velocity.y, expected.velocity.y),
      ("scale", values.scale, expected.scale),
      ("scale velocity", values.scaleVelocity, expected.scaleVelocity),
      ("rotation", values.rotation, expected.rotation),
      ("rotation velocity", values.rotationVelocity, expected.rotationVelocity),
    ]
    let wrong = pairs.filter { differ($0.1, $0.2) }
    if wrong.isEmpty { return nil }
    return wrong.map { "\($0.0) is \($0.1), the oracle has \($0.2)" }.joined(separator: "; ")
  }

  /// Touches are compared each by itself and for each program, in the order of its own records.
  private func recordDifference(from expected: [OracleGestureRouter.Record]) -> String? {
    func text(_ record: OracleGestureRouter.Record) -> String {
      "\(record.program): \(record.phase) \(record.touch.rawValue)"
        + (record.reason.map { " \($0)" } ?? "") + (record.isReplayed ? " replayed" : "")
        + " at \(Double(record.time.microseconds) / 1000) (\(record.place.x), \(record.place.y))"
    }
    let told = records.filter { $0.phase != .stationary }
    struct Part: Hashable {
      var touch: TouchID
      var program: Int
    }
    func part(_ record: OracleGestureRouter.Record) -> Part {
      Part(touch: record.touch, program: record.program)
    }
    for one in Set((told + expected).map(part)) {
      let ours = told.filter { part($0) == one }
      let theirs = expected.filter { part($0) == one }
      if ours != theirs {
        return "touches: told \(ours.map(text)), the oracle has \(theirs.map(text))"
      }
    }
    return nil
  }

  /// What comes in the wrong order. Rules G5, G7, G9, G10 and G11.
  ///
  /// - Parameter events: What the oracle expects: the same, but for where failures stand.
  private func disorder(_ events: [OracleGestures.Event]) -> String? {
    let told = entries.indices.filter {
      if case .gesture(let gesture) = entries[$0] { gesture.change != "failed" } else { false }
    }
    // What goes on because of a reload comes behind what the reload ends and lets go of (G7).
    let expected = events.filter { $0.change != "failed" }
    let lastGesture = zip(told, expected).reversed().first { !$0.1.isReconsidered }?.0
    var cause = ""
    let winners: Set = ["began", "recognized"]
    for (index, entry) in entries.enumerated() {
      switch entry {
      case .record(let record):
        if record.isReplayed, let lastGesture, lastGesture > index {
          return "a gesture comes behind what is replayed (G11)"
        }
      case .gesture(let gesture):
        if gesture.change == "failed" {
          let isCausedNow = gestures.contains {
            $0.path + " recognized" == gesture.reason && winners.contains($0.change)
          }
          if isCausedNow, cause + " recognized" != gesture.reason {
            return "\(gesture.path) failed, not behind \(gesture.reason) (G5)"
          }
        } else {
          cause = gesture.path
        }
      }
    }
    return nil
  }
}

/// Holds what programs are told to rules T5 and G12.
struct GestureGrammar {
  /// The paths of those that have begun, with who is told.
  private var begun: [String: Int] = [:]
  private var lost: Set<String> = []

  /// What a moment has that may not be; nil where nothing is.
  mutating func take(_ moment: GestureMoment) -> String? {
    for entry in moment.entries {
      switch entry {
      case .record(let record):
        let name = "\(record.program) \(record.touch.rawValue)"
        if lost.contains(name) { return "touch \(name) goes on after its cancelled (G12)" }
        if record.reason == .gesture { lost.insert(name) }
      case .gesture(let gesture):
        let wasBegun = begun[gesture.path] != nil
        switch gesture.change {
        case "began": begun[gesture.path] = gesture.program
        case "changed", "recognized", "failed": break
        default: begun[gesture.path] = nil
        }
        let needsBegun = !["began", "recognized", "failed"].contains(gesture.change)
        if wasBegun != needsBegun { return "\(gesture.path) \(gesture.change) out of turn (G12)" }
      }
    }
    return nil
  }

  /// A program goes, and is told nothing more.
  mutating func go(_ program: Int) { begun = begun.filter { $0.value != program } }

  func finish() throws {
    guard begun.isEmpty else {
      throw GestureSimulation.Bug(text: "\(begun.keys.sorted()) never end (G12)")
    }
  }
}
