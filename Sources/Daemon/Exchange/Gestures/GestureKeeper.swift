import Configuration
import EventLoop
import Gestures
import Layout
import Logging
import Routing
import Server
import TouchModel
import Wire

/// Adds recognizers for clients, as far as they have the right, beside those of the configuration,
/// and takes them away with their attachments. Rules G1 and F6.
///
/// What adding or removing one costs does not depend on how many others there are.
final class GestureKeeper {
  /// A recognizer that a client has added.
  private struct Added {
    let client: ClientID
    let request: GestureRequest
    /// In which order they were added.
    let order: UInt64
    /// Whether it is of a view that a program has added, with which it goes. Rule L7.
    let goesWithView: Bool
  }

  /// So many others a client's may name, as each frame looks at them. Rule F5.
  private static let mostNames = 64
  /// A circle of those that wait is looked for through so many names at most: others may have named
  /// very many. Rule F5.
  private static let mostNamesOnTheWay = 1024

  /// Why something was not done.
  typealias Refusal = (code: Wire.ErrorCode, text: String)

  private let pipeline: RunningPipeline
  private let server: Server
  private let rights: ClientRights
  private let loop: EventLoop
  /// Those of the configuration in force, by path.
  private var configured: [String: RecognizerSpec] = [:]
  /// By path.
  private var added: [String: Added] = [:]
  /// What is set of those that there are.
  private(set) var settings = RecognizerSettings()
  private var paths: [AttachmentID: Set<String>] = [:]
  private var counts: [ClientID: Int] = [:]
  /// What is charged to each client for what it has added, in bytes. Rule F5.
  private var charges = Charges<ClientID>()
  private var nextOrder: UInt64 = 0
  /// What each user's programs have used of the numbers.
  var numbers = NumberShares(of: .gestures)
  private let transactions: LayoutTransactions

  init(
    _ pipeline: RunningPipeline, _ server: Server, _ rights: ClientRights,
    _ transactions: LayoutTransactions, on loop: EventLoop
  ) {
    self.pipeline = pipeline
    self.server = server
    self.rights = rights
    self.loop = loop
    self.transactions = transactions
    _ = move()
  }

  // MARK: - Requests

  /// Carries out `add_gesture`: the answer has the recognizer's number.
  func add(_ request: GestureRequest, _ token: RequestToken, within budgets: UserBudgets) {
    if let refusal = refusal(of: request, by: token.client) ?? refusalOfNumber {
      return server.answer(token, refusal.code, refusal.text)
    }
    let user = server.sharingUser(of: token.client)
    if let text = numbers.refusal(for: user) {
      return server.answer(token, .limit, "gesture \"\(request.spec.path)\": " + text)
    }
    if let text = budgets.refusal(ofKeeping: request.keptBytes, for: token.client) {
      return server.answer(token, .limit, "gesture \"\(request.spec.path)\": " + text)
    }
    keep(request, of: token.client)
    numbers.use(by: user)
    let number = pipeline.router.recognizers.id(of: request.spec.path)
    server.answer(
      token, doneWith: Int(number?.rawValue ?? 0), generation: pipeline.generation)
  }

  /// Carries out `remove_gesture`.
  func remove(_ number: UInt32, _ token: RequestToken) {
    let id = RecognizerID(number)
    guard let path = pipeline.router.recognizer(id)?.path,
      pipeline.router.recognizers.id(of: path) == id, added[path]?.client == token.client
    else {
      return server.answer(
        token, .invalid, "this client has added no recognizer of the number \(number)")
    }
    forget(path)
    server.answer(token, generation: pipeline.generation)
  }

  private func keep(_ request: GestureRequest, of client: ClientID, as number: RecognizerID? = nil)
  {
    var request = request
    request.spec.adder = request.attachment.rawValue
    let path = request.spec.path
    added[path] = Added(
      client: client, request: request, order: nextOrder,
      goesWithView: !isConfigured(request.spec.owner))
    nextOrder += 1
    paths[request.attachment, default: []].insert(path)
    counts[client, default: 0] += 1
    charges.add(request.keptBytes, to: client)
    let now = pipeline.now
    pipeline.update { $0.put(request.spec, as: number, at: now) }
    pipeline.tellLayout()
  }

  private func forget(_ path: String) {
    guard let gone = added.removeValue(forKey: path) else { return }
    let attachment = gone.request.attachment
    paths[attachment]?.remove(path)
    if paths[attachment]?.isEmpty == true { paths[attachment] = nil }
    counts[gone.client, default: 1] -= 1
    if counts[gone.client] == 0 { counts[gone.client] = nil }
    charges.add(-gone.request.keptBytes, to: gone.client)
    // A reload may have brought one of that path.
    guard configured[path] == nil else { return }
    settings.forget(path)
    guard let id = pipeline.router.recognizers.id(of: path) else { return }
    let now = pipeline.now
    pipeline.update { $0.remove(id, at: now) }
    pipeline.tellLayout()
  }

  // MARK: - What is kept

  /// What is charged for all recognizers that clients have added, and for what is set of any. Rule
  /// F5.
  var keptBytes: Int { charges.all + settings.charges.all }

  /// What is charged to a client for those that it has added.
  func keptBytes(of client: ClientID) -> Int { charges[client] }

  // MARK: - What is in force

  /// Takes away the recognizers of attachments that hold their responder no more, also of those
  /// that stand in line for it again. Rules G1 and F1.
  func end(of attachments: [AttachmentID]) {
    if paths.isEmpty { return }
    end(attachments.flatMap { paths[$0] ?? [] })
  }

  /// Takes away the recognizers of a client that is gone.
  func wentAway(_ client: ClientID) {
    if counts[client] == nil { return }
    end(added.filter { $0.value.client == client }.map(\.key))
  }

  private func end(_ paths: [String]) {
    if paths.isEmpty { return }
    let began = loop.present
    for path in inOrder(paths) { forget(path) }
    let now = loop.present
    transactions.note(now - began, at: now)
  }

  /// Takes away the recognizers of views of programs that are gone. Rule L7.
  func endWithViews() {
    let gone = pipeline.router.recognizers.pathsWithoutOwner.filter {
      added[$0]?.goesWithView ?? false
    }
    for path in inOrder(gone) { forget(path) }
  }

  /// Takes away the recognizers of added views that a reload drops. Belongs before the reload is in
  /// force: it may bring a view of the same path. Rule L7.
  ///
  /// - Parameter rest: The added views that stay.
  func endWithViews(but rest: [AddedView]) {
    let going = added.filter { $0.value.goesWithView }
    if going.isEmpty { return }
    let paths = Set(rest.map(\.view.path))
    let gone = going.filter { !paths.contains($0.value.request.spec.ownerPath) }
    for path in inOrder(Array(gone.keys)) { forget(path) }
  }

  /// Takes away the recognizers of clients that may no longer attach to the view, or to the
  /// responder that it speaks to. Rule F6.
  func reviewRights() {
    end(forbidden)
  }

  private var forbidden: [String] {
    // Not kept while recognizers end, which would copy what it has of the pipeline.
    let policy = rights.policy(in: pipeline)
    return inOrder(Array(added.keys)).filter { path in
      guard let held = added[path], let program = rights.program(held.client),
        policy.layout.responder(at: held.request.spec.ownerPath) != nil,
        let refusal = Self.refusal(ofRightsTo: held.request.spec, of: program, by: policy)
      else { return false }
      server.log(.notice, about: held.client, "gesture \"\(path)\" removed: \(refusal)")
      return true
    }
  }

  /// Why a program may not have a recognizer there, or one that speaks to that responder; nil where
  /// it may.
  private static func refusal(
    ofRightsTo spec: RecognizerSpec, of program: ConnectedProgram, by policy: AccessPolicy
  ) -> String? {
    policy.refusal(toAttachTo: spec.ownerPath, by: program)
      ?? spec.to.flatMap { policy.refusal(toAttachTo: $0, by: program) }
  }

  private func isConfigured(_ owner: RecognizerSpec.Owner) -> Bool {
    guard case .view(let path) = owner else { return true }
    return rights.configuration.layout.view(at: path) != nil
  }

  /// The recognizers of the configuration in force, and behind them those of attachments, with what
  /// is set of them.
  func move() -> [RecognizerSpec] {
    let gestures = rights.configuration.gestures
    configured = Dictionary(gestures.map { ($0.path, $0) }) { first, _ in first }
    let further = inOrder(added.keys.filter { configured[$0] == nil })
    settings.keep { configured[$0] != nil || added[$0] != nil }
    return (gestures + further.compactMap { added[$0]?.request.spec }).map(settings.applied)
  }

  /// Paths of recognizers in the order in which these were added.
  private func inOrder(_ paths: [String]) -> [String] {
    paths.sorted { added[$0]?.order ?? 0 < added[$1]?.order ?? 0 }
  }

  /// Some of the recognizers of the views of a responder, and of all views and screens where it is
  /// nil: at most `count`, from the number `first` on.
  func described(in responder: ResponderID?, first: Int, count: Int) -> [DescribedGesture] {
    let layout = pipeline.layout
    let views = responder.map { layout.views(of: $0) }
    return pipeline.router.recognizers.page(of: views, first: first, count: count).map {
      let path = $0.spec.path
      return DescribedGesture(
        $0, in: responder, of: layout,
        client: configured[path] == nil ? added[path]?.client : nil,
        isHeard: pipeline.router.isHeard($0.id),
        isCrowdedOut: pipeline.router.isCrowdedOut($0.id))
    }
  }

  // MARK: - Handover

  /// What the next daemon has to know of the recognizers of an attachment.
  func handover(of attachment: AttachmentID) -> [Handover.HeldGesture] {
    inOrder(Array(paths[attachment] ?? [])).compactMap { path in
      guard let added = added[path], let number = pipeline.router.recognizers.id(of: path)
      else {
        return nil
      }
      return Handover.HeldGesture(number: number.rawValue, request: added.request)
    }
  }

  /// Adds again what was added with the daemon before, under the numbers that its clients know;
  /// what is not possible any more is left out.
  ///
  /// - Returns: What is left out, in words.
  func resume(_ held: [(client: ClientID, gesture: Handover.HeldGesture)]) -> [String] {
    var texts: [String] = []
    let numbers = Set(held.map { RecognizerID($0.gesture.number) })
    pipeline.update { $0.vacate(numbers) }
    for (client, gesture) in held.sorted(by: { $0.gesture.number < $1.gesture.number }) {
      if let refusal = refusal(of: gesture.request, by: client, isKept: true) {
        texts.append("a gesture of the daemon before is left out: \(refusal.text)")
        continue
      }
      keep(gesture.request, of: client, as: RecognizerID(gesture.number))
    }
    return texts
  }

  // MARK: - Settings

  /// Why a recognizer can't be changed so; nil where it can. That the client may is known.
  func refusal(of change: ViewChange) -> Refusal? {
    guard let owner = change.recognizerOwner else { return nil }
    if !owner.hasPrefix("screen:"), pipeline.layout.responder(at: owner) == nil {
      return noResponder(owner)
    }
    guard pipeline.router.recognizers.id(of: change.path) != nil else {
      let nearest = NearestName.nearest(
        to: String(change.path.dropFirst(owner.count + 1)),
        among: pipeline.router.recognizers.names(at: owner, in: pipeline.layout))
      return (
        .noResponder,
        "there is no gesture \"\(change.path)\""
          + (nearest.map { "; the nearest is \"\(owner)#\($0)\"" } ?? "")
      )
    }
    switch change.property.kind {
    case .enabled, .configured: return nil
    default: return (.invalid, "a gesture has no such property: enabled is all that can be set")
    }
  }

  /// Puts changes of recognizers in force that are there. Rules G2 and G12: what one has begun that
  /// is disabled is cancelled, and it fails where it is possible.
  func set(_ changes: [SetChange]) {
    for change in changes {
      settings.take(change)
      putInForce(change.change.path)
    }
  }

  /// Takes back what was set that fulfils the condition, of which setter and path it is.
  func endSettings(where isOver: (LayoutSetter, String) -> Bool) {
    for path in settings.end(where: isOver) { putInForce(path) }
  }

  private func putInForce(_ path: String) {
    guard let spec = configured[path] ?? added[path]?.request.spec,
      let id = pipeline.router.recognizers.id(of: path)
    else { return }
    let new = settings.applied(to: spec)
    guard new != pipeline.router.recognizer(id) else { return }
    let now = pipeline.now
    pipeline.update { $0.put(new, at: now) }
    pipeline.tellLayout()
  }

  // MARK: - Refusals

  /// - Parameter isKept: Whether it was added before a restart: what it names may be gone, or added
  ///   again behind it, as while the daemon runs.
  private func refusal(
    of request: GestureRequest, by client: ClientID, isKept: Bool = false
  ) -> Refusal? {
    guard let attachment = pipeline.attachments[request.attachment],
      attachment.client == client
    else {
      return (.notAttached, "there is no attachment \(request.attachment.rawValue) of this client")
    }
    return excess(by: client) ?? refusal(of: request.spec, through: attachment, isKept: isKept)
      ?? refusalOfNames(in: request.spec, isKept: isKept) ?? excess(around: request.spec)
  }

  /// Why there may be no more. Rule F5.
  private func excess(by client: ClientID) -> Refusal? {
    let limits = rights.configuration.limits
    if counts[client, default: 0] >= limits.gesturesPerClient {
      return (
        .limit,
        "\(limits.gesturesPerClient) gestures of one client are the limit "
          + "(limits.gestures_per_client)"
      )
    }
    let ofUser = server.clientsOfSameUser(as: client).reduce(0) { $0 + counts[$1, default: 0] }
    if ofUser >= limits.gesturesPerUser {
      return (
        .limit,
        "\(limits.gesturesPerUser) gestures of one user's programs are the limit "
          + "(limits.gestures_per_user)"
      )
    }
    guard added.count + rights.configuration.gestures.count >= limits.gestures else { return nil }
    return (.limit, "\(limits.gestures) gestures are the limit (limits.gestures)")
  }

  /// Why one would never take a touch: as many as a touch is offered to come before it. Rules G2
  /// and F5.
  private func excess(around spec: RecognizerSpec) -> Refusal? {
    let limit = rights.configuration.limits.gesturesPerTouch
    guard case .view(let path) = spec.owner, let view = pipeline.layout.view(at: path),
      pipeline.router.recognizers.addedCount(upFrom: view, in: pipeline.layout) >= limit
    else { return nil }
    return (
      .limit,
      "gesture \"\(spec.path)\": a touch is offered to \(limit) gestures of programs "
        + "(limits.gestures_per_touch), and \"\(path)\" and what it lies in have so many"
    )
  }

  /// Why there is no number for a further one of a program. Those behind are for configurations.
  /// Rule F5.
  private var refusalOfNumber: Refusal? {
    guard pipeline.state.numbers.recognizer > UInt32.max / 2 else { return nil }
    return (.limit, "the numbers for gestures are used up; stop touchrouted and start it again")
  }

  /// Why a client may not have a recognizer there. Rules G1 and F6.
  private func refusal(
    of spec: RecognizerSpec, through attachment: Attachment, isKept: Bool
  ) -> Refusal? {
    let layout = pipeline.layout
    guard case .view(let path) = spec.owner, let view = layout.view(at: path) else {
      return noResponder(spec.ownerPath)
    }
    guard let held = layout.view(of: attachment.responder), layout.isView(view, in: held) else {
      return (
        .notAllowed,
        "gesture \"\(spec.path)\": this attachment holds neither that view nor "
          + "one that it lies in"
      )
    }
    let target = spec.to ?? path
    if !isKept {
      guard let responder = layout.responder(at: target) else { return noResponder(target) }
      let holder = pipeline.attachments[holderOf: responder]
      if spec.to != nil, holder?.client != attachment.client {
        return (
          .notAllowed,
          "gesture \"\(spec.path)\": to: this client does not hold \"\(target)\", and what a "
            + "client adds speaks to that client alone; a [[gesture]] of the configuration may "
            + "name any"
        )
      }
    }
    guard let program = rights.program(attachment.client) else { return nil }
    return Self.refusal(ofRightsTo: spec, of: program, by: rights.policy(in: pipeline))
      .map { (.notAllowed, $0) }
  }

  private func noResponder(_ path: String) -> Refusal {
    let nearest = pipeline.layout.nearestPath(to: path)
    let error = RoutingError.noResponder(path: path, nearest: nearest)
    return (error.code, error.description { server.name(of: $0) })
  }

  /// What is wrong with the names that it has and says. Rules G1 and G7.
  private func refusalOfNames(in spec: RecognizerSpec, isKept: Bool) -> Refusal? {
    let title = "gesture \"\(spec.path)\": "
    if let problem = rights.configuration.limits.layout.problem(withName: spec.name, of: "gesture")
    {
      return (.invalid, title + problem)
    }
    guard spec.after.count + spec.simultaneous.count <= Self.mostNames else {
      return (.limit, title + "after and simultaneous name \(Self.mostNames) gestures at most")
    }
    func isKnown(_ path: String) -> Bool { pipeline.router.recognizers.id(of: path) != nil }
    if isKnown(spec.path) { return (.invalid, title + "it is there already") }
    for path in spec.after + spec.simultaneous
    where !isKept && path != spec.path && !isKnown(path) {
      return (.invalid, title + "there is no gesture \"\(path)\"")
    }
    switch waitsForItself(spec) {
    case false?: return nil
    case true?: return (.invalid, title + "after runs in a circle: it would wait for itself")
    case nil:
      return (
        .limit,
        title + "after leads to more than \(Self.mostNamesOnTheWay) names of gestures, too many to "
          + "look for a circle"
      )
    }
  }

  /// Whether one that is new would wait for itself; nil where the way is too long to say. Others
  /// can wait for it only where they did so for another one of its path.
  private func waitsForItself(_ spec: RecognizerSpec) -> Bool? {
    if spec.after.contains(spec.path) { return true }
    guard pipeline.router.recognizers.isAwaited(spec.path) else { return false }
    var seen: Set<String> = []
    var paths = spec.after
    var count = paths.count
    while let path = paths.popLast() {
      if path == spec.path { return true }
      guard seen.insert(path).inserted, let id = pipeline.router.recognizers.id(of: path)
      else {
        continue
      }
      let further = pipeline.router.recognizer(id)?.after ?? []
      count += further.count
      if count > Self.mostNamesOnTheWay { return nil }
      paths += further
    }
    return false
  }
}

extension GestureRequest {
  /// What is charged for it.
  fileprivate var keptBytes: Int { UserBudget.Cost.ofGesture + 4 * size }
}

extension RecognizerSpec {
  /// The path of its view, or its screen.
  fileprivate var ownerPath: String {
    switch owner {
    case .view(let path): path
    case .screen(let name): "screen:\(name)"
    }
  }
}

extension Layout {
  /// Whether a view is another one, or lies in it.
  fileprivate func isView(_ view: ViewIndex, in other: ViewIndex) -> Bool {
    view >= other && view < self[other].end
  }
}
