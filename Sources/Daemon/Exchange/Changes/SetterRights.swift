import Layout
import Routing
import Server
import TouchModel

/// Which program each setter is, and what that may, by the rules, the layout and the attachments as
/// they were when this was made. Rules L6 and F7.
struct SetterRights: Sendable {
  private let policy: AccessPolicy
  /// Those who have set something, and those who are about to.
  private let programs: [ClientID: ConnectedProgram]
  private var clients: [UInt32: ClientID]

  init(
    policy: AccessPolicy, setters: Setters, programs: [ClientID: ConnectedProgram]
  ) {
    self.policy = policy
    self.programs = programs
    clients = setters.clientsByNumber
  }

  /// Takes in who has set something since.
  mutating func take(_ setters: Setters) { clients = setters.clientsByNumber }

  private func program(_ setter: LayoutSetter) -> ConnectedProgram? {
    switch setter {
    case .administrator: nil
    case .named(let number, _): clients[number].flatMap { programs[$0] }
    case .attachment(let number):
      policy.attachments[AttachmentID(number)].flatMap { programs[$0.client] }
    }
  }

  /// Whether a setter may have the touches of the secure view of a path; who is gone may not.
  /// Rule F7.
  func mayHave(_ setter: LayoutSetter, _ securePath: String) -> Bool {
    if case .administrator = setter { return true }
    return program(setter).map { policy.mayHave(securePath, $0) } ?? false
  }

  /// Whether a setter's right to change the view or recognizer of a path is no more, or is
  /// another.
  func isOver(_ setter: LayoutSetter, _ path: String) -> Bool {
    switch setter {
    case .administrator: return false
    case .named(_, let names):
      guard let program = program(setter),
        case .rule(let present) = right(to: path, of: program)
      else { return true }
      return present > names
    case .attachment(let number):
      guard let held = policy.attachments[AttachmentID(number)], let program = program(setter),
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
