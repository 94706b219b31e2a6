import CTouchroute
import Layout
import TouchModel

/// `set`: what is to become of which views.
extension RequestParser {
  func changes() throws(RequestFault) -> [ViewChange] {
    let count = bytes.load(as: touchroute_set.self).change_count
    guard count > 0 else { throw malformed("it has no change") }
    var changes: [ViewChange] = []
    var place = opcode.fixedSize
    for _ in 0..<count { changes.append(try change(at: &place, number: changes.count + 1)) }
    guard place == bytes.count else { throw wrongSize(place) }
    return changes
  }

  private func change(at place: inout Int, number: Int) throws(RequestFault) -> ViewChange {
    let size = MemoryLayout<touchroute_change>.size
    guard bytes.count >= place + size else { throw wrongSize(place + size) }
    let fixed = bytes.load(fromByteOffset: place, as: touchroute_change.self)
    let end = place + size + padded(Int(fixed.path_size))
    guard bytes.count >= end else { throw wrongSize(end) }
    let path = try string(
      at: place + size, end: end, size: fixed.path_size, 1...TOUCHROUTE_MAX_PATH, "path")
    place = end
    do throws(Mistake) {
      return ViewChange(path: path, try property(fixed))
    } catch {
      throw invalid("change \(number), of \"\(path)\": \(error.text)")
    }
  }

  /// What is wrong with a value.
  private struct Mistake: Error {
    var text: String
  }

  private func property(
    _ change: touchroute_change
  ) throws(Mistake) -> ViewChange.Property {
    let values = change.values
    let all = [values.0, values.1, values.2, values.3, values.4, values.5]
    let known: (ViewChange.Property, count: Int)
    switch touchroute_property(rawValue: change.property) {
    case TOUCHROUTE_PROPERTY_HIDDEN: known = (.hidden(try flag(all[0], "hidden")), 1)
    case TOUCHROUTE_PROPERTY_ALPHA: known = (.alpha(all[0]), 1)
    case TOUCHROUTE_PROPERTY_INTERACTION:
      known = (.interaction(try flag(all[0], "interaction")), 1)
    case TOUCHROUTE_PROPERTY_FRAME:
      known = (.frame(Rect(x: all[0], y: all[1], width: all[2], height: all[3])), 4)
    case TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN:
      known = (.boundsOrigin(Point(x: all[0], y: all[1])), 2)
    case TOUCHROUTE_PROPERTY_TRANSFORM:
      known = (
        .transform(
          AffineTransform(a: all[0], b: all[1], c: all[2], d: all[3], tx: all[4], ty: all[5])), 6
      )
    case TOUCHROUTE_PROPERTY_ORDER: known = (.order(try order(all[0])), 1)
    case TOUCHROUTE_PROPERTY_CONFIGURED: known = (.configured, 0)
    default: throw Mistake(text: "there is no property \(change.property)")
    }
    guard all[known.count...].allSatisfy({ $0 == 0 }) else {
      throw Mistake(text: "\(known.0.name): the values that it does not have must be 0")
    }
    return known.0
  }

  private func flag(_ value: Double, _ name: String) throws(Mistake) -> Bool {
    guard value == 0 || value == 1 else {
      throw Mistake(text: "\(name): \(value) is neither 0 nor 1")
    }
    return value == 1
  }

  private func order(_ value: Double) throws(Mistake) -> Int {
    guard value >= 0, value <= Double(Int32.max), let order = Int(exactly: value) else {
      throw Mistake(text: "order: \(value) is no place: they are whole numbers from 0")
    }
    return order
  }
}
