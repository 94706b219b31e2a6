import Layout
import Routing
import Server
import TouchModel

/// Who has still the right by which something was set, by the rules, the layout and the attachments
/// as they were when this was made. Rules L6 and F7.
struct RightsReview: Sendable {
  let policy: AccessPolicy
  let setters: Setters
  let attachments: AttachmentTable
  /// Those who have attachments.
  let programs: [ClientID: ConnectedProgram]

  /// Whether a setter's right to change the view or recogniser of a path is no more.
  func isOver(_ setter: LayoutSetter, _ path: String) -> Bool {
    setters.isOver(
      setter, path,
      rule: { user, path in policy.isNamed(user.user, user.groups, for: path) },
      attachment: { id, path in
        guard let held = attachments[id], let program = programs[held.client],
          !policy.isOutranked(held, at: path)
        else { return false }
        return (try? policy.right(to: ViewChange(path, .configured), by: program)) != nil
      })
  }
}
