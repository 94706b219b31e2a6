public import Layout
public import TouchModel

/// Decides who gets which touch: frames of touches and the clients' requests in, deliveries out. It
/// knows no socket, device or clock; time comes in with the events.
///
/// A touch is hit-tested and routed once, when it begins (rules H1 and R4); after that a frame
/// costs one pass over the device's touches and the attachments that get them, and allocates
/// nothing.
public struct Router {
  /// The layout in force; see ``replaceLayout(_:at:into:)``.
  public internal(set) var layout: Layout
  /// The number of that layout: 1 for the first, one more whenever it is replaced.
  public internal(set) var generation: UInt32 = 1
  /// Limits and times; a change holds for what comes after it.
  public var options: RouterOptions
  /// Whether ``Deliveries/observations`` is filled.
  public var isObserved = false
  /// What happened until now.
  public internal(set) var counters = RouterCounters()

  /// When ``advance(to:)`` wants to be called; nil where nothing is waited for. Rule R5.
  public internal(set) var nextDeadline: Timestamp?

  var hitTester: HitTester
  var attachments: AttachmentTable
  /// Few, so that a search from the front is the fastest.
  var devices: [DeviceTouches] = []
  /// The number of the latest frame.
  var sequence: UInt64 = 0
  /// Those that get nothing new for now. Rule F3.
  var unresponsive: Set<ClientID> = []
  /// The shares of the touch that is beginning, kept for the capacity.
  var newShares: ReusableArray<Share> = []

  /// A router for a layout, without clients and touches.
  public init(layout: Layout, options: RouterOptions = RouterOptions()) {
    self.layout = layout
    self.options = options
    hitTester = HitTester(layout)
    attachments = AttachmentTable(layout)
  }

  /// Routes what a device reported up to its frame mark. Rules H1, R4, T2, T8, T9 and T12.
  ///
  /// - Parameters:
  ///   - frame: The sequencer's.
  ///   - flags: What is special about the touches that begin with it, such as `injected`.
  ///   - deliveries: What must be sent is added to it.
  public mutating func route(
    _ frame: TouchFrame, flags: TouchFlags = [], into deliveries: inout Deliveries
  ) {
    advance(to: frame.time)
    let index = index(of: frame.device)
    sequence += 1
    counters.frames += 1
    var next = devices[index].take(frame, from: 0, options, &counters)
    while next < frame.touches.count {
      begin(frame.touches[next], flags: flags, onDeviceAt: index)
      next = devices[index].take(frame, from: next + 1, options, &counters)
    }
    devices[index].emit(sequence: sequence, into: &deliveries)
    if isObserved { observe(deviceAt: index, into: &deliveries.observations) }
    let hadFinal = devices[index].hasFinal
    closeFrame(ofDeviceAt: index)
    if nextDeadline != nil, hadFinal { refreshDeadline() }
  }

  /// Ends the frame at hand of a device. A touch of which the last share was cancelled by the
  /// router is cancelled for good, though its finger stays on the glass.
  mutating func closeFrame(ofDeviceAt index: Int) {
    counters.cancelled += UInt64(
      devices[index].close(keepingLifted: options.maximumLiveTouches))
  }

  /// The device's place in ``devices``; it gets one with its first frame. Nobody tells of devices
  /// that are gone, so where there are many, the oldest that has nothing on the glass makes room.
  @inline(__always)
  private mutating func index(of device: DeviceID) -> Int {
    for index in devices.indices where devices[index].device == device { return index }
    return addDevice(device)
  }

  private mutating func addDevice(_ device: DeviceID) -> Int {
    if devices.count >= Self.rememberedDevices,
      let idle = devices.indices.filter({ devices[$0].touches.isEmpty }).min(by: {
        devices[$0].device < devices[$1].device
      })
    {
      devices.remove(at: idle)
    }
    devices.append(DeviceTouches(device: device))
    return devices.count - 1
  }

  private static let rememberedDevices = 64
}
