import Layout
import TouchModel

extension Router {
  /// Tells observers what the frame at hand of a device says, whoever gets it.
  func observe(deviceAt index: Int, into observations: inout [Observation]) {
    let device = devices[index]
    var observation = Observation(
      device: device.device, screen: device.screen, time: device.time, sequence: sequence,
      records: [])
    for place in device.touches.indices {
      let touch = device.touches[place]
      var record = Observation.Record(
        id: touch.id, phase: touch.phase, cancelReason: touch.cancelReason, flags: touch.flags,
        tapCount: touch.tapCount, screenLocation: touch.screenLocation, target: touch.target)
      if let reason = device.cancelReasonOfAllShares(at: place) {
        record.phase = .cancelled
        record.cancelReason = reason
      }
      if record.phase == .stationary { continue }
      if case .discarded(let reason) = touch.fate { record.discardReason = reason }
      if record.phase == .began, let target = touch.target { record.chain = chain(of: target) }
      observation.records.append(record)
    }
    if !observation.records.isEmpty { observations.append(observation) }
  }

  /// What happened at each responder that was asked for a touch that begins with the frame at hand.
  private func chain(of target: ViewIndex) -> [Observation.Link] {
    var chain: [Observation.Link] = []
    var phases = TouchPhases.all
    var next: ResponderID? = ResponderID(target)
    while let responder = next, !phases.isEmpty {
      chain.append(link(at: responder, taking: &phases))
      next = layout.next(after: responder)
    }
    return chain
  }
}
