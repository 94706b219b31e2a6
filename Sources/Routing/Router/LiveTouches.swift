import Wire
import Layout
import TouchModel

/// What is in force and what is on the glass: the touches of all devices in one layout, who holds
/// what of it, and what everybody is told of a frame.
///
/// It decides nothing: the router and its recognizers have it say, cancel and forget.
struct LiveTouches: ~Copyable {
  /// The layout in force.
  var layout: Layout
  /// Limits and times.
  var options: RouterOptions
  /// What happened to touches until now.
  var counters = Wire.Counters()
  /// Who holds what.
  var attachments: AttachmentTable
  var devices = DeviceTable()
  /// The number of the latest frame.
  var sequence: UInt64 = 0
  /// Tells observers, where there are any.
  var observer = ObservationBuilder()
  /// The clients that get nothing new for now. Rule F3.
  var unresponsive: Set<ClientID> = []
  /// Who may learn of touches on secure views. Rule F8.
  var readers = SecureReaders()
  /// The walk up the chain that was followed last.
  private(set) var walk = ChainWalk()

  init(_ layout: Layout, _ options: RouterOptions) {
    self.layout = layout
    self.options = options
    attachments = AttachmentTable(layout)
  }

  /// Says the frame at hand of a device to everybody, and ends it. A touch of which the last share
  /// was cancelled is cancelled for good, though its finger stays on the glass.
  @inline(__always)
  mutating func finishFrame(of device: DeviceTouches, into deliveries: inout Deliveries) {
    sequence += 1
    device.write(sequence: sequence, into: &deliveries)
    observer.tell(of: device, sequence: sequence, in: layout, into: &deliveries.observations)
    close(device)
  }

  /// Forgets what is over of a device's frame at hand.
  @inline(__always)
  mutating func close(_ device: DeviceTouches) {
    let cancelled = device.close(keepingLifted: options.maximumLiveTouches)
    if cancelled > 0 { counters[.cancelled] += UInt64(cancelled) }
  }

  /// Cancels the shares that fulfil the condition: a frame for each device that has one.
  ///
  /// - Parameter open: The device of which the frame at hand has yet to be said, if one has.
  mutating func cancel(
    _ reason: CancelReason, at time: Timestamp, open: DeviceTouches? = nil,
    into deliveries: inout Deliveries, where isMeant: (Share) -> Bool
  ) {
    for device in devices.devices {
      if device.cancel(reason, where: isMeant) {
        device.open(time: time)
        finishFrame(of: device, into: &deliveries)
      } else if device !== open {
        close(device)
      }
    }
  }

  /// Takes silence until now for consent, where that makes a difference. Rule R5.
  @inline(__always)
  mutating func settle(to time: Timestamp) {
    if let deadline = devices.nextDeadline, deadline <= time { settle(at: time) }
  }

  private mutating func settle(at time: Timestamp) {
    for device in devices.devices {
      device.settle(at: time)
      close(device)
    }
  }

  /// Walks up the chain of a view, as things are now. Rule R4.
  @inline(__always)
  mutating func followChain(of target: ViewIndex) {
    walk.follow(
      target, in: layout, attachments, without: unresponsive,
      readers: layout.secureRoot(of: target) == nil ? nil : readers)
  }

  /// Whether a client may learn of a touch that hit a view. Rule F8.
  func mayRead(_ target: ViewIndex?, _ client: ClientID) -> Bool {
    target.map { readers.mayRead($0, client, in: layout, attachments) } ?? true
  }

  /// Cancels the touches on secure views for those who may no longer learn of them. Rule F8.
  mutating func cancelUnreadable(at time: Timestamp, into deliveries: inout Deliveries) {
    let (readers, layout, attachments) = (readers, layout, attachments)
    var targets: [TouchID: ViewIndex] = [:]
    for device in devices.devices {
      device.forEachTarget { touch, target in
        if layout.secureRoot(of: target) != nil { targets[touch] = target }
      }
    }
    if targets.isEmpty { return }
    cancel(.requested, at: time, into: &deliveries) { share in
      guard let target = targets[share.touch] else { return false }
      return !readers.mayRead(target, share.client, in: layout, attachments)
    }
  }

  /// Gives what a decline left of a touch to those further up its chain. Rule R5.
  mutating func passOn(
    _ touch: TouchID, on device: DeviceTouches, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    device.open(time: time)
    let deadline = time.adding(milliseconds: options.decisionTimeoutMilliseconds)
    if device.passOn(touch, deadline: deadline, sequence: &sequence, into: &deliveries) {
      counters[.passedOn] += 1
    }
    if observer.isObserved, let declined = device.touch(touch), let target = declined.target {
      followChain(of: target)
      observer.tell(
        ofDeclined: declined, on: device, walk, sequence: sequence, in: layout,
        into: &deliveries.observations)
    }
    if !device.isHeld(touch) {
      counters[.discardedDeclined] += 1
      device.discard(touch, .declined)
    }
    close(device)
  }

  /// Cancels the touches that a change of the layout ends, and those that attachments have part in
  /// which it removes. Rule R8.
  mutating func cancelTouches(
    by change: LayoutChange, without removed: [Attachment], at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    let ids = Set(removed.map(\.id))
    let lost = devices.touchesLost(by: change, without: ids)
    cancel(.targetRemoved, at: time, into: &deliveries) { lost.contains($0.touch) }
    for device in devices.devices {
      // Those that had a part were cancelled; what is left only waits for a decline.
      _ = device.drop { ids.contains($0.attachment.id) }
    }
  }
}
