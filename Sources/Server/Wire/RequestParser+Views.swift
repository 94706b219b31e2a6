import CTouchroute
import Layout
import Routing
import TouchModel

/// `change_views`: which views come, go and change. Rule L7.
extension RequestParser {
  func views() throws(RequestError) -> ViewsRequest {
    let fixed = bytes.load(as: touchroute_change_views.self)
    try reserved(fixed.reserved)
    guard fixed.step_count > 0 else { throw malformed("it has no step") }
    var steps: [ViewsRequest.Step] = []
    // What a message has room for, whatever it says.
    steps.reserveCapacity(min(Int(fixed.step_count), bytes.count / 16))
    var offset = opcode.fixedSize
    for _ in 0..<fixed.step_count { steps.append(try step(at: &offset, number: steps.count + 1)) }
    guard offset == bytes.count else { throw wrongSize(offset) }
    return ViewsRequest(steps, through: AttachmentID(fixed.attachment))
  }

  private func step(
    at offset: inout Int, number: Int
  ) throws(RequestError) -> ViewsRequest.Step {
    let fixed = try load(touchroute_view_step.self, at: &offset)
    let isChange = UInt32(fixed.kind) == TOUCHROUTE_STEP_CHANGE.rawValue
    let path = try part(
      at: &offset, UInt32(fixed.path_size), (isChange ? 0 : 1)...TOUCHROUTE_MAX_PATH,
      "path of step \(number)")
    let controller = try part(
      at: &offset, UInt32(fixed.controller_size), 0...TOUCHROUTE_MAX_NAME,
      "controller of step \(number)")
    var properties: [ViewChange.Property] = []
    for _ in 0..<fixed.property_count {
      properties.append(try property(at: &offset, of: path, number))
    }
    func only(_ isPossible: Bool, _ text: String) throws(RequestError) {
      if !isPossible { throw invalid("step \(number), \"\(path)\": \(text)") }
    }
    let isAdd = UInt32(fixed.kind) == TOUCHROUTE_STEP_ADD.rawValue
    try only(isAdd || controller.isEmpty, "only a view that is added is given a controller")
    switch UInt32(fixed.kind) {
    case TOUCHROUTE_STEP_ADD.rawValue:
      do throws(ViewChange.Property.Mistake) {
        return try added(path, properties, controller: controller)
      } catch { throw invalid("step \(number), add of \"\(path)\": \(error.text)") }
    case TOUCHROUTE_STEP_REMOVE.rawValue:
      try only(properties.isEmpty, "a view that is removed has no properties")
      return .remove(path)
    case TOUCHROUTE_STEP_CHANGE.rawValue:
      try only(!properties.isEmpty, "it changes nothing: it has no properties")
      return .change(path, properties)
    default: throw invalid("step \(number), \"\(path)\": there is no kind of step \(fixed.kind)")
    }
  }

  private func added(
    _ path: String, _ properties: [ViewChange.Property], controller: String
  ) throws(ViewChange.Property.Mistake) -> ViewsRequest.Step {
    var order: Int?
    var frame: Rect?
    for case .frame(let value) in properties { frame = value }
    guard let frame else {
      throw ViewChange.Property.Mistake(text: "a view that is added needs a frame")
    }
    var view = ViewProperties(frame: FrameDescription(frame))
    for property in properties {
      switch property.kind {
      case .level, .enabled, .configured:
        throw ViewChange.Property.Mistake(
          text: "\(property.name) is no property of a view that is added")
      default: break
      }
      if case .order(let index) = property { order = index } else { view.take(property) }
    }
    view.controller = controller.isEmpty ? nil : controller
    return .add(path, view, order: order)
  }

  private func property(
    at offset: inout Int, of path: String, _ number: Int
  ) throws(RequestError) -> ViewChange.Property {
    let fixed = try load(touchroute_property_value.self, at: &offset)
    let values = offset
    let end = values + Int(fixed.value_count) * MemoryLayout<Double>.stride
    guard bytes.count >= end else { throw wrongSize(end) }
    offset = end
    let words = try part(
      at: &offset, UInt32(fixed.words_size), 0...TOUCHROUTE_MAX_REQUEST, "words")
    let points = offset
    offset += Int(fixed.point_count) * MemoryLayout<Point>.stride
    guard bytes.count >= offset else { throw wrongSize(offset) }
    do throws(ViewChange.Property.Mistake) {
      return try ViewChange.Property(
        try kind(fixed.property), numbers(values..<end), words: words,
        points: self.points(points..<offset))
    } catch { throw invalid("step \(number), \"\(path)\": \(error.text)") }
  }

  private func numbers(_ range: Range<Int>) -> [Double] {
    stride(from: range.lowerBound, to: range.upperBound, by: MemoryLayout<Double>.stride).map {
      bytes.load(fromByteOffset: $0, as: Double.self)
    }
  }

  /// A struct that lies there; the offset is behind it then.
  private func load<Fixed: BitwiseCopyable>(
    _ type: Fixed.Type, at offset: inout Int
  ) throws(RequestError) -> Fixed {
    let end = offset + MemoryLayout<Fixed>.size
    guard bytes.count >= end else { throw wrongSize(end) }
    defer { offset = end }
    return bytes.load(fromByteOffset: offset, as: type)
  }
}
