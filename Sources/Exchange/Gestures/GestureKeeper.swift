import Configuration
import Gestures
import Layout
import Logging
import Routing
import Server
import Wire

/// Adds recognisers for clients, as far as they have the right, beside those of the configuration,
/// and takes them away with their attachments. Rules G1 and F6.
final class GestureKeeper {
  /// A recogniser that a client has added.
  struct Added: Equatable {
    let client: ClientID
    let request: GestureRequest

    var attachment: AttachmentID { request.attachment }
    var spec: RecognizerSpec { request.spec }
  }

  private let core: Core
  /// In the order in which they were added.
  private(set) var added: [Added] = []
  /// What was put in force last.
  private var inForce: [RecognizerSpec]

  init(_ core: Core) {
    self.core = core
    inForce = core.configuration.gestures
  }

  // MARK: - Requests

  /// Carries out `add_gesture`: the answer has the recogniser's number.
  func add(_ request: GestureRequest, _ token: RequestToken) {
    if let refusal = refusal(of: request, by: token.client) {
      return core.server.answer(token, refusal.code, refusal.text)
    }
    added.append(Added(client: token.client, request: request))
    review()
    let number = core.pipeline.router.recognizer(at: request.spec.path)
    core.server.answer(
      token, doneWith: Int(number?.rawValue ?? 0), generation: core.generation)
  }

  /// Carries out `remove_gesture`.
  func remove(_ number: UInt32, _ token: RequestToken) {
    let path = core.pipeline.router.recognizer(RecognizerID(number))?.path
    guard
      let index = added.firstIndex(where: { $0.client == token.client && $0.spec.path == path })
    else {
      return core.server.answer(
        token, .invalid, "this client has added no recogniser of the number \(number)")
    }
    added.remove(at: index)
    review()
    core.server.answer(token, generation: core.generation)
  }

  // MARK: - What is in force

  /// Forgets the recognisers of attachments that hold their responder no more, also of those that
  /// stand in line for it again, and puts in force those that there are.
  ///
  /// - Parameter numbers: The numbers of some that are new here, by their paths.
  func review(numbered numbers: [String: RecognizerID] = [:]) {
    if added.isEmpty && inForce == core.configuration.gestures { return }
    let attachments = core.pipeline.router.attachments
    added.removeAll { attachments[$0.attachment] == nil }
    let specs = all(of: core.configuration)
    guard specs != inForce else { return }
    inForce = specs
    let now = core.now
    core.update { $0.replaceGestures(specs, numbered: numbers, at: now) }
  }

  // MARK: - Handover

  /// What the next daemon has to know of the recognisers of an attachment.
  func handover(of attachment: AttachmentID) -> [Handover.HeldGesture] {
    added.filter { $0.attachment == attachment }.compactMap { added in
      core.pipeline.router.recognizer(at: added.spec.path).map {
        Handover.HeldGesture(number: $0.rawValue, request: added.request)
      }
    }
  }

  /// Adds again what was added with the daemon before, under the numbers that its clients know;
  /// what is not possible any more is left out.
  func resume(_ held: [(client: ClientID, gesture: Handover.HeldGesture)]) {
    var numbers: [String: RecognizerID] = [:]
    for (client, gesture) in held.sorted(by: { $0.gesture.number < $1.gesture.number }) {
      let request = gesture.request
      if let refusal = refusal(of: request, by: client) {
        core.logger.warning("a gesture of the daemon before is left out: \(refusal.text)")
        continue
      }
      added.append(Added(client: client, request: request))
      numbers[request.spec.path] = RecognizerID(gesture.number)
    }
    review(numbered: numbers)
  }

  /// The recognisers of a configuration, and behind them those of the attachments in force.
  func all(of configuration: Configuration) -> [RecognizerSpec] {
    if added.isEmpty { return configuration.gestures }
    let configured = Set(configuration.gestures.map(\.path))
    return configuration.gestures
      + added.map(\.spec).filter { !configured.contains($0.path) }
  }

  // MARK: - Refusals

  private typealias Refusal = (code: Wire.ErrorCode, text: String)

  private func refusal(of request: GestureRequest, by client: ClientID) -> Refusal? {
    guard let attachment = core.pipeline.router.attachments[request.attachment],
      attachment.client == client
    else {
      return (.notAttached, "there is no attachment \(request.attachment.rawValue) of this client")
    }
    return excess(by: client) ?? refusal(of: request.spec, through: attachment)
      ?? refusalOfNames(in: request.spec)
  }

  /// Why there may be no more. Rule F5.
  private func excess(by client: ClientID) -> Refusal? {
    let limits = core.configuration.limits
    if added.count(where: { $0.client == client }) >= limits.gesturesPerClient {
      return (
        .limit,
        "\(limits.gesturesPerClient) gestures of one client are the limit "
          + "(limits.gestures_per_client)"
      )
    }
    guard added.count + core.configuration.gestures.count >= limits.gestures else { return nil }
    return (.limit, "\(limits.gestures) gestures are the limit (limits.gestures)")
  }

  /// Why a client may not have a recogniser there. Rules G1 and F6.
  private func refusal(of spec: RecognizerSpec, through attachment: Attachment) -> Refusal? {
    let layout = core.layout
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
    guard layout.responder(at: target) != nil else { return noResponder(target) }
    guard let program = core.program(attachment.client) else { return nil }
    for path in [path, target] {
      if let text = core.policy.refusal(toAttachTo: path, by: program) {
        return (.notAllowed, text)
      }
    }
    return nil
  }

  private func noResponder(_ path: String) -> Refusal {
    let nearest = core.layout.nearestPath(to: path)
    let error = RoutingError.noResponder(path: path, nearest: nearest)
    return (error.code, error.description { core.server.name(of: $0) })
  }

  /// What is wrong with the names that it has and says. Rules G1 and G7.
  private func refusalOfNames(in spec: RecognizerSpec) -> Refusal? {
    let title = "gesture \"\(spec.path)\": "
    if let problem = core.configuration.limits.layout.problem(withName: spec.name, of: "gesture") {
      return (.invalid, title + problem)
    }
    let others = all(of: core.configuration)
    if others.contains(where: { $0.path == spec.path }) {
      return (.invalid, title + "it is there already")
    }
    let known = Set(others.map(\.path))
    for path in spec.after + spec.simultaneous where !known.contains(path) && path != spec.path {
      return (.invalid, title + "there is no gesture \"\(path)\"")
    }
    let waiting = (others + [spec]).map { ($0.path, $0.after) }
    guard !spec.after.isEmpty, !WaitingCircles.paths(of: waiting).isEmpty else { return nil }
    return (.invalid, title + "after runs in a circle: it would wait for itself")
  }
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
