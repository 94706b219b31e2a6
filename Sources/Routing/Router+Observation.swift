import Layout
import TouchModel

extension Router {
  /// Tells observers what the frame at hand of a device says, whoever gets it.
  func observe(deviceAt index: Int, into observations: inout [Observation]) {
    var observation = emptyObservation(ofDeviceAt: index)
    for place in devices[index].touches.indices {
      let touch = devices[index].touches[place]
      var record = record(of: touch)
      if let reason = devices[index].cancelReasonOfAllShares(at: place) {
        record.phase = .cancelled
        record.cancelReason = reason
      }
      if record.phase == .stationary { continue }
      switch touch.fate {
      case .delivered: break
      case .discarded(let reason): record.discardReason = reason
      case .dead: record.discardReason = .over
      }
      if record.phase == .began, record.discardReason?.isBeforeChain != true {
        record.chain = chain(of: touch) { link(at: $0, taking: &$1) }
      }
      observation.records.append(record)
    }
    if !observation.records.isEmpty { observations.append(observation) }
  }

  /// Tells observers that somebody declined a touch, and who has it now: as a `began` that is
  /// replayed, with the whole chain.
  func observeDecline(
    ofTouchAt place: Int, onDeviceAt index: Int, isHad: Bool,
    into observations: inout [Observation]
  ) {
    let touch = devices[index].touches[place].replayed()
    var observation = emptyObservation(ofDeviceAt: index)
    var record = record(of: touch)
    record.chain = chain(of: touch) { responder, phases in
      link(at: responder, ofTouchAt: place, onDeviceAt: index, taking: &phases)
    }
    if !isHad { record.discardReason = .declined }
    observation.records.append(record)
    observations.append(observation)
  }

  private func emptyObservation(ofDeviceAt index: Int) -> Observation {
    Observation(
      device: devices[index].device, screen: devices[index].screen, time: devices[index].time,
      sequence: sequence, records: [])
  }

  /// The touch as observers may see it: of one in a secure view neither where it is nor which view
  /// within it was hit (rule F7).
  private func record(of touch: LiveTouch) -> Observation.Record {
    var record = Observation.Record(
      id: touch.id, phase: touch.phase, cancelReason: touch.cancelReason, flags: touch.flags,
      tapCount: touch.tapCount, screenLocation: touch.screenLocation, target: touch.target)
    if touch.flags.contains(.secure) {
      record.screenLocation = Point(x: .nan, y: .nan)
      record.target = touch.target.flatMap { layout.secureRoot(of: $0) }
    }
    return record
  }

  /// What happened at each responder of a touch's chain, up to the last that had to be asked.
  private func chain(
    of touch: LiveTouch, link: (ResponderID, inout TouchPhases) -> Observation.Link
  ) -> [Observation.Link] {
    guard let target = touch.target else { return [] }
    var chain: [Observation.Link] = []
    var phases = TouchPhases.all
    var next: ResponderID? = ResponderID(target)
    let hidden = touch.flags.contains(.secure) ? layout.secureRoot(of: target) : nil
    while let responder = next, !phases.isEmpty {
      let link = link(responder, &phases)
      if !isWithin(hidden, responder) { chain.append(link) }
      next = layout.next(after: responder)
    }
    return chain
  }

  /// Whether a responder lies within a view and is not that view or its controller.
  private func isWithin(_ view: ViewIndex?, _ responder: ResponderID) -> Bool {
    guard let view, let own = layout.view(of: responder) else { return false }
    return own > view && own < layout[view].end
  }

  /// What happened at one responder of a touch that somebody declined. Who attached since has no
  /// part in it (rule R6).
  private func link(
    at responder: ResponderID, ofTouchAt place: Int, onDeviceAt index: Int,
    taking phases: inout TouchPhases
  ) -> Observation.Link {
    let attachment = attachments[holderOf: responder]?.id
    let share = devices[index].shares.first { $0.place == place && $0.attachment == attachment }
    guard let share else {
      var untouched = phases
      var link = link(at: responder, taking: &untouched)
      link.phases = []
      if link.outcome == .delivered { link.outcome = .notHandled }
      return link
    }
    if share.stopsPhases { phases.subtract(share.handles.subtracting(share.passes)) }
    return Observation.Link(
      responder: responder, client: share.client, attachment: share.attachment,
      outcome: share.standing == .declined
        ? .declined : share.phases.isEmpty ? .notHandled : .delivered,
      phases: share.isActive ? share.phases : [])
  }
}

extension DiscardReason {
  /// Whether it holds before anybody is asked.
  fileprivate var isBeforeChain: Bool {
    switch self {
    case .noWindow, .outsideScreen, .singleTouch, .exclusive, .limit: true
    case .unhandled, .declined, .over: false
    }
  }
}
