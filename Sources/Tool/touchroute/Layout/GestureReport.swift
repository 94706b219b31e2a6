import Gestures
import Layout
import LayoutDrawing
import TouchModel

/// A recognizer as data, with what it asks for as the configuration has it, defaults included.
/// Rule G1.
struct GestureReport: Encodable {
  var path: String
  /// Of the daemon: the program that has added it.
  var added_by: ListedLayout.Program?
  var kind: String
  /// The fewest fingers, and the most.
  var touches: [Int]
  var enabled: Bool
  var cancels_touches: Bool
  var delays_ended: Bool
  var delays_began: Bool
  var priority: Bool
  var after: [String]
  var simultaneous: [String]
  var to: String?
  var taps: Int?
  var slop: Double?
  var slop_degrees: Double?
  var distance: Double?
  var margin: Double?
  var duration_ms: UInt64?
  var interval_ms: UInt64?
  var gather_ms: UInt64?
  var direction: String?
  var edge: String?
  /// Of a configuration: the daemon does not tell it.
  var feedback: String?
  /// Of hit-test: why it takes no part.
  var takes_no_part: String?

  init(_ gesture: ListedLayout.Gesture) {
    self.init(gesture.spec)
    added_by = gesture.adder
  }

  fileprivate init(_ spec: RecognizerSpec) {
    let description = spec.description
    path = spec.path
    kind = description.kind.name
    touches = [description.touches.fewest, description.touches.most]
    enabled = description.isEnabled
    cancels_touches = description.cancelsTouches
    delays_ended = description.delaysEnded
    delays_began = description.delaysBegan
    priority = description.hasPriority
    after = spec.after
    simultaneous = spec.simultaneous
    to = spec.to
    feedback = spec.feedbackName
    let settings = description.kind.settings
    (taps, slop, slop_degrees) = (settings.taps, settings.slop, settings.slopDegrees)
    (distance, margin) = (settings.distance, settings.margin)
    (duration_ms, interval_ms) = (settings.durationMilliseconds, settings.intervalMilliseconds)
    gather_ms = settings.gatherMilliseconds
    (direction, edge) = (settings.direction?.rawValue, settings.edge?.rawValue)
  }
}

extension RecognizerSpec {
  /// For people: its kind, and what is not by default.
  var words: String {
    let own = GestureReport(self)
    let usual = GestureReport(RecognizerSpec(owner, name, RecognizerDescription(usualKind)))
    let way = [own.direction, own.edge].compactMap(\.self).filter { $0 != "any" }
    var words = [([own.kind] + way).joined(separator: " ")]
    if own.touches != usual.touches {
      let (fewest, most) = (own.touches[0], own.touches[1])
      words.append(
        fewest == most ? Text.count(most, "finger") : "\(fewest) to \(most) fingers")
    }
    if let taps = own.taps, taps != usual.taps { words.append(Text.count(taps, "tap")) }
    let times = [
      ("duration_ms", own.duration_ms, usual.duration_ms),
      ("interval_ms", own.interval_ms, usual.interval_ms),
      ("gather_ms", own.gather_ms, usual.gather_ms),
    ]
    let lengths = [
      ("slop", own.slop, usual.slop), ("slop_degrees", own.slop_degrees, usual.slop_degrees),
      ("distance", own.distance, usual.distance), ("margin", own.margin, usual.margin),
    ]
    for (key, value, usual) in times where value != usual {
      if let value { words.append("\(key) \(value)") }
    }
    for (key, value, usual) in lengths where value != usual {
      if let value { words.append("\(key) \(Text.number(value))") }
    }
    return (words + standing).joined(separator: ", ")
  }

  /// How it stands to others, and to programs, where that is not by default.
  private var standing: [String] {
    var words: [String] = []
    if !after.isEmpty { words.append("after \(after.joined(separator: " and "))") }
    if !simultaneous.isEmpty {
      words.append("beside \(simultaneous.joined(separator: " and "))")
    }
    if let to { words.append("to \(to)") }
    if description.hasPriority { words.append("priority") }
    if !description.cancelsTouches { words.append("cancels no touches") }
    if !description.delaysEnded { words.append("delays no ended") }
    if description.delaysBegan { words.append("delays began") }
    if level != RecognizerSpec.screenLevel { words.append("level \(level)") }
    if seesSecure { words.append("secure") }
    if !description.isEnabled { words.append("disabled") }
    return words
  }

  /// Its kind as it is where nothing but what must be given is.
  private var usualKind: GestureKind {
    var given = GestureSettings()
    (given.direction, given.edge) =
      (description.kind.settings.direction, description.kind.settings.edge)
    return GestureKind(named: description.kind.name, given) ?? description.kind
  }
}
