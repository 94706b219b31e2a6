import Configuration
import Gestures
import Layout
import Routing
import TouchModel

/// What a record says beside touches, done to a pipeline of another configuration: who attaches and
/// goes, what programs decide and what is overridden, as far as that configuration has it.
struct RecordedWorld {
  /// What the configuration does not have, or does not allow, each once.
  private(set) var notes: [String] = []
  private var noted: Set<String> = []
  private var editor: LayoutEditor
  private let configured: [String: RecognizerSpec]
  /// What is overridden and added now, by path.
  private var views: [String: RecordedView] = [:]
  /// The recognizers that are not as configured.
  private var changed: Set<String> = []
  /// Who holds which attachment.
  private(set) var attachments: [UInt32: RecordedAttachment] = [:]
  /// The clients that are there, by their numbers in the record.
  private var clients: [UInt32: ClientID] = [:]
  /// Slots of clients that are gone.
  private var freeSlots: [UInt32] = []

  /// A world as configured, with nobody in it.
  init(_ configuration: Configuration) {
    editor = LayoutEditor(
      configuration.layout, of: configuration.layoutDescription,
      limits: configuration.limits.layout)
    configured = Dictionary(
      configuration.gestures.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
  }

  private mutating func note(_ text: String) {
    if noted.insert(text).inserted { notes.append(text) }
  }

  // MARK: - Programs

  mutating func attach(_ item: RecordedAttachment, in pipeline: inout TouchPipeline) {
    guard let handles = TouchPhases(words: item.handles),
      let passes = TouchPhases(words: item.passes)
    else { return note("attachment \(item.attachment) has an unknown phase") }
    let request = AttachRequest(
      path: item.path, handles: handles, passes: passes, takesOver: true,
      handlesGestures: item.gestures)
    attachments[item.attachment] = item
    let (id, time) = (AttachmentID(item.attachment), Timestamp(microseconds: item.time_us))
    // Another daemon, after a loss, numbers from 1 again.
    if let old = pipeline.router.attachments[id] { pipeline.revoke(old, at: time) }
    do throws(RoutingError) {
      _ = try pipeline.attach(request, by: client(item.client), as: id, at: time)
    } catch { note("\(item.name) can't attach to \(item.path): \(error)") }
  }

  mutating func take(_ event: RecordedEvent, in pipeline: inout TouchPipeline) {
    let time = Timestamp(microseconds: event.time_us)
    if event.event == "unresponsive", let number = event.client { _ = client(number) }
    let client = event.client.flatMap(knownClient)
    let attachment = event.attachment.map { AttachmentID($0) }
    switch (event.event, client) {
    case ("detached", let client?):
      guard let attachment else { return }
      detach(attachment, client, event.reason, at: time, in: &pipeline)
    case ("gone", let client?):
      pipeline.gone(client, at: time)
      attachments = attachments.filter { $0.value.client != event.client }
      if let number = event.client { clients[number] = nil }
      freeSlots.append(client.slot)
    case ("unresponsive", let client?): pipeline.setUnresponsive(client, true, at: time)
    case ("responsive", let client?): pipeline.setUnresponsive(client, false, at: time)
    default: break
    }
  }

  /// A responder that a program took over ends with that program's attachment, and one that the
  /// layout lost with the layout.
  private mutating func detach(
    _ id: AttachmentID, _ client: ClientID, _ reason: String?, at time: Timestamp,
    in pipeline: inout TouchPipeline
  ) {
    switch reason {
    case nil:
      do throws(RoutingError) { try pipeline.detach(id, by: client, at: time) } catch {
        // It is not there, as its responder is not.
      }
      attachments[id.rawValue] = nil
    case "not_allowed":
      if let attachment = pipeline.router.attachments[id] { pipeline.revoke(attachment, at: time) }
      attachments[id.rawValue] = nil
    default: break
    }
  }

  /// A client of the record; nil where it holds nothing yet.
  func knownClient(_ number: UInt32) -> ClientID? { clients[number] }

  /// A client of the record. Slots are as few as possible, whatever number a record has: the
  /// pipeline has a place for each.
  private mutating func client(_ number: UInt32) -> ClientID {
    if let known = clients[number] { return known }
    let new = ClientID(slot: freeSlots.popLast() ?? UInt32(clients.count), generation: 1)
    clients[number] = new
    return new
  }

  // MARK: - Layouts

  /// Puts in force what is overridden and added, and the recognizers, as far as that is possible.
  ///
  /// - Returns: Whether the views may be others than before.
  mutating func takeViews(_ layout: RecordedLayout) -> Bool {
    guard layout.views != nil || layout.removed != nil else { return false }
    let new = layout.views ?? []
    let names = Set(new.map(\.path))
    let isWhole = layout.whole == true
    remove(isWhole ? views.keys.filter { !names.contains($0) } : layout.removed ?? [])
    let places = isWhole ? Self.places(of: new) : [:]
    for view in new { put(view, at: places[view.path]) }
    return true
  }

  /// The layout with all of it.
  var layout: Layout { editor.layout }

  /// Of each view its place among its siblings.
  private static func places(of views: [RecordedView]) -> [String: Int] {
    var counts: [Substring: Int] = [:]
    var places: [String: Int] = [:]
    for view in views {
      let superview =
        view.path.lastIndex(of: "/").map { view.path[..<$0] } ?? "level \(view.level ?? 0)"
      places[view.path] = counts[superview, default: 0]
      counts[superview, default: 0] += 1
    }
    return places
  }

  private mutating func put(_ view: RecordedView, at place: Int?) {
    let before = views[view.path]
    guard view.isAdded || !view.overridden.isEmpty || before != nil else { return }
    views[view.path] = view.isAdded || !view.overridden.isEmpty ? view : nil
    guard view.isAdded || editor.layout.view(at: view.path) != nil else {
      return note("\(view.path) is not in this configuration, and nothing is overridden there")
    }
    if view.isAdded, editor.layout.view(at: view.path) == nil {
      if let refusal = editor.apply([.add(view.added)], by: .administrator(0)) {
        note("\(view.path) can't be added: \(refusal.message)")
      }
      return
    }
    let changes = [ViewChange(view.path, .configured)] + view.changes(at: place)
    if let refusal = editor.apply([changes])[0] {
      note("\(view.path) can't be overridden: \(refusal.message)")
    }
  }

  private mutating func remove(_ paths: [String]) {
    for path in paths.sorted() {
      guard let view = views.removeValue(forKey: path), editor.layout.view(at: path) != nil
      else { continue }
      if view.isAdded {
        // One that was added is gone with its superview, which comes before it.
        _ = editor.apply([.remove(path)], by: .administrator(0))
      } else {
        _ = editor.apply([[ViewChange(path, .configured)]])
      }
    }
  }

  // MARK: - Recognizers

  mutating func put(
    _ recorded: [RecordedRecognizer], at time: Timestamp, in pipeline: inout TouchPipeline
  ) {
    var kept: Set<String> = []
    for item in recorded {
      guard var spec = configured[item.path] ?? item.spec else {
        note("\(item.path) is no recognizer of this version")
        continue
      }
      if configured[item.path] == nil {
        guard item.added_by != nil else { continue }
        spec.adder = adder(of: item)?.attachment
      } else {
        spec.description.isEnabled = item.enabled
      }
      guard hasOwner(spec) else {
        note("\(item.path) is not in this configuration")
        continue
      }
      kept.insert(item.path)
      let id = pipeline.router.recognizers.id(of: item.path)
      if id.flatMap({ pipeline.router.recognizer($0) }) == spec { continue }
      pipeline.put(spec, as: id, at: time)
      changed.insert(item.path)
    }
    for path in changed.subtracting(kept) {
      changed.remove(path)
      guard let id = pipeline.router.recognizers.id(of: path) else { continue }
      if let usual = configured[path] {
        pipeline.put(usual, as: id, at: time)
      } else {
        pipeline.remove(id, at: time)
      }
    }
  }

  private func hasOwner(_ spec: RecognizerSpec) -> Bool {
    switch spec.owner {
    case .view(let path): editor.layout.view(at: path) != nil
    case .screen(let name): editor.layout.screens.contains { $0.name == name }
    }
  }

  /// The attachment through which a program has added a recognizer: the daemon tells the program
  /// alone.
  private func adder(of item: RecordedRecognizer) -> RecordedAttachment? {
    let own = attachments.values.filter { $0.pid == item.added_by?.pid && $0.gestures }
      .sorted { $0.attachment < $1.attachment }
    func holds(_ attachment: RecordedAttachment, _ path: String) -> Bool {
      attachment.path == path || attachment.path.hasPrefix("\(path)@")
    }
    return own.first { holds($0, item.owner) } ?? own.first
  }
}
