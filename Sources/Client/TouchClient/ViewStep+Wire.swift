import CTouchroute
import TouchModel

extension ViewStep {
  /// One step of the C library, by what it has.
  fileprivate struct Part {
    var kind: touchroute_view_step_kind
    var path: String
    var controller: String?
    var properties: [ViewChange.Property]
  }

  private var parts: [Part] {
    switch self {
    case .add(let view, let superview): view.parts(in: superview)
    case .remove(let path): [Part(kind: TOUCHROUTE_STEP_REMOVE, path: path, properties: [])]
    case .change(let path, let properties):
      [Part(kind: TOUCHROUTE_STEP_CHANGE, path: path, properties: properties)]
    }
  }

  /// The steps as the C library takes them, as long as the function runs; nil where a text has NUL.
  static func withWireSteps<Result>(
    _ steps: [ViewStep], _ body: (UnsafeBufferPointer<touchroute_view_change>) -> Result
  ) -> Result? {
    let parts = steps.flatMap(\.parts)
    guard !parts.contains(where: \.hasNul) else { return nil }
    let texts = parts.flatMap {
      [Array($0.path.utf8CString), Array(($0.controller ?? "").utf8CString)]
    }
    let textStarts = texts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    let starts = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.properties.count) }
    let changes = parts.flatMap { $0.properties.map { ViewChange("", $0) } }
    return ViewChange.withWireChanges(changes) { properties in
      Array(texts.joined()).withUnsafeBufferPointer { bytes in
        let wire = parts.indices.map { index in
          touchroute_view_change(
            kind: parts[index].kind.rawValue,
            path: bytes.baseAddress.map { $0 + textStarts[2 * index] },
            controller: parts[index].controller == nil
              ? nil : bytes.baseAddress.map { $0 + textStarts[2 * index + 1] },
            properties: properties.baseAddress.map { $0 + starts[index] },
            property_count: UInt32(parts[index].properties.count))
        }
        return wire.withUnsafeBufferPointer(body)
      }
    }
  }
}

extension ViewStep.Part {
  /// C's strings end at NUL: it would be another one.
  fileprivate var hasNul: Bool {
    path.utf8.contains(0) || controller?.utf8.contains(0) == true
      || properties.contains { $0.words.utf8.contains(0) }
  }
}

extension Subview {
  fileprivate func parts(in superview: String) -> [ViewStep.Part] {
    let path = superview.isEmpty ? name : superview + "/" + name
    let own = ViewStep.Part(
      kind: TOUCHROUTE_STEP_ADD, path: path, controller: controller,
      properties: [.frame(frame)] + properties)
    return [own] + subviews.flatMap { $0.parts(in: path) }
  }
}
