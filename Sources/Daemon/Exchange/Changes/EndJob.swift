import Configuration
import Layout

/// What was set and added by rights that are no more.
enum EndedRights: Sendable {
  /// Those that have ended.
  case ends(Setters.Rights)
  /// All that these do not give.
  case besides(SetterRights)

  /// Whether what somebody has set of the view or recognizer of a path is among it.
  func contains(_ setter: LayoutSetter, _ path: String) -> Bool {
    switch self {
    case .ends(let ends): ends.contains(setter)
    case .besides(let rights): rights.isOver(setter, path)
    }
  }
}

/// Takes back what was set and added by rights that are no more, and what then takes touches from
/// secure views. Rules L6 and F7.
struct EndJob: Sendable {
  let ended: EndedRights
  /// What those may who have set something.
  let rights: SetterRights
  let configuration: Configuration

  func make(on editor: inout LayoutEditor?) -> LayoutOutcome {
    let paths = editor?.end(where: ended.contains) ?? []
    let uncovered = editor?.uncoverSecureViews(for: rights.mayHave) ?? []
    let layout = editor?.layout ?? configuration.layout
    return LayoutOutcome(dropped: DroppedPaths(paths, uncovered: uncovered, in: layout))
  }
}
