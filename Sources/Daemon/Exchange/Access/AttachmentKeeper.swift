import Configuration
import Layout
import Logging
import Routing
import Server
import Wire

/// Gives responders to clients that ask for them, and ends attachments: at their clients' wish, or
/// as soon as they are no longer allowed. Rules R2 and F6.
final class AttachmentKeeper {
  /// How far a turn has served those in line.
  struct Served {
    fileprivate var given = 0
    fileprivate var lookedAt = 0

    /// Of those in line so many are given their responders in one turn, and so many looked at.
    private static let givenInATurn = 16
    private static let lookedAtInATurn = 256

    fileprivate var isOver: Bool {
      given >= Self.givenInATurn || lookedAt >= Self.lookedAtInATurn
    }
  }

  private let pipeline: RunningPipeline
  private let server: Server
  private let rights: ClientRights
  private let queue: AttachQueue
  private let holders: HolderNotifier
  private let observers: ObserverFeed
  /// What was set through an attachment is taken back with it.
  private let transactions: LayoutTransactions
  /// Recognizers go with their attachments.
  private let gestures: GestureKeeper
  /// What each user's programs have used of the numbers.
  var numbers = NumberShares(of: .attachments)

  init(
    _ pipeline: RunningPipeline, _ server: Server, _ rights: ClientRights, queue: AttachQueue,
    holders: HolderNotifier, observers: ObserverFeed, _ transactions: LayoutTransactions,
    _ gestures: GestureKeeper
  ) {
    self.pipeline = pipeline
    self.server = server
    self.rights = rights
    self.queue = queue
    self.holders = holders
    self.observers = observers
    self.transactions = transactions
    self.gestures = gestures
  }

  /// How many in line one request looks at.
  private static let mostLooks = 8

  // MARK: - Requests

  /// Carries out `attach`. Rule R2.
  func attach(_ request: AttachRequest, _ token: RequestToken, within budgets: UserBudgets) {
    let client = token.client
    let ahead = serveOverdue(at: request.path)
    if let refusal = refusal(of: request, by: client) {
      return server.answer(token, .notAllowed, refusal)
    }
    if let refusal = numbers.refusal(for: server.sharingUser(of: client)) {
      return server.answer(token, .limit, "attach: " + refusal)
    }
    if let error = excess(by: client) { return server.refuse(error, token) }
    let bytes = UserBudget.bytes(toPathsOf: request.path.utf8.count)
    if let refusal = budgets.refusal(ofKeeping: bytes, for: client) {
      return server.answer(token, .limit, "attach: " + refusal)
    }
    let holder = holder(ofResponderAt: request.path)
    if holder == nil, let ahead { return wait(request, token, behind: ahead) }
    let now = pipeline.now
    do throws(RoutingError) {
      let attachment = try pipeline.update { pipeline throws(RoutingError) in
        try pipeline.attach(request, by: client, at: now)
      }
      numbers.use(by: server.sharingUser(of: client))
      granted(attachment, as: request)
      server.answer(
        token, attached: attachment, in: pipeline.layout, generation: pipeline.generation)
      if let holder { ended([holder], of: holder.client) }
      review(holdersOf: attachment)
      // Who holds a window has a right to what is secure in it, which its client may wait for.
      serveQueue()
    } catch {
      guard request.waits, case .held(_, let holder, _, isOwn: false) = error else {
        return server.refuse(error, token)
      }
      wait(request, token, for: holder)
    }
  }

  /// Who waits comes before who comes now, also where the line is yet to be served: gives a
  /// responder that nobody holds to the first of those in line for it who may have it.
  ///
  /// - Returns: The next in line where so many have been looked at that the others have to wait for
  ///   their turn. Rule R2.
  private func serveOverdue(at path: String) -> AttachQueue.Place? {
    guard pipeline.layout.responder(at: path) != nil, holder(ofResponderAt: path) == nil
    else { return nil }
    let overdue = queue.overdue(at: path)
    for place in overdue.prefix(Self.mostLooks) {
      guard let attachment = give(to: place) else { continue }
      review(holdersOf: attachment)
      return nil
    }
    return overdue.dropFirst(Self.mostLooks).first
  }

  /// Puts a request behind those in line, where nobody holds its responder yet.
  private func wait(
    _ request: AttachRequest, _ token: RequestToken, behind ahead: AttachQueue.Place
  ) {
    if request.waits { return wait(request, token, for: ahead.client) }
    let error = RoutingError.held(
      path: request.path, holder: ahead.client, attachment: ahead.id, isOwn: false)
    server.refuse(error, token)
  }

  /// Puts an attachment in line, under a number of its own.
  private func wait(_ request: AttachRequest, _ token: RequestToken, for holder: ClientID) {
    if let error = ownExcess(by: token.client) { return server.refuse(error, token) }
    guard pipeline.state.numbers.attachment < .max else {
      return server.refuse(.attachmentsUsedUp, token)
    }
    let number = pipeline.update { pipeline in
      defer { pipeline.numbers.attachment += 1 }
      return AttachmentID(pipeline.numbers.attachment)
    }
    numbers.use(by: server.sharingUser(of: token.client))
    queue.stand(AttachQueue.Place(id: number, client: token.client, request: request))
    let reason = "\"\(request.path)\" is held by \(server.name(of: holder))"
    server.answer(token, waitingAs: number, reason)
  }

  /// A window that is held is for its holder: what others have set of it by its application is
  /// taken back. And its holder may have its secure views from now on: what that client has set is
  /// no longer measured against these, but others' is against that. Rule F7.
  ///
  /// - Returns: Whether there may be something to take back.
  @discardableResult
  private func review(holdersOf attachment: Attachment) -> Bool {
    guard let view = pipeline.layout.root(ofWindow: attachment.responder),
      pipeline.layout.window(of: view).application != nil || !pipeline.layout.hasNoSecureView
    else { return false }
    transactions.add(.review)
    return true
  }

  /// Takes note of an attachment that was granted.
  private func granted(_ attachment: Attachment, as request: AttachRequest) {
    let path = pipeline.layout.path(of: attachment.responder)
    holders.attached(attachment, to: path)
    observers.tell(.attached(attachment, path: path))
    guard request.waits else { return }
    queue.hold(
      AttachQueue.Place(id: attachment.id, client: attachment.client, request: request))
  }

  /// Carries out `detach`; it is answered when what was set and added through it is gone.
  func detach(_ id: AttachmentID, _ token: RequestToken) {
    if queue.places(of: token.client).contains(where: { $0.id == id }) {
      queue.leave(id)
      return server.answer(token, doneWith: 0, generation: pipeline.generation)
    }
    let attachment = pipeline.attachments[id]
    let now = pipeline.now
    if attachment?.client == token.client {
      observers.tell(.detached(id, of: token.client, .requested))
    }
    do throws(RoutingError) {
      try pipeline.update { pipeline throws(RoutingError) in
        try pipeline.detach(id, by: token.client, at: now)
      }
      queue.leave(id)
      holders.ended(id, of: token.client)
      if let attachment { ended([attachment], of: token.client) }
      server.wait(token.client)
      transactions.add(.detached(token))
      serveQueue()
    } catch { server.refuse(error, token) }
  }

  /// Takes a client that is gone out of line, and serves those who waited for what it held.
  func wentAway(_ client: ClientID) {
    queue.leave(client)
    serveQueue()
  }

  /// Gives responders that nobody holds to those who wait for them and may have them: who attached
  /// first comes first. So many as one turn has for it; the others in further turns, each behind
  /// what touchscreens and quiet programs bring; and behind what is being taken back, so that
  /// nobody is given what is about to change. Rules R2 and F1.
  func serveQueue() {
    if queue.beginServing() { transactions.add(.serveQueue(Served())) }
  }

  /// Serves those in line, behind those that were served in this turn; whether it goes on in a
  /// further turn.
  func serve(behind served: Served) -> Bool {
    var served = served
    while !served.isOver, let place = queue.nextToServe() {
      served.lookedAt += 1
      guard let attachment = give(to: place) else { continue }
      served.given += 1
      // What one is given may be why another one may have something: the holder of a window has a
      // right to what is secure in it. So the line is served once more, and not from the front for
      // each.
      queue.serveOnceMore()
      if review(holdersOf: attachment) {
        transactions.add(.serveQueue(served))
        return false
      }
    }
    return queue.isBeingServed
  }

  private func give(to place: AttachQueue.Place) -> Attachment? {
    guard let responder = pipeline.layout.responder(at: place.request.path),
      pipeline.attachments[holderOf: responder] == nil,
      let program = rights.program(place.client),
      rights.policy(in: pipeline).refusal(toAttachTo: place.request.path, by: program) == nil
    else { return nil }
    let now = pipeline.now
    do throws(RoutingError) {
      let attachment = try pipeline.update { pipeline throws(RoutingError) in
        try pipeline.attach(place.request, by: place.client, as: place.id, at: now)
      }
      granted(attachment, as: place.request)
      server.send(attached: attachment, in: pipeline.layout, generation: pipeline.generation)
      return attachment
    } catch { return nil }
  }

  /// Attaches a client that was attached to the daemon before, under the number that it knows; it
  /// is told of the geometry, or that it is detached.
  ///
  /// - Parameter sequence: The number of the latest frame that a client was sent.
  func restore(_ hold: Handover.Hold, of client: ClientID, sequence: UInt64) {
    let place = AttachQueue.Place(id: hold.id, client: client, request: hold.request)
    if hold.isWaiting { return queue.stand(place) }
    let now = pipeline.now
    do throws(RoutingError) {
      let attachment = try pipeline.update { pipeline throws(RoutingError) in
        pipeline.numbers.sequence = sequence
        return try pipeline.attach(hold.request, by: client, as: hold.id, at: now)
      }
      granted(attachment, as: hold.request)
      pipeline.send(layoutOf: attachment)
    } catch {
      guard hold.request.waits else {
        return server.send(detached: hold.id, of: client, .removed)
      }
      queue.stand(place)
      server.send(waiting: hold.id, of: client, because: .removed)
    }
  }

  // MARK: - Ends

  /// Ends the attachments that are no longer allowed: by the rules in force, or since their client
  /// no longer holds the window that a secure view lies in. Rule F6.
  ///
  /// - Parameter hasOtherRules: Whether the rules may be others. Where they are not, an attachment
  ///   that nothing secure is near costs next to nothing: a client may make views secure all the
  ///   time. Rule F1.
  func endForbidden(
    hasOtherRules: Bool, where isConcerned: (Attachment) -> Bool = { _ in true }
  ) {
    // The end of one may be that of others: of what its client holds in that window.
    var revoked: [AttachmentID] = []
    var isOver = false
    while !isOver {
      isOver = true
      // None while the pipeline changes, which would copy what the policy has of it.
      var policy: AccessPolicy?
      for attachment in pipeline.attachments.all where isConcerned(attachment) {
        if policy == nil { policy = rights.policy(in: pipeline) }
        guard
          let refusal = policy.flatMap({ refusal(ofKeeping: attachment, by: $0, hasOtherRules) })
        else { continue }
        policy = nil
        server.log(.notice, about: attachment.client, "detached: \(refusal)")
        let now = pipeline.now
        pipeline.update { $0.revoke(attachment, at: now) }
        revoked.append(attachment.id)
        isOver = false
      }
    }
    gestures.end(of: revoked)
    let now = pipeline.now
    pipeline.update { $0.reviewReaders(at: now) }
  }

  private func refusal(
    ofKeeping attachment: Attachment, by policy: AccessPolicy, _ hasOtherRules: Bool
  ) -> String? {
    guard hasOtherRules || policy.mayBeLost(attachment.responder, by: attachment.client),
      let program = rights.program(attachment.client)
    else { return nil }
    let path = policy.layout.path(of: attachment.responder)
    return policy.refusal(toAttachTo: path, by: program)
  }

  /// Does what follows from the end of attachments, once it is told: what was set through them is
  /// taken back, and what a client held only because of them ends too.
  private func ended(_ attachments: [Attachment], of client: ClientID) {
    let layout = pipeline.layout
    var ids = attachments.map(\.id)
    if let window = attachments.lazy.compactMap({ layout.secureWindow($0.responder) }).first {
      let before = pipeline.attachments.all.filter { $0.client == client }
      endForbidden(hasOtherRules: false) { attachment in
        attachment.client == client && layout.isResponder(attachment.responder, in: window)
      }
      ids += before.map(\.id).filter { pipeline.attachments[$0] == nil }
    }
    transactions.end(ids, of: client)
    gestures.end(of: ids)
  }

  // MARK: - Refusals

  /// Why a client may not have what it asks for; nil where it may, as far as that is a matter of
  /// who it is.
  private func refusal(of request: AttachRequest, by client: ClientID) -> String? {
    guard pipeline.layout.responder(at: request.path) != nil, let program = rights.program(client)
    else { return nil }
    return rights.policy(in: pipeline).refusal(toAttachTo: request.path, by: program)
      ?? refusalOfTakeOver(request, by: client)
  }

  /// Why a client may not take a responder over; nil where it may, or does not ask for it. Its own
  /// user's programs may, root's, and those of the control socket. Rule R2.
  private func refusalOfTakeOver(_ request: AttachRequest, by client: ClientID) -> String? {
    guard request.takesOver, let holder = holder(ofResponderAt: request.path)?.client,
      holder != client, !server.isControl(client)
    else { return nil }
    let user = server.credentials(of: client)?.uid
    guard user != 0, user != server.credentials(of: holder)?.uid else { return nil }
    return "\"\(request.path)\" is held by \(server.name(of: holder)): only programs of the same "
      + "user, root's and those on the control socket may take it over"
  }

  /// Why a client may attach to nothing more because of what its user's programs hold already; nil
  /// where it may. Rule F5.
  private func excess(by client: ClientID) -> RoutingError? {
    // The router counts those that hold something.
    if queue.count(of: client) > 0, let error = ownExcess(by: client) { return error }
    let limit = rights.configuration.limits.attachmentsPerUser
    guard pipeline.attachments.count + queue.places.count >= limit else {
      return nil
    }
    let held = server.clientsOfSameUser(as: client).reduce(0) { $0 + count(of: $1) }
    guard held >= limit else { return nil }
    return .limit(
      limit, of: "attachments of one user's programs", key: "limits.attachments_per_user")
  }

  /// Why a client may have no more attachments, with those in line; nil where it may. Rule F5.
  private func ownExcess(by client: ClientID) -> RoutingError? {
    let limit = rights.configuration.limits.attachments
    guard count(of: client) >= limit else { return nil }
    return .limit(limit, of: "attachments of one client", key: "limits.attachments")
  }

  /// How many attachments a client has, with those in line.
  private func count(of client: ClientID) -> Int {
    pipeline.attachments.count(of: client) + queue.count(of: client)
  }

  private func holder(ofResponderAt path: String) -> Attachment? {
    pipeline.layout.responder(at: path).flatMap { pipeline.attachments[holderOf: $0] }
  }
}

extension Layout {
  /// The window that a responder is, where there is something secure in it.
  fileprivate func secureWindow(_ responder: ResponderID) -> ViewIndex? {
    guard let view = root(ofWindow: responder) else { return nil }
    return firstSecureView(in: view) == nil ? nil : view
  }

  /// Whether it is a view or a controller of that window.
  fileprivate func isResponder(_ responder: ResponderID, in root: ViewIndex) -> Bool {
    view(of: responder).map { window(of: $0).root == root } ?? false
  }
}
