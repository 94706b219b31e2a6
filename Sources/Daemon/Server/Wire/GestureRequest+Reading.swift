import CTouchroute
import Gestures
import Routing

extension GestureRequest {
  /// Reads `add_gesture`: a recognizer, with what it asks for. Rule G1.
  init(from reader: inout RequestReader) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_add_gesture.self)
    try reader.reserved(fixed.reserved)
    let name = try reader.string(fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "name")
    let view = try reader.string(fixed.view_size, 1...TOUCHROUTE_MAX_PATH, "view")
    let target = try reader.string(fixed.to_size, 0...TOUCHROUTE_MAX_PATH, "to")
    let after = try Self.names(fixed.after_count, "after", from: &reader)
    let simultaneous = try Self.names(fixed.simultaneous_count, "simultaneous", from: &reader)
    try reader.require(exactly: 0)
    let description: RecognizerDescription
    do throws(GestureFields.Mistake) {
      description = try GestureFields(fixed).description()
    } catch {
      throw reader.invalid("gesture \"\(view)#\(name)\": \(error.text)")
    }
    var spec = RecognizerSpec(.view(view), name, description)
    spec.to = target.isEmpty ? nil : target
    spec.after = after
    spec.simultaneous = simultaneous
    self.init(spec, with: AttachmentID(fixed.attachment), message: reader.message)
  }

  private static func names(
    _ count: UInt16, _ what: String, from reader: inout RequestReader
  ) throws(RequestError) -> [String] {
    var names: [String] = []
    for _ in 0..<count {
      let fixed = try reader.fixed(touchroute_gesture_name.self)
      try reader.reserved(fixed.reserved)
      names.append(try reader.string(fixed.path_size, 1...TOUCHROUTE_MAX_PATH, what))
    }
    return names
  }
}
