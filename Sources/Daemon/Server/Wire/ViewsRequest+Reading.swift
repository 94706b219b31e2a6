import CTouchroute
import Layout
import Routing
import TouchModel

extension ViewsRequest {
  /// Reads `change_views`: which views come, go and change. Rule L7.
  init(from reader: inout RequestReader) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_change_views.self)
    try reader.reserved(fixed.reserved)
    guard fixed.step_count > 0 else { throw reader.malformed("it has no step") }
    var steps: [Step] = []
    // What a message has room for, whatever it says: each step has a path or a property besides.
    steps.reserveCapacity(min(Int(fixed.step_count), reader.byteCount / 16))
    for _ in 0..<fixed.step_count {
      steps.append(try Step(from: &reader, number: steps.count + 1))
    }
    try reader.require(exactly: 0)
    self.init(steps, through: AttachmentID(fixed.attachment))
  }
}

extension ViewsRequest.Step {
  private typealias Property = ViewChange.Property

  fileprivate init(from reader: inout RequestReader, number: Int) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_view_step.self)
    let kind = touchroute_view_step_kind(UInt32(fixed.kind))
    let path = try reader.string(
      fixed.path_size, (kind == TOUCHROUTE_STEP_CHANGE ? 0 : 1)...TOUCHROUTE_MAX_PATH,
      "path of step \(number)")
    let controller = try reader.string(
      fixed.controller_size, 0...TOUCHROUTE_MAX_NAME, "controller of step \(number)")
    var properties: [Property] = []
    for _ in 0..<fixed.property_count {
      properties.append(try Self.property(from: &reader, of: path, number))
    }
    do throws(Property.Mistake) {
      self = try Self(kind, path, properties, controller: controller)
    } catch {
      let what = kind == TOUCHROUTE_STEP_ADD ? "add of " : ""
      throw reader.invalid("step \(number), \(what)\"\(path)\": \(error.text)")
    }
  }

  private static func property(
    from reader: inout RequestReader, of path: String, _ number: Int
  ) throws(RequestError) -> Property {
    let fixed = try reader.fixed(touchroute_property_value.self)
    let values = try reader.numbers(fixed.value_count)
    let words = try reader.string(fixed.words_size, 0...TOUCHROUTE_MAX_REQUEST, "words")
    let points = try reader.points(fixed.point_count)
    do throws(Property.Mistake) {
      return try Property(
        try Property.Kind(number: fixed.property), values, words: words, points: points)
    } catch { throw reader.invalid("step \(number), \"\(path)\": \(error.text)") }
  }

  private init(
    _ kind: touchroute_view_step_kind, _ path: String, _ properties: [Property], controller: String
  ) throws(Property.Mistake) {
    func only(_ isPossible: Bool, _ text: String) throws(Property.Mistake) {
      if !isPossible { throw Property.Mistake(text: text) }
    }
    try only(
      kind == TOUCHROUTE_STEP_ADD || controller.isEmpty,
      "only a view that is added is given a controller")
    switch kind {
    case TOUCHROUTE_STEP_ADD:
      self = try .added(path, properties, controller: controller)
    case TOUCHROUTE_STEP_REMOVE:
      try only(properties.isEmpty, "a view that is removed has no properties")
      self = .remove(path)
    case TOUCHROUTE_STEP_CHANGE:
      try only(!properties.isEmpty, "it changes nothing: it has no properties")
      self = .change(path, properties)
    default: throw Property.Mistake(text: "there is no kind of step \(kind.rawValue)")
    }
  }

  private static func added(
    _ path: String, _ properties: [Property], controller: String
  ) throws(Property.Mistake) -> Self {
    var order: Int?
    var frame: Rect?
    for case .frame(let value) in properties { frame = value }
    guard let frame else { throw Property.Mistake(text: "a view that is added needs a frame") }
    var view = ViewProperties(frame: FrameDescription(frame))
    for property in properties {
      switch property.kind {
      case .level, .enabled, .configured:
        throw Property.Mistake(text: "\(property.name) is no property of a view that is added")
      default: break
      }
      if case .order(let index) = property { order = index } else { view.take(property) }
    }
    view.controller = controller.isEmpty ? nil : controller
    return .add(path, view, order: order)
  }
}
