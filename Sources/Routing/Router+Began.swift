import Layout
import TouchModel

extension Router {
  /// Finds out once and for all who gets a touch. Rules H1, H7, R4, T8,
  /// T10 and T13.
  mutating func begin(_ touch: Touch, flags: TouchFlags, onDeviceAt index: Int) {
    guard devices[index].place(of: touch.id) == nil else {
      counters.strayTouches += 1
      return
    }
    counters.began += 1
    if flags.contains(.injected) { counters.injected += 1 }
    var live = LiveTouch(touch, screen: devices[index].screen, flags: flags)
    if let reason = assign(&live, onDeviceAt: index) {
      live.fate = .discarded(reason)
      counters[reason] += 1
    } else {
      counters.delivered += 1
    }
    devices[index].touches.append(live)
  }

  /// What becomes of the phases that are left when a touch's chain comes to a responder; takes away
  /// those that go no further. Rules R3 and R4.
  func link(at responder: ResponderID, taking phases: inout TouchPhases) -> Observation.Link {
    guard let attachment = attachments[holderOf: responder] else {
      return Observation.Link(responder: responder, outcome: .noClient)
    }
    var link = Observation.Link(
      responder: responder, client: attachment.client, attachment: attachment.id,
      outcome: .notHandled)
    if unresponsive.contains(attachment.client) {
      link.outcome = .unresponsive
      return link
    }
    link.phases = phases.intersection(attachment.handles)
    if !link.phases.isEmpty { link.outcome = .delivered }
    phases.subtract(attachment.handles.subtracting(attachment.passes))
    return link
  }

  /// Hit-tests a touch and makes its shares; returns why nobody gets it, if nobody does.
  private mutating func assign(_ touch: inout LiveTouch, onDeviceAt index: Int) -> DiscardReason? {
    guard isOnScreen(touch.screenLocation, touch.screen) else { return .outsideScreen }
    guard liveTouchCount < options.maximumLiveTouches else { return .limit }
    guard let target = hitTester.hitTest(touch.screenLocation, on: touch.screen) else {
      return .noWindow
    }
    touch.place(in: target, of: layout)
    if let reason = reasonToKeepOut(ofTouchesOf: target) { return reason }
    findShares(
      of: touch, target: target, place: devices[index].touches.count, at: devices[index].time)
    guard newShares.contains(where: { $0.phases.contains(.began) }) else { return .unhandled }
    touch.tapCount = tapCounter.count(
      of: touch, from: devices[index].device, on: target,
      interval: options.tapIntervalMilliseconds, distance: options.tapDistance)
    // Only where somebody could get more than it does is it worth keeping what is said.
    if options.decisionTimeoutMilliseconds > 0,
      newShares.contains(where: { $0.phases != $0.handles })
    {
      touch.keep = devices[index].keeper.open(limit: options.maximumKeptMoves)
      for share in newShares where share.isActive {
        guard let deadline = share.deadline else { continue }
        nextDeadline = min(nextDeadline ?? deadline, deadline)
      }
    }
    for share in newShares where share.isActive || touch.keep != nil {
      devices[index].insert(share)
    }
    return nil
  }

  /// Walks the target's chain, and leaves who gets what in ``newShares``: with phases who gets
  /// something (rule R4), without who would get something if others declined (rule R5).
  private mutating func findShares(
    of touch: LiveTouch, target: ViewIndex, place: Int, at time: Timestamp
  ) {
    newShares.removeAll()
    let deadline = time.adding(milliseconds: options.decisionTimeoutMilliseconds)
    var phases = TouchPhases.all
    var next: ResponderID? = ResponderID(target)
    while let responder = next {
      let link = link(at: responder, taking: &phases)
      if link.outcome == .delivered || link.outcome == .notHandled,
        let attachment = attachments[holderOf: responder],
        let targetIndex = layout.targetIndex(of: target, in: responder)
      {
        newShares.append(
          Share(
            place: place, touch: touch.id, client: attachment.client, attachment: attachment.id,
            position: newShares.count, handles: attachment.handles, passes: attachment.passes,
            target: target, targetIndex: targetIndex, phases: link.phases, hears: link.phases,
            standing: link.phases.isEmpty ? .waiting : .undecided(until: deadline)))
      }
      next = layout.next(after: responder)
    }
  }

  /// Why a view gets no further touch for now, if it does not. Rule T13.
  private func reasonToKeepOut(ofTouchesOf target: ViewIndex) -> DiscardReason? {
    var isExcluded = false
    for index in devices.indices {
      for place in devices[index].touches.indices where devices[index].touches[place].isLive {
        guard let other = devices[index].touches[place].target else { continue }
        let view = layout[target]
        if other == target {
          if !view.multipleTouch { return .singleTouch }
        } else if layout[other].windowIndex == view.windowIndex,
          view.exclusiveTouch || layout[other].exclusiveTouch
        {
          isExcluded = true
        }
      }
    }
    return isExcluded ? .exclusive : nil
  }

  /// Whether the point lies on the screen, as rule T8 wants of the place where a touch begins.
  private func isOnScreen(_ point: Point, _ screen: ScreenIndex) -> Bool {
    guard layout.screens.indices.contains(Int(screen.rawValue)) else { return false }
    let size = layout.screens[Int(screen.rawValue)].size
    return Rect(x: 0, y: 0, width: size.width, height: size.height).contains(point)
  }
}
