import Configuration
import Layout
import Logging
import Routing
import Server
import TouchModel

/// Changes of views by programs. Rules L6, R8 and F7.
extension Exchange {
  /// Carries out batches of one client, each whole or not at all, as one change of the layout.
  func change(_ batches: [(token: RequestToken, changes: [ViewChange])]) {
    var refusals: [(code: ErrorCode, text: String)?] = batches.map { batch in
      refusal(of: batch.changes, by: batch.token.client).map { (.notAllowed, $0) }
    }
    let allowed = batches.indices.filter { refusals[$0] == nil }
    for (index, refusal) in zip(allowed, set(allowed.map { batches[$0].changes })) {
      guard let refusal else { continue }
      let text = Self.describe(refusal, in: batches[index].changes)
      refusals[index] = (refusal.isUnknown ? .noResponder : .invalid, text)
    }
    for (batch, refusal) in zip(batches, refusals) {
      if let refusal {
        server.answer(batch.token, refusal.code, refusal.text)
      } else {
        server.answer(batch.token, generation: router.generation)
      }
    }
  }

  /// What was set goes over to the configuration's layout, where its views are still there: the
  /// layout that is to be in force.
  func layoutToPutInForce() -> Layout {
    guard var editor, !editor.isEmpty else {
      editor = nil
      return configuration.layout
    }
    self.editor = nil
    let dropped = editor.move(
      to: configuration.layout, of: configuration.layoutDescription,
      limits: configuration.limits.layout)
    for path in dropped {
      logger.warning("what was set of \"\(path)\" is not possible any more: it is as configured")
    }
    self.editor = editor
    return editor.layout
  }

  /// Puts batches of changes in force, each whole or not at all: for each why it was refused.
  func set(_ batches: [[ViewChange]]) -> [LayoutEditor.Refusal?] {
    guard !batches.isEmpty else { return [] }
    var editor =
      editor
      ?? LayoutEditor(
        configuration.layout, of: configuration.layoutDescription,
        limits: configuration.limits.layout)
    // One owner, so that nothing is copied.
    self.editor = nil
    let refusals = editor.apply(batches)
    let layout = editor.layout
    self.editor = editor
    guard layout !== router.layout else { return refusals }
    beginDeliveries()
    router.replaceLayout(layout, at: now, into: &deliveries)
    deliver()
    return refusals
  }

  /// Why a client may not make these changes; nil where it may: it holds the views, or something
  /// that contains them, or is on the control socket. What is not there is for the editor to say.
  private func refusal(of changes: [ViewChange], by client: ClientID) -> String? {
    guard !server.isControl(client) else { return nil }
    for (index, change) in changes.enumerated() {
      guard let view = router.layout.view(at: change.path) else { continue }
      if router.layout.chain(of: view).contains(where: { router.holder(of: $0)?.client == client })
      {
        continue
      }
      return Self.title(index, changes) + "this client holds neither that nor what it lies in; "
        + "attach first, or use the control socket"
    }
    return nil
  }

  private static func describe(_ refusal: LayoutEditor.Refusal, in changes: [ViewChange]) -> String
  {
    guard let index = refusal.change else { return refusal.message }
    return title(index, changes) + refusal.message
  }

  private static func title(_ index: Int, _ changes: [ViewChange]) -> String {
    "set: change \(index + 1), \(changes[index].property.name) of \"\(changes[index].path)\": "
  }
}
