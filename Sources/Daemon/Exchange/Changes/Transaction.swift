import Routing
import Server
import TouchModel

/// Requests of clients that are carried out together: those to set as one change of the layout, and
/// behind it one by one those that add and remove recognizers and views. Rule F1.
struct Transaction {
  /// The clients whose requests were taken; they wait until these are carried out.
  private(set) var clients: [ClientID] = []
  /// How many requests it has.
  private(set) var count = 0
  /// What has yet to be carried out.
  private var steps: [LayoutRequest] = []
  /// How long the loop was busy with it, in microseconds.
  var took: UInt64 = 0

  /// So many requests are taken, and so many of each client.
  private let limit: Int
  private let share: Int
  /// The requests of the latest client, and whether one of them was not to set.
  private var taken = 0
  private var hasOther = false
  /// How many views and recognizers the requests are about.
  private var parts = 0

  /// The views and recognizers that are one transaction, for each of its requests: no further
  /// request is taken beyond that.
  private static let partsPerRequest = 4

  /// A transaction without requests, of which so many clients have a share.
  init(limit: Int, clientCount: Int) {
    self.limit = limit
    share = max(1, limit / max(1, clientCount))
  }

  // MARK: - Taking requests

  /// Whether the requests of a further client are taken.
  var takesClients: Bool { count < limit && takesParts }

  /// Whether a further request of the latest client is taken.
  var takesRequest: Bool { taken < share && takesParts }

  /// Whether that may be one to set: not behind another one of its client.
  var takesSet: Bool { !hasOther }

  private var takesParts: Bool { parts < limit * Self.partsPerRequest }

  /// Requests of a client follow.
  mutating func begin(_ client: ClientID) {
    clients.append(client)
    taken = 0
    hasOther = false
  }

  /// Takes a request of the latest client.
  mutating func take(_ request: Request, _ token: RequestToken) {
    count += 1
    taken += 1
    guard case .set(let changes) = request else {
      hasOther = true
      steps.append(.change(token, request))
      parts += Self.parts(of: request)
      return
    }
    parts += changes.count
    guard case .set(var batches) = steps.first else {
      return steps.insert(.set([(token, changes)]), at: 0)
    }
    batches.append((token, changes))
    steps[0] = .set(batches)
  }

  /// Where views come or go the layout is made anew: nothing comes behind that in a transaction.
  private static func parts(of request: Request) -> Int {
    guard case .changeViews(let views) = request else { return 1 }
    return views.addsOrRemoves ? Int.max / 2 : views.steps.count
  }

  // MARK: - Carrying out

  /// Whether something has yet to be carried out.
  var hasSteps: Bool { !steps.isEmpty }

  /// Takes the next step out; nil where all were.
  mutating func takeStep() -> LayoutRequest? { steps.isEmpty ? nil : steps.removeFirst() }

  /// Whether something that a client asked for has yet to be carried out.
  func awaitsStep(of client: ClientID) -> Bool {
    steps.contains { $0.tokens.contains { $0.client == client } }
  }
}
