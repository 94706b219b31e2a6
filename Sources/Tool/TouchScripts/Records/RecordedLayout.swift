import Layout
import TouchModel

/// A layout as a record has it: the screens, and the views and recognizers, each as `tree --json`
/// prints it.
package struct RecordedLayout: Decodable {
  /// When it came in force; with the first line, when the record began.
  var time_us: UInt64
  var generation: UInt64?
  /// Whether the recorder could not read it before the next one was in force.
  var unread: Bool?
  /// The screens; nil where they are as before.
  package var screens: [RecordedScreen]?
  /// Whether the views are all there are; else those that changed.
  var whole: Bool?
  var views: [RecordedView]?
  /// The paths of the views that are gone.
  var removed: [String]?
  /// All recognizers; nil where they are as before.
  var gestures: [RecordedRecognizer]?
}

/// A view as `tree --json` prints it.
struct RecordedView: Decodable {
  let path: String
  let controller: String?
  /// Whether a program has added it. Rule L7.
  let isAdded: Bool
  /// The names of the properties that are overridden. Rule L6.
  let overridden: Set<String>
  /// What it is.
  let properties: [ViewChange.Property]
  /// Of a window.
  let level: Int?
  /// Of a window: its screen's name.
  let screen: String?
  /// Of a window: the application it belongs to.
  let application: String?
  /// Of a window: whether its holder may have it take more of the screen. Rule L6.
  let isResizable: Bool

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { return nil }
  }

  private struct Anything: Decodable { init(from decoder: any Decoder) {} }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    path = try values.decode(String.self, forKey: Key("path"))
    controller = try values.decodeIfPresent(String.self, forKey: Key("controller"))
    level = try values.decodeIfPresent(Double.self, forKey: Key("level")).flatMap(
      Int.init(exactly:))
    screen = try values.decodeIfPresent(String.self, forKey: Key("screen"))
    application = try values.decodeIfPresent(String.self, forKey: Key("application"))
    isResizable = try values.decodeIfPresent(Bool.self, forKey: Key("resizable")) ?? false
    isAdded = values.contains(Key("added_by"))
    let set = try values.decodeIfPresent([String: Anything].self, forKey: Key("set_by")) ?? [:]
    overridden = Set(set.keys)
    properties = try ViewChange.Property.Kind.declared.compactMap { kind in
      let declaration = kind.declaration
      let key = Key(declaration.name)
      guard values.contains(key), kind != .level else { return nil }
      return try declaration.form.property(from: try values.superDecoder(forKey: key))
    }
  }

  /// Where it is, in the superview's coordinates.
  private var frame: Rect {
    for case .frame(let frame) in properties { return frame }
    return .zero
  }

  /// As a view that is added.
  var added: LayoutDescription.View {
    LayoutDescription.View(path: path, properties: ownProperties)
  }

  /// As a window.
  func window(on screen: ScreenIndex) -> LayoutDescription.Window {
    LayoutDescription.Window(
      name: path, screen: screen, level: level ?? 0, application: application,
      isResizable: isResizable, properties: ownProperties)
  }

  private var ownProperties: ViewProperties {
    var own = ViewProperties(frame: FrameDescription(frame))
    for property in properties { own.take(property) }
    own.controller = controller
    return own
  }

  /// What makes it what it is, where nothing is overridden.
  ///
  /// - Parameter index: Its place among its siblings, where that is known.
  func changes(at index: Int?) -> [ViewChange] {
    var changes = properties.filter { isAdded || overridden.contains($0.kind.declaration.name) }
      .map { ViewChange(path, $0) }
    if let level, overridden.contains("level") { changes.append(ViewChange(path, .level(level))) }
    if let index, overridden.contains("order") { changes.append(ViewChange(path, .order(index))) }
    return changes
  }
}

extension PropertyForm {
  /// The property of a value as `tree --json` prints it: a word, a number or several, or an object
  /// of one key; nil where it has none.
  fileprivate func property(from decoder: any Decoder) throws -> Property? {
    let value = try decoder.singleValueContainer()
    switch self {
    case .flag(_, let make): return make(try value.decode(Bool.self))
    case .number(_, let make): return make(try value.decode(Double.self))
    case .whole(let range, let make):
      let number = try value.decode(Int.self)
      guard range.contains(number) else {
        throw DecodingError.dataCorruptedError(
          in: value,
          debugDescription: "\(number) is not from \(range.lowerBound) to \(range.upperBound)")
      }
      return make(number)
    case .point(_, let make):
      let n = try numbers(2, value)
      return make(Point(x: n[0], y: n[1]))
    case .rect(let make):
      let n = try numbers(4, value)
      return make(Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
    case .transform(let make):
      let n = try numbers(6, value)
      return make(AffineTransform(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5]))
    case .outset(let make):
      let n = try numbers(4, value)
      return make(Outset(top: n[0], left: n[1], bottom: n[2], right: n[3]))
    case .shape(let make): return make(try Shape(recorded: value))
    case .inside(let make): return make(try InsideRule(recorded: value))
    case .hit(let make): return make(try HitRule(recorded: value))
    case .text(let rule, let make):
      let text = try value.decode(String.self)
      if let problem = rule.problem(with: text) {
        throw DecodingError.dataCorruptedError(in: value, debugDescription: problem)
      }
      return make(text)
    case .nothing: return nil
    }
  }

  private func numbers(
    _ count: Int, _ value: any SingleValueDecodingContainer
  ) throws -> [Double] {
    let numbers = try value.decode([Double].self)
    guard numbers.count == count else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "\(count) numbers are needed")
    }
    return numbers
  }
}

extension SingleValueDecodingContainer {
  fileprivate func unknown(_ what: String) -> DecodingError {
    DecodingError.dataCorruptedError(in: self, debugDescription: "this is no \(what)")
  }
}

extension Shape {
  fileprivate init(recorded value: any SingleValueDecodingContainer) throws {
    switch try? value.decode(String.self) {
    case "rect": self = .rect
    case "ellipse": self = .ellipse
    default:
      if let radius = try? value.decode([String: Double].self)["radius"] {
        self = .rounded(radius: radius)
      } else if let points = try? value.decode([String: [[Double]]].self)["polygon"],
        points.allSatisfy({ $0.count == 2 })
      {
        self = .polygon(points.map { Point(x: $0[0], y: $0[1]) })
      } else {
        throw value.unknown("shape")
      }
    }
  }
}

extension InsideRule {
  fileprivate init(recorded value: any SingleValueDecodingContainer) throws {
    switch try? value.decode(String.self) {
    case "bounds": self = .bounds
    case "always": self = .always
    case "never": self = .never
    case "children": self = .children([])
    default:
      guard let names = try? value.decode([String: [String]].self)["children"] else {
        throw value.unknown("value of inside")
      }
      self = .children(names)
    }
  }
}

extension HitRule {
  fileprivate init(recorded value: any SingleValueDecodingContainer) throws {
    switch try? value.decode(String.self) {
    case "default": self = .standard
    case "self": self = .itself
    case "none": self = .none
    case "pass_through": self = .passThrough
    default:
      let rule = try? value.decode([String: String].self)
      if let path = rule?["redirect"] {
        self = .redirect(path)
      } else if let path = rule?["first"] {
        self = .first(path)
      } else {
        throw value.unknown("value of hit")
      }
    }
  }
}
