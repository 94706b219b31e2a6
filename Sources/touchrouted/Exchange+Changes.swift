import Wire
import Configuration
import EventLoop
import Layout
import Logging
import Routing
import Server
import TouchModel

/// Changes of views by programs. Rules L6, R8 and F7.
extension Exchange {
  /// Carries out batches of one client or several, each whole or not at all, as one change of the
  /// layout.
  func change(_ batches: [(token: RequestToken, changes: [ViewChange])]) {
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
        refusal.isUnknown ? .noResponder : refusal.isBeyondArea ? .notAllowed : .invalid
      refusals[batch.index] = (code, text)
    }
    for (batch, refusal) in zip(batches, refusals) {
      if let refusal {
        server.answer(batch.token, refusal.code, refusal.text)
      } else {
        server.answer(batch.token, generation: pipeline.router.generation)
      }
    }
  }

  /// Puts batches of changes in force, each whole or not at all: for each why it was refused.
  func set(_ batches: [[SetChange]]) -> [LayoutEditor.Refusal?] {
    guard !batches.isEmpty else { return [] }
    let refusals = settings.apply(batches, over: configuration)
    putSettingsInForce()
    return refusals
  }

  /// Takes back what was set through attachments that have ended, of one client or all that it had;
  /// of what else was dropped with it, the log tells.
  func takeBack(_ ended: [AttachmentID]? = nil, of client: ClientID) {
    let began = loop.present
    guard let dropped = settings.end(ended, of: client) else { return }
    tell(ofDropped: dropped)
    putSettingsInForce()
    server.layoutChanged(took: loop.present - began)
  }

  /// What was set goes over to the configuration's layout, where its views are still there: the
  /// layout that is to be in force.
  func layoutToPutInForce() -> Layout {
    tell(ofDropped: settings.move(to: configuration))
    return settings.layout ?? configuration.layout
  }

  /// Takes back what was set by rights that are no more.
  func reviewSettings() {
    let policy = policy
    let dropped = settings.review(
      rule: { user, path in
        configuration.accessRule(for: path)?.allows(user: user.user, groups: user.groups) ?? false
      },
      attachment: { id, path in
        guard let client = pipeline.router.attachment(id)?.client, let program = program(client)
        else {
          return false
        }
        return (try? policy.right(to: ViewChange(path, .configured), by: program)) != nil
      })
    tell(ofDropped: dropped)
    putSettingsInForce()
  }

  private func putSettingsInForce() {
    guard let layout = settings.layout, layout !== pipeline.router.layout else { return }
    pipeline.replaceLayout(layout, at: now)
    deliver()
  }

  private func tell(ofDropped paths: [String]) {
    for path in paths {
      logger.warning("what was set of \"\(path)\" is not possible any more: it is as configured")
    }
  }

  /// The changes with the rights by which a client may make them. What is not there is for the
  /// editor to say.
  private func permitted(
    _ changes: [ViewChange], by client: ClientID
  ) throws(AccessPolicy.Refusal) -> [SetChange] {
    let policy = policy
    guard let program = program(client) else { return [] }
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
}
