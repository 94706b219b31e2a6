import Layout
import TouchModel

/// What was set by the plainest means: a description that is written anew for every layout.
struct OracleEditor {
  let configured: LayoutDescription
  private var values: [String: [(property: ViewChange.Property, setter: LayoutSetter)]] = [:]
  private var order: [(path: String, place: Int)] = []

  init(configured: LayoutDescription) { self.configured = configured }

  var isEmpty: Bool { values.isEmpty && order.isEmpty }

  /// Takes a batch of a lasting setter in; false where it gives no layout, and nothing of it is
  /// taken.
  mutating func apply(_ batch: [ViewChange]) -> Bool {
    let before = self
    for change in batch {
      force(SetChange(change, by: .administrator(0)))
      // Each change must be possible by itself, whatever comes behind it.
      guard isPossible(change) else {
        self = before
        return false
      }
    }
    if (try? Layout(description())) != nil { return true }
    self = before
    return false
  }

  /// Takes a change in, whether it gives a layout or not.
  mutating func force(_ set: SetChange) {
    let change = set.change
    let isPassing = set.setter != .administrator(0)
    switch change.property {
    case .configured:
      // Who passes leaves what others keep secret.
      values[change.path]?.removeAll { value in
        !isPassing || value.property.kind != .secure || value.setter == set.setter
      }
      order.removeAll { $0.path == change.path }
    case .secure(false) where isPassing:
      values[change.path]?.removeAll { $0.property.kind == .secure && $0.setter == set.setter }
    case .order(let place):
      order.removeAll { $0.path == change.path }
      order.append((change.path, place))
    default: values[change.path, default: []].append((change.property, set.setter))
    }
    if values[change.path]?.isEmpty == true { values[change.path] = nil }
  }

  private func isPossible(_ change: ViewChange) -> Bool {
    let paths = configured.windows.map(\.name) + configured.views.map(\.path)
    guard paths.contains(change.path) else { return false }
    func has(_ name: String) -> Bool { paths.contains(change.path + "/" + name) }
    switch change.property {
    case .alpha(let value): return value >= 0 && value <= 1
    case .boundsOrigin(let point): return point.x.isFinite && point.y.isFinite
    case .transform(let transform): return transform.inverted() != nil
    case .outset(let outset): return outset.right.isFinite
    case .shape(.rounded(let radius)): return radius >= 0
    case .shape(.polygon(let points)):
      return points.count >= 3 && points.allSatisfy(\.x.isFinite)
    case .inside(.children(let names)):
      return names.allSatisfy { !$0.contains("/") && has($0) }
    case .hit(.redirect(let path)), .hit(.first(let path)): return has(path)
    case .label(let text): return text.count <= 80 && !text.contains("\n")
    case .feedback(let name): return !name.contains(" ")
    case .level(let level): return !change.path.contains("/") && abs(level) <= 1_000_000
    default: return true
    }
  }

  func description() -> LayoutDescription {
    var result = configured
    for index in result.windows.indices {
      change(&result.windows[index].properties, result.windows[index].name)
    }
    for index in result.views.indices {
      change(&result.views[index].properties, result.views[index].path)
    }
    for index in result.windows.indices {
      for case (.level(let level), _) in values[result.windows[index].name] ?? [] {
        result.windows[index].level = level
      }
    }
    let groups = Dictionary(grouping: result.views) { Self.parent($0.path) }
    result.views = groups.keys.sorted().flatMap { arranged(groups[$0] ?? [], \.path) }
    let levels = Set(result.windows.map(\.level)).sorted()
    result.windows = levels.flatMap { level in
      arranged(result.windows.filter { $0.level == level }, \.name)
    }
    return result
  }

  private func arranged<Item>(_ items: [Item], _ path: KeyPath<Item, String>) -> [Item] {
    let moved = order.enumerated().sorted {
      ($0.element.place, $0.offset) > ($1.element.place, $1.offset)
    }
    // Each at its index, of two the one in front; then those that lost theirs, above before below.
    var result = [Item?](repeating: nil, count: items.count)
    var losers: [(item: Item, place: Int)] = []
    for (_, move) in moved {
      guard let item = items.first(where: { $0[keyPath: path] == move.path }) else { continue }
      let place = min(move.place, items.count - 1)
      if result[place] == nil { result[place] = item } else { losers.append((item, place)) }
    }
    for (item, place) in losers {
      let free = items.indices.filter { result[$0] == nil }
      result[free.first { $0 > place } ?? free.last ?? 0] = item
    }
    for item in items where !order.contains(where: { $0.path == item[keyPath: path] }) {
      if let free = items.indices.first(where: { result[$0] == nil }) { result[free] = item }
    }
    return result.compactMap(\.self)
  }

  private func change(_ properties: inout ViewProperties, _ path: String) {
    for (property, _) in values[path] ?? [] {
      switch property {
      case .hidden(let value): properties.hidden = value
      case .alpha(let value): properties.alpha = value
      case .interaction(let value): properties.interaction = value
      case .frame(let value): properties.frame = FrameDescription(value)
      case .boundsOrigin(let value): properties.boundsOrigin = value
      case .transform(let value): properties.transform = value
      case .outset(let value): properties.outset = value
      case .shape(let value): properties.shape = value
      case .inside(let value): properties.inside = value
      case .hit(let value): properties.hit = value
      case .secure(let value): properties.secure = value
      case .exclusiveTouch(let value): properties.exclusiveTouch = value
      case .multipleTouch(let value): properties.multipleTouch = value
      // Hit-testing does not ask for the others.
      default: properties.take(property)
      }
    }
  }

  private static func parent(_ path: String) -> Substring {
    path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
  }
}
