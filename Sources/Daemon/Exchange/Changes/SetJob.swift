import Configuration
import Layout
import Routing
import TouchModel
import Wire

/// Batches of changes as programs ask for them, with all that says who may make them: each is made
/// whole or not at all. Rules L6 and F7.
struct SetJob: Sendable {
  /// What one client wants.
  struct Batch: Sendable {
    let changes: [ViewChange]
    /// Nil where it is gone.
    let program: ConnectedProgram?
    /// The programs of its user; none for the control socket, which has no limits of a user.
    let clientsOfUser: [ClientID]
    /// Why it can't be, as far as it is of recognizers.
    let refusal: ChangeRefusal?
    /// Nil where nothing is near the limit.
    let budget: UserBudget?
  }

  let batches: [Batch]
  let policy: AccessPolicy
  let setters: Setters
  /// What those may who have set something, and who makes the batches.
  let rights: SetterRights

  private var configuration: Configuration { policy.configuration }

  /// Changes the views.
  func make(on editor: inout LayoutEditor?) -> LayoutOutcome {
    var answers: [ChangeRefusal?] = []
    var setters = setters
    var allowed: [Allowed] = []
    for (index, batch) in batches.enumerated() {
      do throws(AccessPolicy.Refusal) {
        let changes = try permitted(batch, &setters)
        answers.append(batch.refusal)
        guard batch.refusal == nil else { continue }
        let recognizers = changes.filter(\.isOfRecognizer)
        allowed.append(
          Allowed(
            index: index, views: changes.filter { !$0.isOfRecognizer }, recognizers: recognizers))
      } catch { answers.append(ChangeRefusal(code: .notAllowed, text: error.text)) }
    }
    var rights = rights
    rights.take(setters)
    let refusals = set(allowed, setters, rights, of: &editor)
    let uncovered = editor?.uncoverSecureViews(for: rights.mayHave) ?? []
    var recognizers: [SetChange] = []
    for (batch, refusal) in zip(allowed, refusals) {
      guard let refusal else {
        recognizers += batch.recognizers
        continue
      }
      answers[batch.index] = ChangeRefusal(
        code: refusal.code, text: Self.describe(refusal, in: batches[batch.index].changes))
    }
    return LayoutOutcome(
      answers: answers, recognizers: recognizers, setters: setters,
      dropped: DroppedPaths(uncovered: uncovered, in: editor?.layout ?? configuration.layout))
  }

  /// A batch that its program may ask for.
  private struct Allowed {
    let index: Int
    let views: [SetChange]
    let recognizers: [SetChange]
  }

  /// What the views of a batch's user may cost a lookup; nil where that has no limit.
  private func lookups(of batch: Batch, _ setters: Setters) -> LookupBudget? {
    guard batch.program != nil, !batch.clientsOfUser.isEmpty,
      batch.changes.contains(where: { $0.property.lookupCost > 0 })
    else { return nil }
    return setters.lookupBudget(
      configuration.limits.lookupCostPerUser, of: batch.clientsOfUser)
  }

  private func set(
    _ batches: [Allowed], _ setters: Setters, _ rights: SetterRights,
    of editor: inout LayoutEditor?
  ) -> [LayoutEditor.Refusal?] {
    // An editor is made of the whole layout: not for recognizers alone.
    guard batches.contains(where: { !$0.views.isEmpty }) else { return batches.map { _ in nil } }
    var kept = kept(for: batches, in: editor)
    return LayoutEditor.edit(&editor, or: LayoutEditor(configuration)) {
      $0.apply(
        batches.map(\.views), sparing: rights.mayHave,
        within: batches.map { lookups(of: self.batches[$0.index], setters) }
      ) { number, bytes in
        guard let budget = self.batches[batches[number].index].budget else { return nil }
        let now = kept[budget.user, default: budget.others] + bytes
        if bytes > 0, let text = budget.refusal(of: now) { return "set: " + text }
        kept[budget.user] = now
        return nil
      }
    }
  }

  /// What is charged to the users of batches that are near their limit. Rule F5.
  private func kept(for batches: [Allowed], in editor: LayoutEditor?) -> [UInt32: Int] {
    var kept: [UInt32: Int] = [:]
    for batch in batches {
      guard let budget = self.batches[batch.index].budget, kept[budget.user] == nil else {
        continue
      }
      kept[budget.user] = budget.bytes(in: editor)
    }
    return kept
  }

  /// The changes with the rights by which a client may make them. What is not there is for the
  /// editor to say.
  private func permitted(
    _ batch: Batch, _ setters: inout Setters
  ) throws(AccessPolicy.Refusal) -> [SetChange] {
    guard let program = batch.program else { return [] }
    var permitted: [SetChange] = []
    for (index, change) in batch.changes.enumerated() {
      do throws(AccessPolicy.Refusal) {
        let right = try policy.right(to: change, by: program) ?? .control
        permitted.append(SetChange(change, by: right, of: program, &setters))
      } catch {
        throw AccessPolicy.Refusal(text: Self.title(index, batch.changes) + error.text)
      }
    }
    return permitted
  }

  // MARK: - Words

  /// Why changes of views were refused that came in a batch with others.
  private static func describe(
    _ refusal: LayoutEditor.Refusal, in changes: [ViewChange]
  ) -> String {
    let views = changes.indices.filter { changes[$0].recognizerOwner == nil }
    guard let index = refusal.change else { return refusal.message }
    return title(views[index], changes) + refusal.message
  }

  /// Which change of a batch it is.
  static func title(_ index: Int, _ changes: [ViewChange]) -> String {
    "set: change \(index + 1), \(changes[index].property.name) of \"\(changes[index].path)\": "
  }
}

extension SetChange {
  /// A change that a program makes by a right.
  init(
    _ change: ViewChange, by right: AccessPolicy.Right, of program: ConnectedProgram,
    _ setters: inout Setters
  ) {
    let isRevocation = if case .window = right { true } else { false }
    self.init(change, by: setters.setter(right, of: program), isRevocation: isRevocation)
  }

  /// Whether it is of a recognizer, and not of a view.
  var isOfRecognizer: Bool { change.recognizerOwner != nil }
}

extension LayoutEditor {
  /// An editor of what is configured.
  init(_ configuration: Configuration) {
    self.init(
      configuration.layout, of: configuration.layoutDescription,
      limits: configuration.limits.layout)
  }
}

extension LayoutEditor.Refusal {
  /// What a client is told of it beside its words.
  var code: Wire.ErrorCode {
    if isBeyondLimit { return .limit }
    return isUnknown ? .noResponder : isForbidden ? .notAllowed : .invalid
  }
}
