import CTouchroute
import Gestures
import Routing
import TouchModel

extension GestureRequest {
  /// Reads `add_gesture`: a recognizer, with what it asks for. Rule G1.
  init(from reader: inout RequestReader) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_add_gesture.self)
    let name = try reader.string(fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "name")
    let view = try reader.string(fixed.view_size, 1...TOUCHROUTE_MAX_PATH, "view")
    let target = try reader.string(fixed.to_size, 0...TOUCHROUTE_MAX_PATH, "to")
    let after = try Self.names(fixed.after_count, "after", from: &reader)
    let simultaneous = try Self.names(fixed.simultaneous_count, "simultaneous", from: &reader)
    let feedback = try reader.string(fixed.feedback_size, 0...TOUCHROUTE_MAX_NAME, "feedback")
    try reader.require(exactly: 0)
    let title = "gesture \"\(view)#\(name)\": "
    let description: RecognizerDescription
    do throws(GestureFields.Mistake) {
      description = try GestureFields(fixed).description()
    } catch {
      throw reader.invalid(title + error.text)
    }
    var spec = RecognizerSpec(.view(view), name, description)
    spec.to = target.isEmpty ? nil : target
    spec.after = after
    spec.simultaneous = simultaneous
    do throws(ViewChange.Property.Mistake) {
      spec.feedback = try ViewChange.Property(.feedback, [], words: feedback).words
    } catch {
      throw reader.invalid(title + error.text)
    }
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
