import Layout
import Routing
import Server
import TouchModel

/// Who has still the right by which something was set, by the rules, the layout and the attachments
/// as they were when this was made. Rules L6 and F7.
struct RightsReview: Sendable {
  let policy: AccessPolicy
  let attachments: AttachmentTable
  /// Those who have set something through attachments, or by a rule's right.
  private let programs: [ClientID: ConnectedProgram]
  private let clients: [UInt32: ClientID]

  init(
    policy: AccessPolicy, setters: Setters, attachments: AttachmentTable,
    programs: [ClientID: ConnectedProgram]
  ) {
    self.policy = policy
    self.attachments = attachments
    self.programs = programs
    clients = Dictionary(setters.numbers.map { ($1, $0) }) { first, _ in first }
  }

  /// Whether a setter's right to change the view or recogniser of a path is no more, or is
  /// another.
  func isOver(_ setter: LayoutSetter, _ path: String) -> Bool {
    switch setter {
    case .lasting: return false
    case .named(let number, let names):
      guard let client = clients[number], let program = programs[client] else { return true }
      return right(to: path, of: program) != .rule(within: names)
    case .passing(let number):
      guard let held = attachments[AttachmentID(number)], let program = programs[held.client],
        !policy.isOutranked(held, at: path)
      else { return true }
      switch right(to: path, of: program) {
      case .control, .rule, .attachment: return false
      case .window, nil: return true
      }
    }
  }

  private func right(to path: String, of program: ConnectedProgram) -> AccessPolicy.Right? {
    do throws(AccessPolicy.Refusal) {
      return try policy.right(to: ViewChange(path, .configured), by: program)
    } catch { return nil }
  }
}
