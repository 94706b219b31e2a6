import CTouchroute
import TouchModel

/// `set`: what is to become of which views.
extension RequestParser {
  func changes() throws(RequestError) -> [ViewChange] {
    let count = bytes.load(as: touchroute_set.self).change_count
    guard count > 0 else { throw malformed("it has no change") }
    var changes: [ViewChange] = []
    var offset = opcode.fixedSize
    for _ in 0..<count { changes.append(try change(at: &offset, number: changes.count + 1)) }
    guard offset == bytes.count else { throw wrongSize(offset) }
    return changes
  }

  private func change(at offset: inout Int, number: Int) throws(RequestError) -> ViewChange {
    let size = MemoryLayout<touchroute_change>.size
    guard bytes.count >= offset + size else { throw wrongSize(offset + size) }
    let fixed = bytes.load(fromByteOffset: offset, as: touchroute_change.self)
    let words = offset + size + padded(Int(fixed.path_size))
    let points = words + padded(Int(fixed.words_size))
    let end = points + Int(fixed.point_count) * MemoryLayout<Point>.stride
    guard bytes.count >= end else { throw wrongSize(end) }
    let path = try string(
      at: offset + size, end: words, size: UInt32(fixed.path_size), 1...TOUCHROUTE_MAX_PATH, "path")
    let text = try string(
      at: words, end: points, size: UInt32(fixed.words_size), 0...TOUCHROUTE_MAX_REQUEST, "words")
    offset = end
    do throws(ViewChange.Property.Mistake) {
      return ViewChange(path, try property(fixed, text, self.points(points..<end)))
    } catch {
      throw invalid("change \(number), of \"\(path)\": \(error.text)")
    }
  }

  /// x and y of each point that lies there.
  func points(_ range: Range<Int>) -> [Point] {
    stride(from: range.lowerBound, to: range.upperBound, by: MemoryLayout<Point>.stride).map {
      Point(
        x: bytes.load(fromByteOffset: $0, as: Double.self),
        y: bytes.load(fromByteOffset: $0 + MemoryLayout<Double>.stride, as: Double.self))
    }
  }

  private func property(
    _ change: touchroute_change, _ words: String, _ points: [Point]
  ) throws(ViewChange.Property.Mistake) -> ViewChange.Property {
    let kind = try kind(change.property)
    let values = withUnsafeBytes(of: change.values) { Array($0.bindMemory(to: Double.self)) }
    guard values[kind.valueCount...].allSatisfy({ $0 == 0 }) else {
      throw ViewChange.Property.Mistake(
        text: "\(kind.name): the values that it does not have must be 0")
    }
    return try ViewChange.Property(
      kind, Array(values.prefix(kind.valueCount)), words: words, points: points)
  }

  func kind(
    _ property: UInt16
  ) throws(ViewChange.Property.Mistake) -> ViewChange.Property.Kind {
    guard let kind = ViewChange.Property.Kind(rawValue: UInt32(property)) else {
      throw ViewChange.Property.Mistake(text: "there is no property \(property)")
    }
    return kind
  }
}
