import CTouchroute
import TouchModel

extension ViewChange {
  /// The changes as the C library takes them, as long as the function runs.
  static func withWireChanges<Result>(
    _ changes: [ViewChange],
    _ body: (UnsafeBufferPointer<touchroute_property_change>) -> Result
  ) -> Result {
    let paths = changes.map { Array($0.path.utf8CString) }
    let starts = paths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    return Array(paths.joined()).withUnsafeBufferPointer { bytes in
      let wire = zip(changes, starts).map { change, start in
        var wire = touchroute_property_change()
        wire.path = bytes.baseAddress.map { $0 + start }
        wire.property = change.property.kind.rawValue
        withUnsafeMutableBytes(of: &wire.values) { values in
          change.property.values.withUnsafeBytes { values.copyMemory(from: $0) }
        }
        return wire
      }
      return wire.withUnsafeBufferPointer(body)
    }
  }
}
