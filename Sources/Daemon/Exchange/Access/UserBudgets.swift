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

  /// What is charged to all: costs the same however much there is.
  var keptBytes: Int {
    let (held, inLine) = (pipeline.attachments, queue.places)
    return transactions.keptBytes + gestures.keptBytes
      + server.clientCount * UserBudget.Cost.ofClient
      + UserBudget.bytes(
        ofAttachments: held.count + inLine.count,
        toPathsOf: held.pathBytes.all + inLine.pathBytes.all)
  }

  private func bytesBesideViews(of budget: UserBudget) -> Int {
    var bytes = budget.clients.count * UserBudget.Cost.ofClient
    bytes += gestures.settings.charges.sum(where: budget.isOwn)
    let (held, inLine) = (budget.attachments, queue.places)
    for client in budget.clients {
      bytes += gestures.keptBytes(of: client)
      bytes += UserBudget.bytes(
        ofAttachments: held.count(of: client) + inLine.count(of: client),
        toPathsOf: held.pathBytes[client] + inLine.pathBytes[client])
    }
    return bytes
  }
}

extension UserBudget {
  /// What is charged for attachments, held or queued, to paths of so many bytes together.
  static func bytes(ofAttachments count: Int = 1, toPathsOf bytes: Int) -> Int {
    count * Cost.ofAttachment + 4 * bytes
  }
}
