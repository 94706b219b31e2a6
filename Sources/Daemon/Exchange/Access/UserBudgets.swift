import Configuration
import Layout
import Routing
import Server

/// What the daemon keeps for the programs of each user, and may. Rule F5.
struct UserBudgets {
  let pipeline: RunningPipeline
  let server: Server
  let rights: ClientRights
  let queue: AttachQueue
  let transactions: LayoutTransactions
  let gestures: GestureKeeper

  /// A request has a client have no more than that kept in addition.
  private static let mostOfARequest = 1 << 21

  /// What the programs of a client's user have kept, and may; nil where nobody is near the limit,
  /// and for a client of the control socket. Rule F5.
  func budget(of client: ClientID) -> UserBudget? {
    let limit = rights.configuration.limits.bytesPerUser
    guard keptBytes + Self.mostOfARequest > limit, !server.isControl(client),
      let peer = server.credentials(of: client)
    else { return nil }
    let clients = Set(server.clientsOfSameUser(as: client))
    var budget = UserBudget(
      user: peer.uid, limit: limit, clients: clients,
      numbers: Set(clients.compactMap { transactions.setters.numbers[$0] }),
      attachments: pipeline.attachments)
    budget.others = bytesBesideViews(of: budget)
    return budget
  }

  /// Why a client may not have so many bytes more kept; nil where it may.
  func refusal(ofKeeping bytes: Int, for client: ClientID) -> String? {
    budget(of: client).flatMap { $0.refusal(of: $0.bytes(in: transactions.editor) + bytes) }
  }

  /// What is charged to all at most: costs the same however much there is.
  var keptBytes: Int {
    let attachments = pipeline.attachments.count + queue.places.count
    return transactions.keptBytes + gestures.keptBytes
      + attachments * UserBudget.bytes(ofAttachmentTo: Self.longestPath)
      + server.clientCount * UserBudget.Cost.ofClient
  }

  private static let longestPath = 3072

  /// What is charged to all but for the lengths of paths.
  var chargedBytes: Int {
    transactions.keptBytes + gestures.keptBytes
      + pipeline.attachments.count * UserBudget.Cost.ofAttachment
      + server.clientCount * UserBudget.Cost.ofClient
  }

  private func bytesBesideViews(of budget: UserBudget) -> Int {
    var bytes = budget.clients.count * UserBudget.Cost.ofClient
    for client in budget.clients { bytes += gestures.keptBytes(of: client) }
    bytes += gestures.settings.charges.sum(where: budget.isOwn)
    for attachment in budget.attachments.all where budget.clients.contains(attachment.client) {
      let path = pipeline.layout.path(of: attachment.responder)
      bytes += UserBudget.bytes(ofAttachmentTo: path.utf8.count)
    }
    for place in queue.places.all where budget.clients.contains(place.client) {
      bytes += UserBudget.bytes(ofAttachmentTo: place.request.path.utf8.count)
    }
    return bytes
  }
}

extension UserBudget {
  /// What is charged for an attachment to a path of so many bytes, held or queued.
  static func bytes(ofAttachmentTo path: Int) -> Int { Cost.ofAttachment + 4 * path }
}
