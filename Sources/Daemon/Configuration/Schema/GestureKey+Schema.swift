import Gestures
import TouchModel

extension GestureKey {
  /// A table of `[[gesture]]`: what each kind takes is said kind by kind.
  static var table: JSONValue {
    var members = JSONValue.table(of: GestureKey.self, \.schema, requires: [.name, .kind]).members
    members["oneOf"] = [
      ["required": [.string(GestureKey.view.rawValue)]],
      ["required": [.string(GestureKey.screen.rawValue), .string(GestureKey.to.rawValue)]],
    ]
    members["allOf"] = .array(GestureWord.allCases.map(\.schema))
    return .object(members)
  }

  private var schema: JSONValue {
    switch self {
    case .view: .text.described("The path of its view.")
    case .screen: .name.described("Its screen, if it has no view; needs `to`.")
    case .name: .name.described("Its name, unique in the view or screen. Its path is VIEW#NAME.")
    case .kind: .words(GestureWord.names).described("What it recognizes.")
    case .touches:
      .fingers(GestureRange.fingers)
        .described("How many fingers, or the fewest and the most.")
    case .after:
      .list(.text).described("Paths of recognizers that must fail before it recognizes.")
    case .simultaneous: .list(.text).described("Paths of recognizers that may go on beside it.")
    case .to:
      .text.described("The responder whose program gets the gesture; by default by the chain.")
    case .enabled: .boolean.described("Whether it takes part; can be overridden.")
    case .priority:
      .boolean.described("True: it comes before others, and no program's accept ends it.")
    case .feedback:
      PropertyKey.schema(ViewChange.Property.Kind.feedback.declaration.form)
        .described("The name of the feedback that its success gives.")
    case .level:
      JSONValue.integer(ViewChange.Property.levels)
        .described("Of a screen's recognizer: it takes no touch on a window of a higher level.")
    case .secure:
      .boolean.described("Of a screen's recognizer: it takes touches on secure views too.")
    case .cancelsTouches: .boolean.described("True: programs lose its touches when it recognizes.")
    case .delaysEnded:
      .boolean.described("True: ends of its touches are held back while it may recognize.")
    case .delaysBegan:
      .boolean.described("True: programs get nothing of its touches while it may recognize.")
    case .taps: .integer(GestureRange.taps).described("How many taps.")
    case .slop: .distance.described("How far a finger, or the centroid, may or must move.")
    case .slopDegrees: .number(GestureRange.degrees).described("How far the fingers must turn.")
    case .distance:
      .distance.described("How far a tap may be from the last one, or how far a swipe must go.")
    case .direction: .words(GestureDirection.names).described("Which way.")
    case .edge: .words(Edge.names).described("The edge that it begins at.")
    case .margin: .distance.described("How far inside of the edge it may begin.")
    case .duration: .milliseconds.described("How long it may take, or must be held.")
    case .interval: .milliseconds.described("The longest time from a tap to the next.")
    case .gather: .milliseconds.described("How long after the first finger the others may come.")
    }
  }
}

extension GestureWord {
  /// What a table of this kind has and must have.
  fileprivate var schema: JSONValue {
    let keys = (GestureKey.common + keys).map { JSONValue.string($0.rawValue) }
    var then: [String: JSONValue] = ["propertyNames": ["enum": .array(keys)]]
    then["required"] = .array(required.map { .string($0.rawValue) })
    then["properties"] = .object(
      Dictionary(values.map { ($0.rawValue, $1) }) { first, _ in first })
    return [
      "if": ["properties": [GestureKey.kind.rawValue: ["const": .string(rawValue)]]],
      "then": .object(then),
    ]
  }

  private var required: [GestureKey] {
    switch self {
    case .swipe: [.direction]
    case .edgePan: [.edge]
    case .tap, .longPress, .pan, .pinch, .rotation: []
    }
  }

  /// What it takes of a key that others take more of.
  private var values: [(GestureKey, JSONValue)] {
    switch self {
    case .tap: [(.taps, .integer(1...GestureRange.taps.upperBound))]
    case .pan: [(.direction, .words(GestureKind.pan(.init()).directions.map(\.rawValue)))]
    case .swipe:
      [(.direction, .words(GestureKind.swipe(.init(.left)).directions.map(\.rawValue)))]
    case .pinch: [(.touches, .fingers(GestureKind.pinch(.init()).possibleTouches))]
    case .rotation: [(.touches, .fingers(GestureKind.rotation(.init()).possibleTouches))]
    case .longPress, .edgePan: []
    }
  }
}

extension JSONValue {
  fileprivate static let distance = number(GestureRange.distances)
  fileprivate static func fingers(_ range: ClosedRange<Int>) -> JSONValue {
    .anyOf(.integer(range), .tuple(.integer(range), 2))
  }
  fileprivate static let milliseconds = integer(GestureRange.times)
}
