import Wire
import Configuration
import EventLoop
import Layout
import Logging
import Routing
import Server
import TouchModel

/// Changes views as programs ask for it, as far as they have the right, and takes that back with
/// the right. Rules L6, R8 and F7.
final class LayoutChanges {
  private let core: Core
  /// What is set of the layout, and by which right.
  private var settings = ViewSettings()
  /// Whether a view is secure by what was set or taken back that was not before.
  private var hasNewSecrets = false

  init(_ core: Core) { self.core = core }

  // MARK: - Requests

  /// Carries out batches of one client or several, each whole or not at all, as one change of the
  /// layout, and answers each.
  func carryOut(_ batches: [(token: RequestToken, changes: [ViewChange])]) {
    var refusals: [(code: Wire.ErrorCode, text: String)?] = []
    var allowed: [(index: Int, changes: [SetChange])] = []
    for (index, batch) in batches.enumerated() {
      do throws(AccessPolicy.Refusal) {
        allowed.append((index, try permitted(batch.changes, by: batch.token.client)))
        refusals.append(nil)
      } catch { refusals.append((.notAllowed, error.text)) }
    }
    for (batch, refusal) in zip(allowed, set(allowed.map(\.changes))) {
      guard let refusal else { continue }
      let text = Self.describe(refusal, in: batches[batch.index].changes)
      let code: Wire.ErrorCode =
        refusal.isUnknown ? .noResponder : refusal.isForbidden ? .notAllowed : .invalid
      refusals[batch.index] = (code, text)
    }
    for (batch, refusal) in zip(batches, refusals) {
      if let refusal {
        core.server.answer(batch.token, refusal.code, refusal.text)
      } else {
        core.server.answer(batch.token, generation: core.generation)
      }
    }
  }

  /// Puts batches of changes in force, each whole or not at all: for each why it was refused.
  private func set(_ batches: [[SetChange]]) -> [LayoutEditor.Refusal?] {
    guard !batches.isEmpty else { return [] }
    let refusals = settings.apply(batches, over: core.configuration)
    putInForce()
    return refusals
  }

  /// The changes with the rights by which a client may make them. What is not there is for the
  /// editor to say.
  private func permitted(
    _ changes: [ViewChange], by client: ClientID
  ) throws(AccessPolicy.Refusal) -> [SetChange] {
    let policy = core.policy
    guard let program = core.program(client) else { return [] }
    var permitted: [SetChange] = []
    for (index, change) in changes.enumerated() {
      do throws(AccessPolicy.Refusal) {
        let right = try policy.right(to: change, by: program) ?? .control
        permitted.append(SetChange(change, by: settings.setter(right, of: program)))
      } catch { throw AccessPolicy.Refusal(text: Self.title(index, changes) + error.text) }
    }
    return permitted
  }

  private static func describe(_ refusal: LayoutEditor.Refusal, in changes: [ViewChange]) -> String
  {
    guard let index = refusal.change else { return refusal.message }
    return title(index, changes) + refusal.message
  }

  private static func title(_ index: Int, _ changes: [ViewChange]) -> String {
    "set: change \(index + 1), \(changes[index].property.name) of \"\(changes[index].path)\": "
  }

  // MARK: - Ends of rights

  /// Takes back what was set through attachments that have ended, of one client or all that it had;
  /// of what else was dropped with it, the log tells.
  func takeBack(_ ended: [AttachmentID]? = nil, of client: ClientID) {
    let began = core.loop.present
    guard let dropped = settings.end(ended, of: client) else { return }
    tell(ofDropped: dropped)
    putInForce()
    core.server.layoutChanged(took: core.loop.present - began)
  }

  /// Takes back what was set by rights that are no more.
  func review() {
    let policy = core.policy
    let dropped = settings.review(
      rule: { user, path in
        core.configuration.accessRule(for: path)?.allows(user: user.user, groups: user.groups)
          ?? false
      },
      attachment: { id, path in
        guard let client = core.pipeline.router.attachments[id]?.client,
          let program = core.program(client)
        else { return false }
        return (try? policy.right(to: ViewChange(path, .configured), by: program)) != nil
      })
    tell(ofDropped: dropped)
    putInForce()
  }

  // MARK: - Other configurations and daemons

  /// Carries over what is set to the layout of the configuration in force, where its views are
  /// still there.
  ///
  /// - Returns: The layout that is to be in force.
  func move() -> Layout {
    tell(ofDropped: settings.move(to: core.configuration))
    return settings.layout ?? core.configuration.layout
  }

  /// All that is set, for the next daemon.
  var handover: (users: [Handover.User], changes: [SetChange]) { settings.handover }

  /// Sets again what was set with the daemon before. What is not possible with the configuration in
  /// force is as configured: all of it was possible together, and need not be one by one.
  func resume(_ users: [Handover.User], _ changes: [SetChange]) {
    settings.resume(users)
    guard !changes.isEmpty, set([changes]) != [nil] else { return }
    for (set, refusal) in zip(changes, set(changes.map { [$0] })) {
      guard let refusal else { continue }
      core.logger.warning(
        "what was set of \"\(set.change.path)\" is not possible any more: \(refusal.message)")
    }
  }

  /// Takes note of whose the attachments are through which something was set with the daemon
  /// before.
  func resume(_ attachments: [Attachment]) { settings.resume(attachments) }

  /// Whether a view has become secure since this was asked last, so that who holds it or something
  /// near it may no longer have that. Rule F6.
  func takeNewSecrets() -> Bool {
    defer { hasNewSecrets = false }
    return hasNewSecrets
  }

  private func putInForce() {
    guard let layout = settings.layout, layout !== core.layout else { return }
    hasNewSecrets = hasNewSecrets || layout.hasSecrets(notIn: core.layout)
    let now = core.now
    core.update { $0.replaceLayout(layout, at: now) }
  }

  private func tell(ofDropped paths: [String]) {
    for path in paths {
      core.logger.warning(
        "what was set of \"\(path)\" is not possible any more: it is as configured")
    }
  }
}
