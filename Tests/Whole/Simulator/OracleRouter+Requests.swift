import Wire
import Layout
import Routing
import TouchModel

extension OracleRouter {
  // MARK: Attachments

  /// What came of a request.
  enum Attached {
    case success(AttachmentID)
    case failure(Refusal)
    case waiting(AttachmentID)
  }

  /// The attachment, or the code of the error.
  ///
  /// - Parameter number: The attachment's, where it has stood in line.
  mutating func attach(
    _ request: AttachRequest, by client: ClientID, as number: AttachmentID? = nil,
    at time: Timestamp
  ) -> Attached {
    if request.handles.isEmpty || !request.handles.isSubset(of: .all)
      || !request.passes.isSubset(of: request.handles)
    {
      return .failure(Refusal(code: .invalid))
    }
    if !layout.has(request.path) { return .failure(Refusal(code: .noResponder)) }
    let holder = holders[request.path]
    if let holder, !request.takesOver {
      guard request.waits, holder.client != client else {
        return .failure(Refusal(code: .held))
      }
      if count(of: client) >= options.maximumAttachmentsPerClient {
        return .failure(Refusal(code: .limit))
      }
      let id = AttachmentID(nextAttachment)
      nextAttachment += 1
      line.stand(OracleLine.Place(id: id, client: client, request: request))
      return .waiting(id)
    }
    let others = holders.values.count { $0.client == client && $0 != holder }
    if others >= options.maximumAttachmentsPerClient {
      return .failure(Refusal(code: .limit))
    }
    if let holder {
      cancel(.takenOver, at: time) { $1.attachment == holder }
      said[holder.client, default: []].append(.detached(holder.id, .takenOver))
      line.forget(holder.id)
    }
    let id = number ?? AttachmentID(nextAttachment)
    if number == nil { nextAttachment += 1 }
    if request.waits {
      line.hold(OracleLine.Place(id: id, client: client, request: request))
    }
    holders[request.path] = OracleAttachment(
      id: id, client: client, path: request.path, handles: request.handles,
      passes: request.passes)
    return .success(id)
  }

  struct Refusal: Error, Equatable { var code: Wire.ErrorCode }

  /// How many attachments a client has, with those in line.
  func count(of client: ClientID) -> Int {
    holders.values.count { $0.client == client } + line.places.count { $0.client == client }
  }

  mutating func detach(_ id: AttachmentID, at time: Timestamp) {
    end(id, at: time)
    line.forget(id)
  }

  private mutating func end(_ id: AttachmentID, at time: Timestamp) {
    cancel(.requested, at: time) { $1.attachment.id == id }
    holders = holders.filter { $0.value.id != id }
  }

  /// Ends an attachment that its client may not have any more. Rule F6.
  mutating func revoke(_ attachment: OracleAttachment, at time: Timestamp) {
    end(attachment.id, at: time)
    sayLost(attachment, .notAllowed)
  }

  /// Who has lost its responder stands in line again, where it asked for that.
  private mutating func sayLost(_ attachment: OracleAttachment, _ reason: Wire.DetachReason) {
    let isWaiting = line.requeue(attachment.id)
    said[attachment.client, default: []].append(
      isWaiting ? .waiting(attachment.id, reason) : .detached(attachment.id, reason))
  }

  mutating func leave(_ client: ClientID, at time: Timestamp) {
    screens.leave(client, at: time)
    idle.leave(client)
    holders = holders.filter { $0.value.client != client }
    line.leave(client)
    stalled.remove(client)
    counters[.orphaned] += letGo { $1.attachment.client == client }
    said[client] = nil
  }

  mutating func stall(_ client: ClientID, at time: Timestamp) {
    guard stalled.insert(client).inserted else { return }
    cancel(.clientUnresponsive, at: time) { $1.attachment.client == client }
  }

  // MARK: Cancelling

  mutating func cancel(
    _ reason: CancelReason, at time: Timestamp,
    where isMeant: (OracleTouch, OracleTouch.Part) -> Bool
  ) {
    for device in devices {
      var isSaid = false
      for (id, touch) in touches where touch.device == device && !touch.isLifted {
        for (index, part) in touch.parts.enumerated() where part.isActive && isMeant(touch, part) {
          touches[id]?.parts[index].cancelReason = reason
          isSaid = true
        }
      }
      if isSaid {
        open(device, at: time)
        sequence += 1
        say(of: device)
      }
    }
    counters[.cancelled] += letGo { $1.cancelReason != nil || isMeant($0, $1) }
  }

  /// Ends parts without a word; returns how many touches nobody has any more for that.
  private mutating func letGo(
    where isMeant: (OracleTouch, OracleTouch.Part) -> Bool
  ) -> UInt64 {
    var buried: UInt64 = 0
    for (id, touch) in touches {
      for (index, part) in touch.parts.enumerated() where isMeant(touch, part) {
        if part.isActive { touches[id]?.parts[index].standing = .gone }
        if part.standing == .waiting { touches[id]?.parts[index].standing = .absent }
        touches[id]?.parts[index].cancelReason = nil
      }
      let wasHad = touch.parts.contains { $0.isActive }
      let isHad = touches[id]?.parts.contains { $0.isActive } ?? false
      if wasHad && !isHad && touch.discardReason == nil {
        touches[id]?.isDead = true
        touches[id]?.parts = []
        if !touch.isLifted { buried += 1 }
      }
    }
    forgetLifted()
    return buried
  }

  private mutating func forgetLifted() {
    touches = touches.filter { !$0.value.isLifted || $0.value.isOpen }
  }

  // MARK: Decisions

  mutating func settle(at time: Timestamp) {
    for (id, touch) in touches {
      for (index, part) in touch.parts.enumerated()
      where part.standing == .undecided && part.deadline <= time {
        touches[id]?.parts[index].standing = .accepted
      }
    }
    forgetLifted()
  }

  /// The earliest moment at which silence becomes consent, where that makes a difference.
  private var decisionDeadline: Timestamp? {
    touches.values.filter(\.isOpen).flatMap(\.parts).filter { $0.standing == .undecided }
      .map(\.deadline).min()
  }

  /// The earliest moment at which time alone changes something.
  var nextDeadline: Timestamp? {
    [decisionDeadline, screens.deadline].compactMap(\.self).min()
  }

  mutating func accept(_ touch: TouchID, through attachment: AttachmentID, by client: ClientID) {
    guard let index = part(of: touch, attachment, client) else {
      return counters[.unknownTouches] += 1
    }
    touches[touch]?.parts[index].standing = .accepted
    forgetLifted()
  }

  /// Whether the attachment is out of the touch.
  mutating func decline(
    _ id: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp
  ) -> Bool {
    guard let index = part(of: id, attachment, client), var touch = touches[id] else {
      counters[.unknownTouches] += 1
      return false
    }
    guard touch.parts[index].standing == .undecided, time < touch.parts[index].deadline else {
      counters[.lateDeclines] += 1
      return false
    }
    open(touch.device, at: time)
    touch.parts[index].standing = .declined
    touch.grant()
    touches[id] = touch
    if touch.parts.contains(where: { !$0.gained.isEmpty }) {
      counters[.passedOn] += 1
      replay(touch)
    }
    let deadline = time.adding(milliseconds: options.decisionTimeoutMilliseconds)
    for (index, part) in touch.parts.enumerated() where !part.gained.isEmpty {
      touch.parts[index].gained = []
      if part.standing == .waiting {
        touch.parts[index].standing = .undecided
        touch.parts[index].deadline = deadline
      }
    }
    if !touch.parts.contains(where: \.isActive) {
      touch.discardReason = .declined
      counters[.discardedDeclined] += 1
      touch.parts = []
    }
    touches[id] = touch
    forgetLifted()
    return true
  }

  private func part(
    of touch: TouchID, _ attachment: AttachmentID, _ client: ClientID
  ) -> Int? {
    touches[touch]?.parts.firstIndex {
      $0.attachment.id == attachment && $0.attachment.client == client && $0.isActive
    }
  }

  // MARK: Layouts

  mutating func replace(_ new: OracleLayout, at time: Timestamp) {
    let old = layout
    let removed = holders.values.filter { !new.has($0.path) }
    let lost = touches.values.filter { touch in
      touch.parts.contains { part in
        part.isActive
          && (removed.contains(part.attachment) || !Self.keeps(touch.target ?? "", old, new))
      }
    }
    let lostIDs = Set(lost.map(\.id))
    cancel(.targetRemoved, at: time) { touch, _ in lostIDs.contains(touch.id) }
    _ = letGo { removed.contains($1.attachment) }
    for attachment in removed.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      holders[attachment.path] = nil
      sayLost(attachment, .removed)
    }
    layout = new
    forgetTaps()
    screens.replace(new.layout.screens)
    for (id, touch) in touches where !(touch.target.map(new.hasView) ?? true) {
      touches[id]?.window = nil
    }
    idle.advance(to: time, contacts)
    for attachment in holders.values.sorted(by: { $0.id.rawValue < $1.id.rawValue })
    where old.geometry(of: attachment.path) != new.geometry(of: attachment.path) {
      said[attachment.client, default: []].append(.layout(attachment.id))
    }
  }

  /// Whether a touch of that target lives on in another layout. Rule R8.
  private static func keeps(_ target: String, _ old: OracleLayout, _ new: OracleLayout) -> Bool {
    new.has(target) && old.application(of: target) == new.application(of: target)
      && old.screen(of: target) == new.screen(of: target)
  }
}
