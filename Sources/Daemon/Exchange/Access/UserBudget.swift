import Layout
import Routing

/// How much the programs of a user have the daemon keep, and may. Rule F5.
struct UserBudget: Sendable {
  /// What is charged beside what is set and added: docs/configuration.md says the same.
  enum Cost {
    static let ofClient = 16_384
    static let ofAttachment = 1024
    static let ofGesture = 4096
    static let ofGestureSetting = 512
  }

  /// The user's number.
  let user: UInt32
  /// The bytes that the user's programs may have kept.
  let limit: Int
  /// What is charged beside what is set and added of views.
  var others = 0
  /// The user's clients.
  let clients: Set<ClientID>
  /// What those of them are called that have set something by a rule's right.
  let numbers: Set<UInt32>
  let attachments: AttachmentTable

  /// What is charged with what an editor has.
  func bytes(in editor: LayoutEditor?) -> Int {
    others + (editor?.keptBytes(where: isOwn) ?? 0)
  }

  /// Whether what is set by somebody is the user's.
  func isOwn(_ setter: LayoutSetter) -> Bool {
    switch setter {
    case .administrator: false
    case .named(let number, _): numbers.contains(number)
    case .attachment(let number):
      attachments[AttachmentID(number)].map { clients.contains($0.client) } ?? false
    }
  }

  /// Why so many bytes may not be kept; nil where they may.
  func refusal(of bytes: Int) -> String? {
    guard bytes > limit else { return nil }
    return
      "the programs of uid \(user) would have touchrouted keep \(bytes) bytes, beyond the limit of "
      + "\(limit) (limits.bytes_per_user); remove views or gestures, set views as configured, or "
      + "detach"
  }
}
