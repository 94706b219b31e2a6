import Configuration
import EventLoop
import Layout
import Logging
import Routing
import Server
import TouchModel
import Wire

/// Changes views and recognizers as programs ask for it, as far as they have the right, and takes
/// that back with the right. Rules L6, R8, F7 and G1.
///
/// What takes long is done beside the loop, and put in force in a later turn: ``LayoutDesk``.
final class LayoutChanges {
  /// Where the changes are made.
  let desk: LayoutDesk
  let core: Core

  let gestures: GestureKeeper
  /// By which right each thing was set.
  private var setters = Setters()
  /// The clients that have gone while a thread made changes: what they wanted is taken back.
  private var left: Set<ClientID> = []
  /// Whether other views are secure than before, by what was set or taken back.
  private var hasOtherSecureViews = false
  /// Whether views have come or gone.
  private var hasNewTree = false
  /// How many attachments had ended when rights were looked at last.
  private var endCount: UInt64 = 0
  /// Whether rights are looked at once the editor is home.
  private var isReviewDue = false

  init(_ core: Core, _ gestures: GestureKeeper) {
    self.core = core
    self.gestures = gestures
    desk = LayoutDesk(core)
    core.refusalOfKeeping = { [unowned self] in refusal(ofKeeping: $0, for: $1) }
  }

  // MARK: - Requests

  /// Carries out batches of one client or several, each whole or not at all, as one change of the
  /// layout and of its recognizers, and answers each: now, or when a thread has made them.
  func carryOut(_ batches: [(token: RequestToken, changes: [ViewChange])]) {
    let rights = rights(and: batches.map(\.token.client))
    let job = SetJob(
      batches: batches.map { token, changes in
        SetJob.Batch(
          changes: changes, program: core.program(token.client),
          clientsOfUser: core.server.clientsOfSameUser(as: token.client),
          refusal: refusal(ofRecognizersIn: changes, of: token.client),
          budget: budget(of: token.client))
      }, policy: core.policy, setters: setters, rights: rights,
      configuration: core.configuration)
    desk.perform(
      taking: estimate(of: batches.flatMap(\.changes), rights), over: core.configuration.layout,
      for: Set(batches.map(\.token.client))
    ) {
      job.carryOut(on: &$0)
    } then: { [self] outcome, layout, prepared in
      DroppedPaths(uncovered: outcome.uncovered, in: layout).tell(core.logger)
      putInForce(layout, prepared)
      // One may have gone meanwhile.
      gestures.set(outcome.recognizers.filter { gestures.refusal(of: $0.change) == nil })
      for (batch, refusal) in zip(batches, outcome.refusals) {
        if let refusal {
          core.server.answer(batch.token, refusal.code, refusal.text)
        } else {
          core.server.answer(batch.token, generation: core.generation)
        }
      }
      take(outcome.setters)
    }
  }

  /// Carries out a program's batch of steps: all of it or nothing.
  ///
  /// - Parameter done: Is told why it was refused, or that it is in force.
  func carryOut(_ job: ViewsJob, _ done: @escaping (ViewBatch.Refusal?) -> Void) {
    let client = job.program.client
    setters.note(job.attachment.id, of: client)
    var job = job
    job.number = setters.number(of: client)
    let (setters, rights) = (setters, rights(and: [client]))
    job.budget = budget(of: client)
    desk.perform(
      taking: estimate(of: job, rights), over: core.configuration.layout, for: [client]
    ) { [job] editor in
      let refusal = job.carryOut(on: &editor, setters, rights)
      return (refusal: refusal, uncovered: editor?.uncoverSecureViews(for: rights.mayHave) ?? [])
    } then: { [self] made, layout, prepared in
      DroppedPaths(uncovered: made.uncovered, in: layout).tell(core.logger)
      putInForce(layout, prepared)
      done(made.refusal)
    }
  }

  /// Why a batch can't be put in force since a recognizer can't be changed so.
  private func refusal(
    ofRecognizersIn changes: [ViewChange], of client: ClientID
  ) -> SetJob.Refusal? {
    let count = changes.count { $0.recognizerOwner != nil }
    if count > 0,
      let text = refusal(ofKeeping: count * UserBudget.Cost.ofGestureSetting, for: client)
    {
      return SetJob.Refusal(code: .limit, text: "set: " + text)
    }
    for (index, change) in changes.enumerated() {
      guard let refusal = gestures.refusal(of: change) else { continue }
      return SetJob.Refusal(
        code: refusal.code, text: SetJob.title(index, changes) + refusal.text)
    }
    return nil
  }

  /// Takes in by which rights something was set; what was set through an attachment that has ended
  /// meanwhile is taken back.
  private func take(_ later: Setters) {
    setters.take(later)
    let gone = forgetGone()
    left = []
    if !gone.isEmpty { desk.whenIdle { [self] in end(of: gone) } }
  }

  /// Forgets the setters that are no more.
  private func forgetGone() -> Setters.Ends {
    let attachments = core.pipeline.router.attachments
    return setters.forget {
      attachments[$0] == nil
    } clients: { [left] in
      left.contains($0)
    }
  }

  // MARK: - Ends of rights

  /// Takes back what was set through attachments of a client that have ended, or all that it had
  /// set where it is gone; of what else was dropped with it, the log tells.
  func takeBack(_ ended: [AttachmentID]? = nil, of client: ClientID) {
    if !desk.isAway { left = [] } else if ended == nil { left.insert(client) }
    let over = setters.forget(ended, of: client)
    // Who held the window of a secure view may have no more of it.
    if over.isEmpty, core.layout.hasNoSecureView { return }
    desk.whenIdle { [self] in end(of: over) }
  }

  private func end(of ends: Setters.Ends) {
    let began = core.loop.present
    end(by: rights()) { setter, _ in ends.contains(setter) }
    core.server.layoutChanged(took: core.loop.present - began)
  }

  /// Takes back what was set by rights that are no more, where attachments have ended since this
  /// was done last: no look at what there is where none has.
  func reviewEnds() {
    guard core.pipeline.router.attachments.endCount != endCount else { return }
    review()
  }

  /// Takes back what was set by rights that are no more, once the editor is home.
  func review() {
    endCount = core.pipeline.router.attachments.endCount
    if isReviewDue { return }
    isReviewDue = true
    desk.whenIdle { [self] in
      isReviewDue = false
      reviewNow()
    }
  }

  private func reviewNow() {
    _ = forgetGone()
    let rights = rights()
    end(by: rights) { rights.isOver($0, $1) }
  }

  /// What those may who have set something, and some others, by a policy.
  private func rights(
    and others: [ClientID] = [], by policy: AccessPolicy? = nil
  ) -> SetterRights {
    var programs: [ClientID: ConnectedProgram] = [:]
    for client in setters.clients.union(others) { programs[client] = core.program(client) }
    return SetterRights(
      policy: policy ?? core.policy, setters: setters,
      attachments: core.pipeline.router.attachments, programs: programs)
  }

  /// Takes back what fulfils the condition, and what then takes touches from secure views, by those
  /// rights.
  private func end(
    by rights: SetterRights, where isOver: @escaping @Sendable (LayoutSetter, String) -> Bool
  ) {
    defer { gestures.endSettings(where: isOver) }
    guard let estimate = estimate(ofEnding: isOver, rights) else { return }
    desk.perform(taking: estimate, over: core.configuration.layout) { editor in
      let paths = editor?.end(where: isOver) ?? []
      let uncovered = editor?.uncoverSecureViews(for: rights.mayHave) ?? []
      return editor.map { DroppedPaths(paths, uncovered: uncovered, in: $0.layout) }
    } then: { [self] dropped, layout, prepared in
      dropped?.tell(core.logger)
      putInForce(layout, prepared)
    }
  }

  // MARK: - Other configurations and daemons

  /// Puts a configuration in force whose layout is another, with what is set where its views are
  /// still there: now, or when a thread has made that.
  ///
  /// - Parameter put: Puts it in force with that layout, and with what was made ahead for it.
  func move(
    to new: Configuration, _ put: @escaping (Layout, PreparedLayout?) -> Void
  ) {
    let count = core.layout.viewCount + new.layout.viewCount
    let attachments = core.pipeline.router.attachments
    let rights = rights(by: AccessPolicy(new, layout: core.layout, attachments))
    desk.perform(taking: count * Cost.ofView, over: new.layout) { editor in
      guard editor?.isEmpty == false else {
        editor = nil
        return DroppedPaths(in: new.layout)
      }
      let paths =
        editor?.move(to: new.layout, of: new.layoutDescription, limits: new.limits.layout) ?? []
      let uncovered = editor?.uncoverSecureViews(for: rights.mayHave) ?? []
      return DroppedPaths(paths, uncovered: uncovered, in: editor?.layout ?? new.layout)
    } then: { [self] dropped, layout, prepared in
      // Who has set something of recognizers is among those who have set something.
      if desk.editor == nil, gestures.settings.isEmpty { setters = Setters() }
      dropped.tell(core.logger)
      put(layout, prepared)
    }
  }

  /// All that is set and added, for the next daemon.
  var handover: (views: [AddedView], changes: [SetChange]) {
    let changes = desk.editor?.changes ?? []
    return (addedViews, changes + gestures.settings.changes)
  }

  /// What a client is called that has set something by a rule's right.
  func number(of client: ClientID) -> UInt32? { setters.numbers[client] }

  /// The views that programs have added, of those in force.
  var addedViews: [AddedView] { desk.editor?.added ?? [] }

  /// Sets again what was set of views with the daemon before. What is not possible with the
  /// configuration in force is as configured: all of it was possible together, and need not be one
  /// by one. Belongs before the first turn.
  func resume(_ views: [AddedView], _ changes: [SetChange]) {
    let changes = changes.filter { !$0.isOfRecognizer }
    if !views.isEmpty {
      let dropped = inPlace { editor in
        let lost = editor.resume(views)
        return DroppedPaths(lost, in: editor.layout)
      }
      dropped.tell(core.logger)
    }
    if changes.isEmpty || inPlace({ $0.apply([changes]) }) == [nil] { return }
    let refusals = inPlace { $0.apply(changes.map { [$0] }) }
    for (set, refusal) in zip(changes, refusals) {
      guard let refusal else { continue }
      core.logger.warning(
        "what was set of \"\(set.change.path)\" is not possible any more: \(refusal.message)")
    }
  }

  private func inPlace<Made>(_ change: (inout LayoutEditor) -> Made) -> Made {
    let configuration = core.configuration
    defer { putInForce(desk.editor?.layout ?? core.layout, nil) }
    return desk.performInPlace { editor in
      LayoutEditor.edit(&editor, or: LayoutEditor(configuration), change)
    }
  }

  /// Sets again what was set of recognizers with the daemon before, once they are there, and takes
  /// note of who has set something, and through which attachments.
  func resume(
    _ changes: [SetChange], of numbers: [ClientID: UInt32], through attachments: [Attachment]
  ) {
    setters.resume(numbers, where: changes.map(\.setter))
    gestures.set(
      changes.filter { $0.isOfRecognizer && gestures.refusal(of: $0.change) == nil })
    setters.resume(attachments, where: changes.map(\.setter) + addedViews.map(\.setter))
  }

  // MARK: - What is in force

  /// Whether other views are secure than when this was asked last, so that clients may no longer
  /// have what they hold, or may now have what they wait for. Rule F6.
  func takeOtherSecureViews() -> Bool {
    defer { hasOtherSecureViews = false }
    return hasOtherSecureViews
  }

  /// Whether views of programs have come or gone since this was asked last.
  func takeNewTree() -> Bool {
    defer { hasNewTree = false }
    return hasNewTree
  }

  private func putInForce(_ layout: Layout, _ prepared: PreparedLayout?) {
    guard desk.editor != nil, layout !== core.layout else { return }
    hasOtherSecureViews =
      hasOtherSecureViews
      || prepared?.hasOtherSecureViews ?? layout.hasOtherSecureViews(than: core.layout)
    if layout.hasSameTree(as: core.layout) {
      core.changeLayout(layout, prepared)
    } else {
      hasNewTree = true
      // What was cancelled is told in the terms of the layout that had its views.
      core.replaceLayout(layout, prepared, announcing: Greeting(core.configuration))
    }
  }
}

// MARK: - Estimates

/// What changes take, in microseconds.
private enum Cost {
  /// A property that is set, or a right that is looked at.
  static let ofChange = 5
  /// A view that is laid out, and compiled.
  static let ofView = 2
  /// A right to a secure view that is looked at.
  static let ofSecureView = 1
  /// A view that is looked at as to whether it takes touches from a secure one.
  static let ofTaker = 4
  /// So many views are entered into a new editor in one.
  static let entered = 20
  /// No matter how long.
  static let long = 1_000_000
}

extension LayoutChanges {
  /// What changes of views take; of recognizers nothing that a thread could do.
  private func estimate(of changes: [ViewChange], _ rights: SetterRights) -> Int {
    let changes = changes.filter { $0.recognizerOwner == nil }
    if changes.isEmpty { return 0 }
    let reach = desk.editor?.reach ?? EditReach(core.layout)
    var estimate =
      changes.count * Cost.ofChange + estimate(ofSparingSecureViewsIn: changes.count, rights)
    if desk.editor == nil { estimate += core.layout.viewCount / Cost.entered }
    for change in changes where estimate <= core.quickMicroseconds {
      estimate += reach.views(changedBy: change) * Cost.ofView
    }
    return estimate
  }

  /// What it takes to see that so many changes take nothing from secure views: each change by
  /// itself, and all that is in force then and was set or added by those who may not have them.
  private func estimate(ofSparingSecureViewsIn count: Int, _ rights: SetterRights) -> Int {
    let secrets = core.layout.secureRoots
    if secrets.isEmpty { return 0 }
    let looks = secrets.count * (1 + (desk.editor?.setterCount ?? 0)) * Cost.ofSecureView
    var estimate = looks + secrets.count * count * Cost.ofTaker
    guard let editor = desk.editor else { return estimate }
    for secure in secrets where estimate <= core.quickMicroseconds {
      let securePath = core.layout.path(of: secure)
      estimate += editor.count { !rights.mayHave($0, securePath) } * Cost.ofTaker
    }
    return estimate
  }

  private func estimate(of job: ViewsJob, _ rights: SetterRights) -> Int {
    var changes: [ViewChange] = []
    let path = core.layout.path(of: job.held)
    for step in job.request.steps {
      guard case .change(let name, let properties) = step else {
        let count = job.request.steps.count
        return (core.layout.viewCount + count) * Cost.ofView + count * Cost.ofChange
          + estimate(ofSparingSecureViewsIn: count, rights)
      }
      let whole = name.isEmpty ? path : path + "/" + name
      changes += properties.map { ViewChange(whole, $0) }
      if changes.count * Cost.ofChange > core.quickMicroseconds { return Cost.long }
    }
    return estimate(of: changes, rights)
  }

  /// What it takes to take back what fulfils the condition, and what then takes touches from secure
  /// views; nil where there is nothing to be done.
  private func estimate(
    ofEnding isOver: (LayoutSetter, String) -> Bool, _ rights: SetterRights
  ) -> Int? {
    guard let editor = desk.editor, case let reach = editor.reach, reach.entryCount > 0 else {
      return nil
    }
    let look = reach.entryCount * Cost.ofChange + estimate(ofSparingSecureViewsIn: 0, rights)
    if look > core.quickMicroseconds, core.quickMicroseconds > 0 { return look }
    let ended = reach.views(changedByEnd: isOver)
    if ended == nil, !editor.coversSecureViews(for: rights.mayHave) { return nil }
    return look + (ended ?? 0) * Cost.ofView
  }
}

/// What was set or added, and is no more though its setter has not taken it back.
private struct DroppedPaths {
  private let gone: [String]
  private let reset: [String]
  private let uncovered: [String]

  /// So many are told of by name.
  private static let told = 8

  /// - Parameters:
  ///   - paths: Where something is not possible any more.
  ///   - uncovered: Where something took touches from secure views, or is not possible without
  ///     that.
  init(_ paths: [String] = [], uncovered: [String] = [], in layout: Layout) {
    gone = paths.filter { layout.view(at: $0) == nil }
    reset = paths.filter { layout.view(at: $0) != nil }
    self.uncovered = uncovered
  }

  func tell(_ logger: Logger) {
    if let first = gone.first {
      let more = gone.count == 1 ? "" : " and \(gone.count - 1) more"
      logger.warning("a view that a program has added is gone: \"\(first)\"\(more)")
    }
    for path in reset.prefix(Self.told) {
      logger.warning("what was set of \"\(path)\" is not possible any more: it is as configured")
    }
    if reset.count > Self.told {
      logger.warning("so is what was set of \(reset.count - Self.told) more views")
    }
    if let first = uncovered.first {
      let more = uncovered.count == 1 ? "" : " and \(uncovered.count - 1) more"
      let words = "is taken back: it took touches from a secure view"
      logger.warning("what programs had made of \"\(first)\"\(more) \(words)")
    }
  }
}
