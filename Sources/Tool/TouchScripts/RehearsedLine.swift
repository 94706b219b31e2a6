import Gestures
import Routing
import TouchModel

/// What one program would be sent, or why a recognizer failed; a line of `rehearse --json`.
package struct RehearsedLine: Encodable {
  /// `touch`, `gesture`, `failed`, `feedback`, `filter`, `screen` or `lock`.
  var event: String
  /// When it is sent.
  var at_ms: Double
  /// When it happened, where that is another time.
  var time_ms: Double?
  /// The responder whose program gets it.
  var program: String?
  /// Why it failed; or as `cancel_reason`, of which this is the former name.
  var reason: String?
  /// Why a touch or a gesture was cancelled.
  var cancel_reason: String?
  var touch: UInt64?
  var slot: Int32?
  var phase: String?
  var target: String?
  var replayed: Bool?
  /// With `gesture` and `failed`: the recognizer's path; `gesture` is its former name.
  var gesture: String?
  var path: String?
  var kind: String?
  var state: String?
  /// In the target's coordinates, or in those of the recognizer's view.
  var x: Double?
  var y: Double?
  /// With `gesture`: x and y.
  var location: [Double]?
  var taps: Int?
  var touches: Int?
  var translation: [Double]?
  var velocity: [Double]?
  var scale: Double?
  var scale_velocity: Double?
  var rotation: Double?
  var rotation_velocity: Double?
  var direction: String?
  /// With `filter`: what it did, to a point of the screen.
  var filter: String?
  /// With `feedback`: its name. ``target`` is the view or recognizer, and nil of a secure view.
  var feedback: String?
  /// With `screen` and `lock`: the screen of which `state` and `cause` tell; with `feedback`, the
  /// screen that was hit.
  var screen: String?
  var cause: String?
  /// With `lock`: how long it lasts from now on.
  var locked_ms: Double?

  init(event: String, at time: Timestamp, of own: Timestamp) {
    self.event = event
    at_ms = rounded(Double(time.microseconds) / 1000)
    if own != time { time_ms = rounded(Double(own.microseconds) / 1000) }
  }

  /// What a filter did.
  init(_ note: SignalNote) {
    self.init(event: "filter", at: note.time, of: note.time)
    filter = note.finding.word
    x = rounded(note.location.x)
    y = rounded(note.location.y)
  }

  /// A screen is dark, waking or on. Rule D1.
  init(_ change: ScreenPower.Change, of screen: String, at time: Timestamp) {
    self.init(event: "screen", at: time, of: time)
    (self.screen, state, cause) = (screen, change.state.word, change.cause.word)
  }

  /// A screen is locked, or no longer. Rule D9.
  init(_ change: TouchLocks.Change, of screen: String, at time: Timestamp) {
    self.init(event: "lock", at: time, of: time)
    self.screen = screen
    state = change.end == nil ? "unlocked" : "locked"
    cause = change.cause.word
    locked_ms = change.end.map {
      rounded(Double($0.microseconds - min($0.microseconds, time.microseconds)) / 1000)
    }
  }

  /// Something was hit. Rule D10.
  init(_ given: Feedback, on screen: String, at time: Timestamp) {
    self.init(event: "feedback", at: time, of: given.time)
    (self.screen, feedback, target) = (screen, given.name, given.target)
  }

  /// Adds what a gesture of that kind measures. Rule G16.
  mutating func add(_ values: GestureValues, of kind: GestureKind) {
    self.kind = kind.name
    switch kind {
    case .tap(let tap): taps = tap.taps
    case .longPress(let press): taps = press.taps
    case .swipe(let swipe): direction = swipe.direction.rawValue
    case .pan, .edgePan:
      translation = [rounded(values.translation.x), rounded(values.translation.y)]
      velocity = [rounded(values.velocity.x), rounded(values.velocity.y)]
    case .pinch:
      scale = rounded(values.scale)
      scale_velocity = rounded(values.scaleVelocity)
    case .rotation:
      rotation = rounded(values.rotation)
      rotation_velocity = rounded(values.rotationVelocity)
    }
  }

  /// The same for people.
  package var words: String {
    var words = ["\(Self.plain(at_ms)) ms"]
    if let screen { words.append(screen) }
    if let program { words.append(program) }
    if let gesture { words.append(gesture) }
    if let touch { words.append("touch \(touch)") }
    let what = filter.map { "filter: \($0)" } ?? feedback.map { "feedback \($0)" }
    words.append(what ?? phase ?? state ?? event)
    if let target { words.append("on \(target)") }
    if feedback != nil, target == nil { words.append("on a secure view") }
    if let locked_ms { words.append("for \(Self.plain(locked_ms)) ms") }
    if let reason = reason ?? cause { words.append("(\(reason))") }
    if let x, let y { words.append("at \(Self.plain(x)), \(Self.plain(y))") }
    if let translation {
      words.append("moved \(Self.plain(translation[0])), \(Self.plain(translation[1]))")
    }
    if let scale { words.append("scale \(Self.plain(scale))") }
    if let rotation { words.append("turned \(Self.plain(rotation)) degrees") }
    if let direction { words.append(direction) }
    if replayed == true { words.append("replayed") }
    return words.joined(separator: "  ")
  }

  /// With at most two decimals.
  static func plain(_ number: Double) -> String {
    let rounded = number.toTwoDecimals
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}
