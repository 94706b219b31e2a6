import Layout
import TouchModel

/// Makes what observers are told: of each frame every touch that changed, whoever gets it. Rule F7.
struct ObservationBuilder {
  /// Whether anybody observes; where not, nothing is kept.
  var isObserved = false
  /// The chains of the touches that begin with the frame at hand.
  private var chains: [(touch: TouchID, chain: [Observation.Link])] = []

  /// Keeps the links of a touch that begins until its frame is told.
  mutating func keep(_ walk: borrowing ChainWalk, of touch: TouchID, in layout: Layout) {
    guard isObserved, let target = walk.links.first?.responder else { return }
    let root = layout.view(of: target).flatMap { layout.secureRoot(of: $0) }
    var chain: [Observation.Link] = []
    for index in 0..<walk.askedCount {
      let link = Observation.Link(walk.links[index])
      if !Self.isHidden(link.responder, by: root, in: layout) { chain.append(link) }
    }
    chains.append((touch, chain))
  }

  /// Tells what the frame at hand of a device says, where something changed.
  mutating func tell(
    of device: DeviceTouches, sequence: UInt64, in layout: Layout, into observations: Observations
  ) {
    let frame = observations.frame(of: device, sequence: sequence)
    device.observeChanged(in: layout, into: observations.records)
    if !chains.isEmpty {
      addChains(to: observations, of: frame)
      // Where a frame is told ahead, a touch that is held back is told behind it, with its chain.
      if !device.isAhead { chains.removeAll(keepingCapacity: true) }
    }
    if observations.records.count > frame.firstRecord { observations.append(frame) }
  }

  private func addChains(to observations: Observations, of frame: Observation) {
    for index in frame.firstRecord..<observations.records.count
    where observations.records[index].phase == .began {
      let id = observations.records[index].id
      guard let kept = chains.first(where: { $0.touch == id }) else { continue }
      observations.add(kept.chain, toRecordAt: index, of: frame)
    }
  }

  /// Tells what somebody's decline has made of a touch: a `began` that is replayed, with the whole
  /// chain.
  ///
  /// - Parameters:
  ///   - touch: The touch, before it is discarded where nobody has it any more.
  ///   - device: Its device.
  ///   - walk: One up its chain as it is now.
  ///   - sequence: The number of the latest frame.
  ///   - layout: The layout in force.
  ///   - observations: It is added to them.
  func tell(
    ofDeclined touch: LiveTouch, on device: DeviceTouches, _ walk: borrowing ChainWalk,
    sequence: UInt64, in layout: Layout, into observations: Observations
  ) {
    guard isObserved, let target = touch.target else { return }
    var record = Observation.Record(touch.replayed(), in: layout)
    if !device.isHeld(touch.id) { record.discardReason = .declined }
    let root = layout.secureRoot(of: target)
    var left = TouchPhases.all
    var chain: [Observation.Link] = []
    for index in walk.links.indices where !left.isEmpty {
      let link = walk.links[index]
      let share = device.share(of: touch.id, through: link.attachment?.id)
      if let share, share.stopsPhases {
        _ = left.grant(handling: share.attachment.handles, passing: share.attachment.passes)
      }
      if Self.isHidden(link.responder, by: root, in: layout) { continue }
      chain.append(Observation.Link(link, afterDecline: share))
    }
    let frame = observations.frame(of: device, sequence: sequence)
    observations.records.append(record)
    observations.add(chain, toRecordAt: frame.firstRecord, of: frame)
    observations.append(frame)
  }

  /// Whether a responder lies within a secure view, and is not that view or its controller.
  private static func isHidden(
    _ responder: ResponderID, by root: ViewIndex?, in layout: Layout
  ) -> Bool {
    guard let root, let own = layout.view(of: responder) else { return false }
    return own > root && own < layout[root].end
  }
}

extension Observation.Link {
  /// What happened at a responder when the touch began.
  fileprivate init(_ link: ChainWalk.Link) {
    self.init(
      responder: link.responder, client: link.attachment?.client, attachment: link.attachment?.id,
      outcome: link.outcome, phases: link.phases)
  }

  /// What is so at a responder once somebody has declined the touch. Who attached since has no part
  /// in it (rule R6).
  fileprivate init(_ link: ChainWalk.Link, afterDecline share: Share?) {
    self.init(link)
    guard let share else {
      phases = []
      if outcome == .delivered { outcome = .notHandled }
      return
    }
    phases = share.isActive ? share.phases : []
    outcome =
      share.standing == .declined ? .declined : share.phases.isEmpty ? .notHandled : .delivered
  }
}
