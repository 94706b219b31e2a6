public import TouchModel

/// Makes frames of touches from what the devices do. Rules T1 to T4, T6, T7 and T11.
///
/// Nothing is a touch before its device's frame mark. A contact that comes down and goes up before
/// one mark begins in one frame and ends in a second one of the same time, so that no touch is ever
/// over before it began; a slot that is released and used again before one mark is two touches. Of
/// several motions before one mark the last counts.
///
/// Consuming motions allocates nothing once as many contacts have been down as there are now.
public struct TouchSequencer {
  /// How many contacts of one device are followed at a time; a further one is dropped and counted.
  /// libinput knows 32 for a seat.
  public static let contactLimit = 256

  /// The frame marks that the devices gave.
  public private(set) var frameCount: UInt64 = 0
  /// The events that were dropped: of slots that are not live, a second down on a live slot, a down
  /// on another screen than that of the device's live contacts, and one beyond the limit. Rule T6.
  public private(set) var strayEventCount: UInt64 = 0

  /// Few, so that a search from the front is the fastest.
  private var devices: [DeviceContacts] = []
  /// The id of the next touch that begins.
  public private(set) var nextID: UInt64
  /// The frame that was complete last; kept for the capacity of its array.
  public private(set) var frame = TouchFrame(
    device: DeviceID(0), screen: ScreenIndex(0), time: Timestamp(microseconds: 0), touches: [])

  /// A sequencer that knows no device yet: they come with their first contact.
  ///
  /// - Parameter nextID: The id of the first touch; more than 1 where those who hear of this
  ///   sequencer's touches have heard of another's.
  public init(nextID: UInt64 = 1) { self.nextID = nextID }

  /// Takes what the devices did, from an index among the events on, until a frame is complete:
  /// ``frame``. Of motions that follow one another many are taken together.
  ///
  /// - Parameters:
  ///   - events: In the order in which they happened.
  ///   - next: The index of the first event that was not yet taken. It stays at a frame mark that
  ///     makes more than one frame, until the last of them.
  /// - Returns: Whether there is a frame; where not, all events are taken.
  @inline(__always)
  public mutating func takeFrame(
    of events: ReusableArray<DeviceEvent>, from next: inout Int
  ) -> Bool {
    while next < events.count {
      if case .motion(let device, _, _, _) = events[next], let index = index(of: device) {
        let start = next
        next = devices[index].takeMotions(events, from: start)
        if next > start { continue }
      }
      if take(events, at: &next) { return true }
    }
    return false
  }

  /// Takes one event; whether a frame is complete with it.
  private mutating func take(_ events: ReusableArray<DeviceEvent>, at next: inout Int) -> Bool {
    if case .frame(let device, let time) = events[next] {
      return takeMark(of: device, time: time, at: &next)
    }
    defer { next += 1 }
    switch events[next] {
    case .down(let device, let slot, let screen, let location, let time):
      let index = index(of: device, addingWith: screen)
      count(devices[index].press(slot: slot, screen: screen, location: location, time: time))
    case .motion(let device, let slot, let location, let time):
      count(index(of: device).map { devices[$0].move(slot: slot, to: location, time: time) })
    case .up(let device, let slot, let time):
      count(index(of: device).map { devices[$0].end(slot: slot, .lifted, time: time) })
    case .cancel(let device, let slot, let reason, let time):
      count(index(of: device).map { devices[$0].end(slot: slot, .cancelled(reason), time: time) })
    case .lost(let device, let reason, let time):
      return takeAll(of: device, reason, time: time)
    case .frame: break
    }
    return false
  }

  /// Takes a device's frame mark: what changed of the device up to it is a frame. The mark is taken
  /// once nothing is left to say.
  @inline(__always)
  private mutating func takeMark(
    of device: DeviceID, time: Timestamp, at next: inout Int
  ) -> Bool {
    let index = index(of: device)
    let hasFrame = index.map { devices[$0].hasChanges } ?? false
    if hasFrame, let index {
      begin(frameOfDeviceAt: index, time: time)
      devices[index].takeChanges(into: &frame.touches, nextID: &nextID)
      if devices[index].hasChanges { return true }
    }
    frameCount += 1
    next += 1
    return hasFrame
  }

  /// What a device that is lost ends; false where nothing of it lives.
  private mutating func takeAll(
    of device: DeviceID, _ reason: CancelReason, time: Timestamp
  ) -> Bool {
    guard let index = index(of: device) else { return false }
    begin(frameOfDeviceAt: index, time: time)
    devices[index].takeAll(reason: reason, time: time, into: &frame.touches)
    devices.remove(at: index)
    return !frame.touches.isEmpty
  }

  @inline(__always)
  private mutating func begin(frameOfDeviceAt index: Int, time: Timestamp) {
    frame.device = devices[index].device
    frame.screen = devices[index].screen
    frame.time = devices[index].advance(to: time)
    frame.touches.removeAll()
  }

  /// The touch that a device has in a slot; nil where none has begun there.
  package func touch(in slot: Int32, of device: DeviceID) -> TouchID? {
    index(of: device).flatMap { devices[$0].touch(in: slot) }
  }

  private func index(of device: DeviceID) -> Int? {
    for index in devices.indices where devices[index].device == device { return index }
    return nil
  }

  private mutating func index(of device: DeviceID, addingWith screen: ScreenIndex) -> Int {
    if let index = index(of: device) { return index }
    devices.append(DeviceContacts(device: device, screen: screen))
    return devices.count - 1
  }

  private mutating func count(_ wasTaken: Bool?) {
    if wasTaken != true { strayEventCount += 1 }
  }
}
