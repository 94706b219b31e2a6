import Gestures
import Layout
import TouchModel

/// What programs have set of recognizers, over what the configuration or who added them says:
/// whether they are enabled. By path, and by the same laws as what is set of views. Rules G1 and
/// L6.
struct RecognizerSettings {
  private var overrides: [String: ViewOverrides] = [:]
  /// What is charged, by who has set something. Rule F5.
  private(set) var charges = Charges<LayoutSetter>()

  /// Whether nothing is set.
  var isEmpty: Bool { overrides.isEmpty }

  /// What is set, as the changes that set all of it where nothing is.
  var changes: [SetChange] {
    overrides.sorted { $0.key < $1.key }.flatMap { path, overrides in
      overrides.entries.map { entry in
        SetChange(ViewChange(path, entry.property ?? .configured), by: entry.setter)
      }
    }
  }

  /// Takes in a change of `enabled`, or back to what is configured, of a recognizer that is there.
  mutating func take(_ set: SetChange) {
    var new = overrides[set.change.path] ?? ViewOverrides()
    new.take(set, number: 0, isWindow: false)
    put(new, set.change.path)
  }

  /// Takes back what fulfils the condition, of which setter and path it is.
  ///
  /// - Returns: The paths of which something was taken back.
  mutating func end(where isOver: (LayoutSetter, String) -> Bool) -> [String] {
    var changed: [String] = []
    for (path, old) in overrides {
      var new = old
      new.removeAll { isOver($0.setter, path) }
      guard new != old else { continue }
      put(new, path)
      changed.append(path)
    }
    return changed.sorted()
  }

  /// Forgets what was set of a recognizer that is no more.
  mutating func forget(_ path: String) { put(ViewOverrides(), path) }

  private mutating func put(_ new: ViewOverrides, _ path: String) {
    overrides[path]?.charge(to: &charges, times: -1) { _ in UserBudget.Cost.ofGestureSetting }
    overrides[path] = new.isEmpty ? nil : new
    new.charge(to: &charges, times: 1) { _ in UserBudget.Cost.ofGestureSetting }
  }

  /// Forgets what was set of recognizers that are not kept.
  mutating func keep(where isKept: (String) -> Bool) {
    for path in overrides.keys where !isKept(path) { forget(path) }
  }

  /// A recognizer with what is set of it.
  func applied(to spec: RecognizerSpec) -> RecognizerSpec {
    var spec = spec
    spec.description.isEnabled = overrides[spec.path]?.enabled ?? spec.description.isEnabled
    return spec
  }
}
