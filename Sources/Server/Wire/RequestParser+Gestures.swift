import CTouchroute
import Gestures
import Routing
import Wire

/// `add_gesture`: a recogniser, with what it asks for.
extension RequestParser {
  func gesture() throws(RequestError) -> Request {
    let fixed = bytes.load(as: touchroute_add_gesture.self)
    try reserved(fixed.reserved)
    var offset = opcode.fixedSize
    let name = try part(at: &offset, fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "name")
    let view = try part(at: &offset, fixed.view_size, 1...TOUCHROUTE_MAX_PATH, "view")
    let target = try part(at: &offset, fixed.to_size, 0...TOUCHROUTE_MAX_PATH, "to")
    let after = try names(at: &offset, fixed.after_count, "after")
    let simultaneous = try names(at: &offset, fixed.simultaneous_count, "simultaneous")
    guard offset == bytes.count else { throw wrongSize(offset) }
    let description: RecognizerDescription
    do throws(GestureFields.Mistake) { description = try GestureFields(fixed).description() } catch
    {
      throw invalid("gesture \"\(view)#\(name)\": \(error.text)")
    }
    var spec = RecognizerSpec(.view(view), name, description)
    spec.to = target.isEmpty ? nil : target
    spec.after = after
    spec.simultaneous = simultaneous
    return .addGesture(
      GestureRequest(spec, with: AttachmentID(fixed.attachment), message: Array(bytes)))
  }

  private func names(
    at offset: inout Int, _ count: UInt16, _ what: String
  ) throws(RequestError) -> [String] {
    var names: [String] = []
    let size = MemoryLayout<touchroute_gesture_name>.size
    for _ in 0..<count {
      guard bytes.count >= offset + size else { throw wrongSize(offset + size) }
      let fixed = bytes.load(fromByteOffset: offset, as: touchroute_gesture_name.self)
      try reserved(fixed.reserved)
      offset += size
      names.append(try part(at: &offset, fixed.path_size, 1...TOUCHROUTE_MAX_PATH, what))
    }
    return names
  }

  /// A string behind others, with its padding.
  func part(
    at offset: inout Int, _ size: UInt32, _ range: ClosedRange<UInt32>,
    _ what: @autoclosure () -> String
  ) throws(RequestError) -> String {
    let end = offset + padded(Int(size))
    guard bytes.count >= end else { throw wrongSize(end) }
    defer { offset = end }
    return try string(at: offset, end: end, size: size, range, what())
  }
}
