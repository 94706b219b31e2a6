import CTouchroute
import TouchModel

extension ViewChange {
  /// The changes as the C library takes them, as long as the function runs.
  static func withWireChanges<Result>(
    _ changes: [ViewChange],
    _ body: (UnsafeBufferPointer<touchroute_property_change>) -> Result
  ) -> Result {
    // Each path, then its words: one text after the other, each with its zero byte.
    let texts = changes.flatMap {
      [Array($0.path.utf8CString), Array($0.property.words.utf8CString)]
    }
    let textStarts = texts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    let points = changes.map { change in change.property.points.flatMap { [$0.x, $0.y] } }
    let pointStarts = points.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    return Array(texts.joined()).withUnsafeBufferPointer { bytes in
      Array(points.joined()).withUnsafeBufferPointer { numbers in
        let wire = changes.indices.map { index in
          var wire = touchroute_property_change(changes[index].property)
          wire.path = bytes.baseAddress.map { $0 + textStarts[2 * index] }
          wire.words = bytes.baseAddress.map { $0 + textStarts[2 * index + 1] }
          wire.points = numbers.baseAddress.map { $0 + pointStarts[index] }
          return wire
        }
        return wire.withUnsafeBufferPointer(body)
      }
    }
  }
}

extension touchroute_property_change {
  /// A property with its numbers, and without what is elsewhere in memory.
  fileprivate init(_ property: ViewChange.Property) {
    self.init()
    self.property = property.kind.rawValue
    point_count = UInt32(clamping: property.points.count)
    withUnsafeMutableBytes(of: &values) { values in
      property.values.withUnsafeBytes { values.copyMemory(from: $0) }
    }
  }
}
