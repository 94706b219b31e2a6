import CTouchroute
import Configuration
import Layout
import Routing
import TouchModel
import Server

/// Who may attach and change what, and what becomes of that. Rules R2, L6, F6 and F7.
extension SimulatedWorld {
  private var access: OracleAccess { settings.configured.access }

  /// Whether a rule or being root names a client for a path; nil where no rule is about it.
  func isNamed(_ client: ClientID, at path: String) -> Bool? {
    // The daemon has forgotten the client, and asks for it only when other views are secure.
    if reviewsSecrets, client == gone { return false }
    guard let user = programs[client]?.user else { return false }
    return access.isNamed(user, at: path) ?? (user.uid == 0 ? true : nil)
  }

  /// Whether a program may hold a responder.
  func mayHold(_ path: String, _ program: Program) -> Bool {
    access.mayAttach(program.user, to: path, in: oracle.layout) { window in
      oracle.holders[window]?.client == program.client
    }
  }

  /// Whether a program may have what it asks for, by who it is.
  private func mayAttach(_ request: AttachRequest, _ program: Program) -> Bool {
    guard oracle.layout.has(request.path) else { return true }
    if !mayHold(request.path, program) { return false }
    guard request.takesOver, let holder = oracle.holders[request.path]?.client,
      holder != program.client, let other = programs[holder]
    else { return true }
    return access.mayTakeOver(program.user, from: other.user)
  }

  /// Why a program may not have what it asks for, by who it is and what its user's programs have.
  func refusal(of request: AttachRequest, by program: Program) -> touchroute_error_code? {
    if !mayAttach(request, program) { return TOUCHROUTE_ERROR_NOT_ALLOWED }
    let limits = settings.configured.configuration.limits
    // The router counts those that hold something.
    let hasPlaces = oracle.line.places.contains { $0.client == program.client }
    if hasPlaces, oracle.count(of: program.client) >= limits.attachments {
      return TOUCHROUTE_ERROR_LIMIT
    }
    let clients = oracle.holders.values.map(\.client) + oracle.line.places.map(\.client)
    let count = clients.count { programs[$0]?.user.uid == program.user.uid }
    return count >= limits.attachmentsPerUser ? TOUCHROUTE_ERROR_LIMIT : nil
  }

  /// Gives those in line what nobody holds and they may have: who attached first comes first.
  func serveLine() {
    var isOver = false
    while !isOver {
      isOver = true
      for place in oracle.line.places {
        let path = place.request.path
        guard oracle.layout.has(path), oracle.holders[path] == nil,
          let program = programs[place.client], mayHold(path, program),
          case .success = oracle.attach(
            place.request, by: place.client, as: place.id, at: time)
        else { continue }
        oracle.said[place.client, default: []].append(.attached(place.id))
        reviewHolders(of: path)
        isOver = false
      }
    }
    collect()
  }

  /// Ends the attachments that are not allowed any more, and takes back what was set through those
  /// that are no more.
  func reviewAttachments() {
    endForbidden()
    let held = Set(oracle.holders.values.map(\.id))
    takeBack { [left] right, _ in
      switch right {
      case .attachment(let id): !held.contains(id)
      case .rule(let client, _, _): client.map(left.contains) ?? false
      }
    }
  }

  /// Ends the attachments that are not allowed any more.
  private func endForbidden() {
    var isOver = false
    while !isOver {
      isOver = true
      for held in oracle.holders.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
        guard let program = programs[held.client], !mayHold(held.path, program) else { continue }
        oracle.revoke(held, at: time)
        isOver = false
      }
    }
    oracle.reviewReaders(at: time)
    collect()
  }

  /// Ends the attachments that are not allowed any more, and takes back, in one change of the
  /// layout, all that was set by rights that are no more.
  func reviewRights(endingAttachments endsAttachments: Bool = true) {
    if endsAttachments { endForbidden() }
    let access = access
    let holders = Dictionary(
      uniqueKeysWithValues: oracle.holders.values.compactMap { held in
        programs[held.client].map { (held.id, $0) }
      })
    takeBack { [self] right, path in
      switch right {
      case .rule(let client, let user, let names):
        guard let client, !left.contains(client) else { return true }
        return access.isNamed(user, at: path) != true || access.names(user, path) > names
      case .attachment(let id):
        guard let holder = holders[id], !isOutranked(id, at: path) else { return true }
        let nearest = nearest(to: path, holder)
        return access.right(of: holder.client, holder.user, toChange: path, nearest: nearest)
          == nil
      }
    }
  }

  /// Whether an attachment is of an application whose window of a view another client holds. Rule
  /// F7.
  private func isOutranked(_ id: AttachmentID, at path: String) -> Bool {
    guard let held = oracle.holders.values.first(where: { $0.id == id }),
      let window = oracle.holders[oracle.layout.window(of: path)]
    else { return false }
    return held.path.hasPrefix("app:") && window.client != held.client
  }

  private func takeBack(where isOver: (OracleSettings.Right, String) -> Bool) {
    let isOver = settings.takeBack(where: isOver)
    if uncover() || isOver { replaceLayout() }
  }

  /// Has the oracle take back what takes touches from secure views of others; whether it did.
  func uncover() -> Bool {
    var changed = settings
    do {
      let isOther = try changed.uncover(isForeign)
      settings = changed
      return isOther
    } catch {
      found("\(error)")
      return false
    }
  }

  /// Whether a secure view is not for somebody who has set something. Rules F7 and F8.
  func isForeign(_ right: OracleSettings.Right, _ secret: String) -> Bool {
    let client =
      switch right {
      case .attachment(let id): oracle.holders.values.first { $0.id == id }?.client
      case .rule(let client, _, _): client
      }
    guard let client, let program = programs[client] else { return true }
    if oracle.holders[OracleSettings.names(1, of: secret)]?.client == client { return false }
    return !(access.isNamed(program.user, at: secret) ?? (program.user.uid == 0))
  }

  /// Has the oracle put in force what is configured and set. Who no longer holds a window is told
  /// nothing of it by that.
  func replaceLayout() {
    reviewIdle()
    do { oracle.replace(try settings.layout(), at: time) } catch { found("\(error)") }
    sayFewer()
    collect()
  }

  /// Who has fewer of the views that it added is told, also where others are in their places.
  private func sayFewer() {
    let before = knownCounts
    knownCounts = settings.addedCounts
    for holder in oracle.holders.values.sorted(by: { $0.id.rawValue < $1.id.rawValue })
    where knownCounts[holder.id] ?? 0 < before[holder.id] ?? 0 {
      if oracle.said[holder.client]?.contains(.layout(holder.id)) == true { continue }
      oracle.said[holder.client, default: []].append(.layout(holder.id))
    }
  }

  /// Has the oracle carry out what programs set, after the daemon.
  func change(_ batches: [(token: RequestToken, changes: [ViewChange])]) {
    var answers: [(program: Program, item: ProgramStream.Item)] = []
    var isChanged = false
    let secrets = Set(oracle.layout.securePaths)
    for (token, changes) in batches {
      guard let program = programs[token.client] else { continue }
      guard let serial = program.isHeard(.set(changes)) else {
        return found("\(token.client) is heard setting \(changes), and did not")
      }
      let code = changes.lazy.compactMap { self.refusal(of: $0, by: program) }.first
      if code == nil { isChanged = true }
      let item = code.map { ProgramStream.Item.refused(serial: serial, code: $0.rawValue) }
      answers.append((program, item ?? .done(serial: serial, total: 0)))
    }
    if isChanged {
      _ = uncover()
      replaceLayout()
    }
    for (program, item) in answers { program.stream.expect(item) }
    keepSecureViews(notIn: secrets)
    followViews()
  }

  /// Ends what is no longer allowed since other views are secure, and behind that gives what is.
  /// Rule F6.
  func keepSecureViews(notIn before: Set<String>) {
    var known = before
    while endUnsecured(notIn: &known) { serveLine() }
  }

  /// Ends what is no longer allowed since other views are secure; whether others are.
  func endUnsecured(notIn known: inout Set<String>) -> Bool {
    reviewsSecrets = true
    defer { reviewsSecrets = false }
    let before = known
    while case let secrets = Set(oracle.layout.securePaths), secrets != known {
      known = secrets
      reviewRights()
    }
    return known != before
  }

  /// Has the oracle carry out one change; why it does not.
  private func refusal(of change: ViewChange, by program: Program) -> touchroute_error_code? {
    guard oracle.layout.hasView(change.path) else {
      return TOUCHROUTE_ERROR_NO_RESPONDER
    }
    guard let right = right(of: program, toChange: change.path) else {
      guard mayRevoke(program, change) else { return TOUCHROUTE_ERROR_NOT_ALLOWED }
      settings.revoke(change.path)
      return nil
    }
    let isWindow = !change.path.contains("/")
    if !right.isOfRule, !mayHolder(program, set: change) { return TOUCHROUTE_ERROR_NOT_ALLOWED }
    if !change.property.isPossible { return TOUCHROUTE_ERROR_INVALID }
    if case .level = change.property, !isWindow { return TOUCHROUTE_ERROR_INVALID }
    let before = settings
    guard settings.take(change, by: right) else { return TOUCHROUTE_ERROR_NOT_ALLOWED }
    guard change.property.mayTakeTouches,
      takesFromSecure([(change.path, change.property.mayReorder)], by: right)
    else { return nil }
    settings = before
    return TOUCHROUTE_ERROR_NOT_ALLOWED
  }

  /// Whether what somebody has set of those views takes touches from secure ones of others.
  func takesFromSecure(
    _ paths: [(path: String, mayReorder: Bool)], by setter: OracleSettings.Right
  ) -> Bool {
    guard let now = try? settings.layout() else { return false }
    return settings.takesFromSecure(paths, by: setter, in: now, isForeign)
  }

  /// The order and level of windows are not for holders, nor whether they are secure; and what is
  /// secure in a window is for who holds that.
  func mayHolder(_ program: Program, set change: ViewChange) -> Bool {
    let window = oracle.layout.window(of: change.path)
    switch change.property {
    case .order, .level: return change.path != window
    case .secure:
      return change.path != window && oracle.holders[window]?.client == program.client
    default: return true
    }
  }

  func right(of program: Program, toChange path: String) -> OracleSettings.Right? {
    access.right(
      of: program.client, program.user, toChange: path, nearest: nearest(to: path, program))
  }

  /// Whether a program that has no right to change a view may take back what those have set of it
  /// whom a rule names: it holds the window. Rule L6.
  func mayRevoke(_ program: Program, _ change: ViewChange) -> Bool {
    let window = oracle.layout.window(of: change.path)
    return change.property == .configured && access.isNamed(program.user, at: change.path) == false
      && oracle.holders[window]?.client == program.client
  }

  /// A window that is held is for its holder: what others have set by its application is taken
  /// back. Rule F7.
  func reviewHolders(of path: String) {
    // Also where the window was of another application when that set something.
    if !path.contains("/"), !path.contains("@"), !path.hasPrefix("app:") {
      reviewRights(endingAttachments: false)
    }
  }

  /// The attachment through which a program changes a view.
  private func nearest(to path: String, _ program: Program) -> OracleAttachment? {
    let chain = oracle.layout.chain(of: path)
    guard
      let place = chain.firstIndex(where: { oracle.holders[$0]?.client == program.client })
    else { return nil }
    let window = oracle.holders[oracle.layout.window(of: path)]
    let isByApplication = chain[place].hasPrefix("app:")
    if isByApplication, let window, window.client != program.client { return nil }
    return oracle.holders[chain[place]]
  }
}
