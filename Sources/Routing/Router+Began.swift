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
    var seat = LiveTouch.Seat()
    var fate = LiveTouch.Fate.delivered
    if let reason = assign(touch, to: &seat, onDeviceAt: index) {
      fate = .discarded(reason)
      counters[reason] += 1
    } else {
      counters.delivered += 1
    }
    let placement = seat.target.map { layout.placement(of: $0) }
    devices[index].touches.append(
      LiveTouch(
        touch, screen: devices[index].screen, flags: flags, seat, at: placement, fate: fate))
  }

  /// What becomes of the phases that are left when a touch's chain comes to a responder; takes away
  /// those that go no further. Rules R3 and R4.
  func link(at responder: ResponderID, taking phases: inout TouchPhases) -> Observation.Link {
    guard let attachment = attachments[holderOf: responder] else {
      return Observation.Link(responder: responder, outcome: .noClient)
    }
    let granted = grant(to: attachment, of: &phases)
    var link = Observation.Link(
      responder: responder, client: attachment.client, attachment: attachment.id,
      outcome: granted.map { $0.isEmpty ? .notHandled : .delivered } ?? .unresponsive)
    link.phases = granted ?? []
    return link
  }

  /// The phases of those that are left that an attachment is granted; nil where its client gets
  /// nothing new for now. Takes away those that go no further.
  @inline(__always)
  private func grant(
    to attachment: Attachment, of phases: inout TouchPhases
  ) -> TouchPhases? {
    if !unresponsive.isEmpty, unresponsive.contains(attachment.client) { return nil }
    let granted = phases.intersection(attachment.handles)
    phases.subtract(attachment.handles.subtracting(attachment.passes))
    return granted
  }

  /// Hit-tests a touch, seats it and makes its shares; returns why nobody gets it, if nobody does.
  private mutating func assign(
    _ touch: Touch, to seat: inout LiveTouch.Seat, onDeviceAt index: Int
  ) -> DiscardReason? {
    let screen = devices[index].screen
    guard Self.isOnScreen(touch.location, screen, of: layout) else { return .outsideScreen }
    guard Self.liveTouchCount(of: devices) < options.maximumLiveTouches else { return .limit }
    guard let target = hitTester.hitTest(touch.location, on: screen) else { return .noWindow }
    seat.target = target
    if let reason = Self.reasonToKeepOut(ofTouchesOf: target, of: layout, beside: devices) {
      return reason
    }
    let (granted, missing) = findShares(
      of: touch.id, target: target, place: devices[index].touches.count, at: devices[index].time)
    guard granted.contains(.began) else { return .unhandled }
    seat.tapCount = devices[index].tapCounter.count(of: touch, on: target, options)
    // Only where somebody could get more than it does is it worth keeping what is said.
    if options.decisionTimeoutMilliseconds > 0, !missing.isEmpty {
      seat.keep = devices[index].keeper.open(limit: options.maximumKeptMoves)
      for share in newShares where share.isActive {
        guard let deadline = share.deadline else { continue }
        nextDeadline = min(nextDeadline ?? deadline, deadline)
      }
    }
    for place in newShares.indices where newShares[place].isActive || seat.keep != nil {
      devices[index].insert(newShares[place])
    }
    return nil
  }

  /// Walks the target's chain, and leaves who gets what in ``newShares``: with phases who gets
  /// something (rule R4), without who would get something if others declined (rule R5). Returns the
  /// phases that somebody is granted, and those that somebody handles and is not.
  private mutating func findShares(
    of touch: TouchID, target: ViewIndex, place: Int, at time: Timestamp
  ) -> (granted: TouchPhases, missing: TouchPhases) {
    newShares.removeAll()
    let deadline = time.adding(milliseconds: options.decisionTimeoutMilliseconds)
    var phases = TouchPhases.all
    var granted: TouchPhases = []
    var missing: TouchPhases = []
    var next: ResponderID? = ResponderID(target)
    while let responder = next {
      next = layout.next(after: responder)
      guard let attachment = attachments[holderOf: responder],
        let grant = grant(to: attachment, of: &phases),
        let targetIndex = layout.targetIndex(of: target, in: responder)
      else { continue }
      granted.formUnion(grant)
      missing.formUnion(attachment.handles.subtracting(grant))
      newShares.append(
        Share(
          place: place, touch: touch, client: attachment.client, attachment: attachment.id,
          position: newShares.count, handles: attachment.handles, passes: attachment.passes,
          target: target, targetIndex: targetIndex, phases: grant, hears: grant,
          standing: grant.isEmpty ? .waiting : .undecided(until: deadline)))
    }
    return (granted, missing)
  }

  // Of the type, as the whole router would be copied for a call that does not change it.

  /// Why a view gets no further touch for now, if it does not. Rule T13.
  private static func reasonToKeepOut(
    ofTouchesOf target: ViewIndex, of layout: Layout, beside devices: [DeviceTouches]
  ) -> DiscardReason? {
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
  private static func isOnScreen(
    _ point: Point, _ screen: ScreenIndex, of layout: Layout
  ) -> Bool {
    guard layout.screens.indices.contains(Int(screen.rawValue)) else { return false }
    let size = layout.screens[Int(screen.rawValue)].size
    return Rect(x: 0, y: 0, width: size.width, height: size.height).contains(point)
  }
}
