import CTouchroute
import TouchModel

extension ViewChange {
  /// Reads `set`: what is to become of which views. Rule L6.
  static func list(from reader: inout RequestReader) throws(RequestError) -> [ViewChange] {
    let count = try reader.fixed(touchroute_set.self).change_count
    guard count > 0 else { throw reader.malformed("it has no change") }
    var changes: [ViewChange] = []
    for _ in 0..<count {
      changes.append(try ViewChange(from: &reader, number: changes.count + 1))
    }
    try reader.require(exactly: 0)
    return changes
  }

  private init(from reader: inout RequestReader, number: Int) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_change.self)
    try reader.require(
      padded(Int(fixed.path_size)) + padded(Int(fixed.words_size))
        + Int(fixed.point_count) * MemoryLayout<Point>.stride)
    let path = try reader.string(fixed.path_size, 1...TOUCHROUTE_MAX_PATH, "path")
    let words = try reader.string(fixed.words_size, 0...TOUCHROUTE_MAX_REQUEST, "words")
    let points = try reader.points(fixed.point_count)
    do throws(Property.Mistake) {
      self.init(path, try Property(fixed, words: words, points: points))
    } catch {
      throw reader.invalid("change \(number), of \"\(path)\": \(error.text)")
    }
  }
}

extension ViewChange.Property {
  fileprivate init(
    _ change: touchroute_change, words: String, points: [Point]
  ) throws(Mistake) {
    let kind = try Kind(number: change.property)
    let values = withUnsafeBytes(of: change.values) { Array($0.bindMemory(to: Double.self)) }
    guard values[kind.valueCount...].allSatisfy({ $0 == 0 }) else {
      throw Mistake(text: "\(kind.name): the values that it does not have must be 0")
    }
    try self.init(kind, Array(values.prefix(kind.valueCount)), words: words, points: points)
  }
}

extension ViewChange.Property.Kind {
  /// The property of a number on the wire.
  init(number: UInt16) throws(ViewChange.Property.Mistake) {
    guard let kind = Self(rawValue: UInt32(number)) else {
      throw ViewChange.Property.Mistake(text: "there is no property \(number)")
    }
    self = kind
  }
}

extension RequestReader {
  /// x and y of as many points as the message says.
  mutating func points(_ count: UInt16) throws(RequestError) -> [Point] {
    let numbers = try numbers(2 * Int(count))
    return stride(from: 0, to: numbers.count, by: 2).map {
      Point(x: numbers[$0], y: numbers[$0 + 1])
    }
  }
}
