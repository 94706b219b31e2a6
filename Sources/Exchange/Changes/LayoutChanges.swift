import Wire
import Configuration
import EventLoop
import Layout
import Logging
import Routing
import Server
import TouchModel

/// Changes views and recognisers as programs ask for it, as far as they have the right, and takes
/// that back with the right. Rules L6, R8, F7 and G1.
final class LayoutChanges {
  let core: Core
  private let gestures: GestureKeeper
  /// What is set of the layout, and by which right.
  private(set) var settings = ViewSettings()
  /// Whether a view is secure by what was set or taken back that was not before.
  private var hasNewSecrets = false
  /// Whether views have come or gone.
  private var hasNewTree = false
  /// How many attachments had ended when rights were looked at last.
  private var endCount: UInt64 = 0

  init(_ core: Core, _ gestures: GestureKeeper) {
    self.core = core
    self.gestures = gestures
  }

  // MARK: - Requests

  /// Carries out batches of one client or several, each whole or not at all, as one change of the
  /// layout and of its recognisers, and answers each.
  func carryOut(_ batches: [(token: RequestToken, changes: [ViewChange])]) {
    var refusals: [GestureKeeper.Refusal?] = []
    var allowed: [(index: Int, views: [SetChange], recognizers: [SetChange])] = []
    for (index, batch) in batches.enumerated() {
      do throws(AccessPolicy.Refusal) {
        let changes = try permitted(batch.changes, by: batch.token.client)
        refusals.append(refusal(ofRecognizersIn: batch.changes))
        guard refusals[index] == nil else { continue }
        let recognizers = changes.filter(\.isOfRecognizer)
        allowed.append((index, changes.filter { !$0.isOfRecognizer }, recognizers))
      } catch { refusals.append((.notAllowed, error.text)) }
    }
    for (batch, refusal) in zip(allowed, set(allowed.map(\.views))) {
      guard let refusal else { continue }
      let code: Wire.ErrorCode =
        refusal.isUnknown ? .noResponder : refusal.isForbidden ? .notAllowed : .invalid
      refusals[batch.index] = (code, Self.describe(refusal, in: batches[batch.index].changes))
    }
    gestures.set(allowed.filter { refusals[$0.index] == nil }.flatMap(\.recognizers))
    for (batch, refusal) in zip(batches, refusals) {
      if let refusal {
        core.server.answer(batch.token, refusal.code, refusal.text)
      } else {
        core.server.answer(batch.token, generation: core.generation)
      }
    }
  }

  /// Why a batch can't be put in force since a recogniser can't be changed so.
  private func refusal(ofRecognizersIn changes: [ViewChange]) -> GestureKeeper.Refusal? {
    for (index, change) in changes.enumerated() {
      guard let refusal = gestures.refusal(of: change) else { continue }
      return (refusal.code, Self.title(index, changes) + refusal.text)
    }
    return nil
  }

  /// Puts batches of changes in force, each whole or not at all: for each why it was refused.
  private func set(_ batches: [[SetChange]]) -> [LayoutEditor.Refusal?] {
    // An editor is made of the whole layout: not for recognisers alone.
    guard batches.contains(where: { !$0.isEmpty }) else { return batches.map { _ in nil } }
    let refusals = settings.apply(batches, over: core.configuration)
    putInForce()
    return refusals
  }

  /// Has views of programs come, go and change through an attachment: all of it or nothing, and
  /// only where the views that are there then are within the limits.
  ///
  /// - Parameter excess: Why the views may not be that programs have added.
  func apply(
    _ edits: [ViewEdit], through attachment: Attachment,
    within excess: ([AddedView]) -> String?
  ) -> ViewBatch.Cause? {
    if let refusal = settings.apply(
      edits, through: attachment, over: core.configuration, within: excess)
    {
      return refusal
    }
    putInForce()
    return nil
  }

  /// The views that programs have added.
  var addedViews: [AddedView] { settings.added }

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

  /// Why changes of views were refused that came in a batch with others.
  private static func describe(
    _ refusal: LayoutEditor.Refusal, in changes: [ViewChange]
  ) -> String {
    let views = changes.indices.filter { changes[$0].recognizerOwner == nil }
    guard let index = refusal.change else { return refusal.message }
    return title(views[index], changes) + refusal.message
  }

  private static func title(_ index: Int, _ changes: [ViewChange]) -> String {
    "set: change \(index + 1), \(changes[index].property.name) of \"\(changes[index].path)\": "
  }

  // MARK: - Ends of rights

  /// Takes back what was set through attachments that have ended, of one client or all that it had;
  /// of what else was dropped with it, the log tells.
  func takeBack(_ ended: [AttachmentID]? = nil, of client: ClientID) {
    let began = core.loop.present
    let over = settings.forget(ended, of: client)
    if over.isEmpty { return }
    func isOver(_ setter: LayoutSetter, _ path: String) -> Bool {
      if case .passing(let number) = setter { over.contains(AttachmentID(number)) } else { false }
    }
    tell(ofDropped: settings.end(where: isOver))
    putInForce()
    gestures.endSettings(where: isOver)
    core.server.layoutChanged(took: core.loop.present - began)
  }

  /// Takes back what was set by rights that are no more, where attachments have ended since this
  /// was done last: no look at what there is where none has.
  func reviewEnds() {
    guard core.pipeline.router.attachments.endCount != endCount else { return }
    review()
  }

  /// Takes back what was set by rights that are no more.
  func review() {
    endCount = core.pipeline.router.attachments.endCount
    settings.forget { core.pipeline.router.attachments[$0] == nil }
    let policy = core.policy
    let known = settings
    func isOver(_ setter: LayoutSetter, _ path: String) -> Bool {
      known.isOver(
        setter, path,
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
    }
    tell(ofDropped: settings.end(where: isOver))
    putInForce()
    gestures.endSettings(where: isOver)
  }

  // MARK: - Other configurations and daemons

  /// Carries over what is set to the layout of the configuration in force, where its views are
  /// still there.
  ///
  /// - Returns: The layout that is to be in force.
  func move() -> Layout {
    if settings.isEmpty && gestures.settings.isEmpty { settings = ViewSettings() }
    tell(ofDropped: settings.move(to: core.configuration))
    return settings.layout ?? core.configuration.layout
  }

  /// All that is set and added, for the next daemon.
  var handover: (users: [Handover.User], views: [AddedView], changes: [SetChange]) {
    let (users, changes) = settings.handover
    return (users, settings.added, changes + gestures.settings.changes)
  }

  /// Sets again what was set of views with the daemon before. What is not possible with the
  /// configuration in force is as configured: all of it was possible together, and need not be one
  /// by one.
  func resume(_ users: [Handover.User], _ views: [AddedView], _ changes: [SetChange]) {
    settings.resume(users)
    if !views.isEmpty {
      tell(ofDropped: settings.resume(views, over: core.configuration))
      putInForce()
    }
    let changes = changes.filter { !$0.isOfRecognizer }
    guard !changes.isEmpty, set([changes]) != [nil] else { return }
    for (set, refusal) in zip(changes, set(changes.map { [$0] })) {
      guard let refusal else { continue }
      core.logger.warning(
        "what was set of \"\(set.change.path)\" is not possible any more: \(refusal.message)")
    }
  }

  /// Sets again what was set of recognisers with the daemon before, once they are there, and takes
  /// note of whose the attachments are through which something was set.
  func resume(_ changes: [SetChange], through attachments: [Attachment]) {
    gestures.set(
      changes.filter { $0.isOfRecognizer && gestures.refusal(of: $0.change) == nil })
    settings.resume(attachments)
  }

  /// Whether a view has become secure since this was asked last, so that who holds it or something
  /// near it may no longer have that. Rule F6.
  func takeNewSecrets() -> Bool {
    defer { hasNewSecrets = false }
    return hasNewSecrets
  }

  /// Whether views of programs have come or gone since this was asked last.
  func takeNewTree() -> Bool {
    defer { hasNewTree = false }
    return hasNewTree
  }

  private func putInForce() {
    guard let layout = settings.layout, layout !== core.layout else { return }
    hasNewSecrets = hasNewSecrets || layout.hasSecrets(notIn: core.layout)
    if layout.hasSameTree(as: core.layout) {
      let now = core.now
      core.update { $0.replaceLayout(layout, at: now) }
    } else {
      hasNewTree = true
      // What was cancelled is told in the terms of the layout that had its views.
      core.replaceLayout(layout, announcing: Greeting(core.configuration))
    }
  }

  private func tell(ofDropped paths: [String]) {
    let layout = settings.layout ?? core.configuration.layout
    let gone = paths.filter { layout.view(at: $0) == nil }
    if let first = gone.first {
      let more = gone.count == 1 ? "" : " and \(gone.count - 1) more"
      core.logger.warning("a view that a program has added is gone: \"\(first)\"\(more)")
    }
    for path in paths where layout.view(at: path) != nil {
      core.logger.warning(
        "what was set of \"\(path)\" is not possible any more: it is as configured")
    }
  }
}

extension SetChange {
  /// Whether it is of a recogniser, and not of a view.
  fileprivate var isOfRecognizer: Bool { change.recognizerOwner != nil }
}
