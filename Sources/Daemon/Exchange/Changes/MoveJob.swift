import Configuration
import Layout

/// Goes over to another configuration's layout: what is set and added stays where it is possible
/// there. Rules L6 and L7.
struct MoveJob: Sendable {
  let new: PreparedConfiguration
  /// What those may who have set something, by the new configuration.
  let rights: SetterRights

  func make(on editor: inout LayoutEditor?) -> LayoutOutcome {
    let configuration = new.configuration
    let layout = configuration.layout
    guard editor?.isEmpty == false else {
      editor = nil
      return LayoutOutcome(dropped: DroppedPaths(in: layout))
    }
    let paths =
      editor?.move(
        to: layout, of: configuration.layoutDescription, limits: configuration.limits.layout) ?? []
    let uncovered = editor?.uncoverSecureViews(for: rights.mayHave) ?? []
    return LayoutOutcome(
      dropped: DroppedPaths(paths, uncovered: uncovered, in: editor?.layout ?? layout))
  }
}
