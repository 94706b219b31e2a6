import CTouchroute
import TouchModel

/// `set`: what is to become of which views.
extension RequestParser {
  func changes() throws(RequestFault) -> [ViewChange] {
    let count = bytes.load(as: touchroute_set.self).change_count
    guard count > 0 else { throw malformed("it has no change") }
    var changes: [ViewChange] = []
    var offset = opcode.fixedSize
    for _ in 0..<count { changes.append(try change(at: &offset, number: changes.count + 1)) }
    guard offset == bytes.count else { throw wrongSize(offset) }
    return changes
  }

  private func change(at offset: inout Int, number: Int) throws(RequestFault) -> ViewChange {
    let size = MemoryLayout<touchroute_change>.size
    guard bytes.count >= offset + size else { throw wrongSize(offset + size) }
    let fixed = bytes.load(fromByteOffset: offset, as: touchroute_change.self)
    let end = offset + size + padded(Int(fixed.path_size))
    guard bytes.count >= end else { throw wrongSize(end) }
    let path = try string(
      at: offset + size, end: end, size: fixed.path_size, 1...TOUCHROUTE_MAX_PATH, "path")
    offset = end
    do throws(ViewChange.Property.Mistake) {
      return ViewChange(path, try property(fixed))
    } catch {
      throw invalid("change \(number), of \"\(path)\": \(error.text)")
    }
  }

  private func property(
    _ change: touchroute_change
  ) throws(ViewChange.Property.Mistake) -> ViewChange.Property {
    guard let kind = ViewChange.Property.Kind(rawValue: change.property) else {
      throw ViewChange.Property.Mistake(text: "there is no property \(change.property)")
    }
    let values = withUnsafeBytes(of: change.values) { Array($0.bindMemory(to: Double.self)) }
    guard values[kind.valueCount...].allSatisfy({ $0 == 0 }) else {
      throw ViewChange.Property.Mistake(
        text: "\(kind.name): the values that it does not have must be 0")
    }
    return try ViewChange.Property(kind, Array(values.prefix(kind.valueCount)))
  }
}
