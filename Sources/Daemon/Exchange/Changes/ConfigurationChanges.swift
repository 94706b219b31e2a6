import Configuration
import Gestures
import Layout
import TouchModel

/// What is different between two configurations, in words.
struct ConfigurationChanges: CustomStringConvertible {
  /// Whether the layout is another.
  let hasNewLayout: Bool
  /// One sentence, such as `window "nav" added; the limits changed`.
  let description: String

  /// Names listed of one kind of change; of more only the number is given.
  private static let listed = 8

  init(from old: Configuration, to new: Configuration) {
    let before = old.layoutDescription
    let after = new.layoutDescription
    var changes = Self.compare("screen", before.screens, after.screens, name: \.name)
    changes += Self.compare("window", before.windows, after.windows, name: \.name)
    changes += Self.compare("view", before.views, after.views, name: \.path)
    let isReordered = changes.isEmpty && before != after
    changes += Self.compare("gesture", old.gestures, new.gestures, name: \.path)
    hasNewLayout = before != after || old.gestures != new.gestures
    if isReordered { changes.append("the order of windows or views changed") }
    if old.devices != new.devices { changes.append("the rules for devices changed") }
    if old.access != new.access { changes.append("the rules for access changed") }
    if old.limits != new.limits { changes.append("the limits changed") }
    if old.touch != new.touch { changes.append("the settings of touches changed") }
    description = changes.isEmpty ? "nothing changed" : changes.joined(separator: "; ")
  }

  private static func compare<Item: Equatable>(
    _ kind: String, _ before: [Item], _ after: [Item], name: KeyPath<Item, String>
  ) -> [String] {
    let old = Dictionary(before.map { ($0[keyPath: name], $0) }) { first, _ in first }
    let new = Dictionary(after.map { ($0[keyPath: name], $0) }) { first, _ in first }
    let added = after.map { $0[keyPath: name] }.filter { old[$0] == nil }
    let removed = before.map { $0[keyPath: name] }.filter { new[$0] == nil }
    let changed = after.map { $0[keyPath: name] }.filter { old[$0] != nil && old[$0] != new[$0] }
    return [
      sentence(kind, added, "added"), sentence(kind, removed, "removed"),
      sentence(kind, changed, "changed"),
    ].compactMap(\.self)
  }

  private static func sentence(_ kind: String, _ names: [String], _ verb: String) -> String? {
    guard !names.isEmpty else { return nil }
    var list = names.prefix(listed).map { "\"\($0)\"" }.joined(separator: ", ")
    if names.count > listed { list += " and \(names.count - listed) more" }
    return "\(kind)\(names.count == 1 ? "" : "s") \(list) \(verb)"
  }
}
