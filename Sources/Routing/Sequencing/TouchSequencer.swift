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
  /// The frame given out, kept for the capacity of its array.
  private var frame = TouchFrame(
    device: DeviceID(0), screen: ScreenIndex(0), time: Timestamp(microseconds: 0), touches: [])

  /// A sequencer that knows no device yet: they come with their first contact.
  ///
  /// - Parameter nextID: The id of the first touch; more than 1 where those who hear of this
  ///   sequencer's touches have heard of another's.
  public init(nextID: UInt64 = 1) { self.nextID = nextID }

  /// Takes what the devices did: the same as event by event, but motions that follow one another
  /// together.
  public mutating func consume(
    _ events: ReusableArray<DeviceEvent>, emit: (TouchFrame) -> Void
  ) {
    var next = 0
    while next < events.count {
      if case .motion(let device, _, _, _) = events[next], let index = index(of: device) {
        let start = next
        next = devices[index].takeMotions(events, from: start)
        if next > start { continue }
      }
      consume(events[next], emit: emit)
      next += 1
    }
  }

  /// Takes one event, and gives `emit` every frame that is complete with it: none or one, and more
  /// where contacts began and ended between two marks.
  public mutating func consume(_ event: DeviceEvent, emit: (TouchFrame) -> Void) {
    switch event {
    case .down(let device, let slot, let screen, let location, let time):
      let index = index(of: device, addingWith: screen)
      count(devices[index].press(slot: slot, screen: screen, location: location, time: time))
    case .motion(let device, let slot, let location, let time):
      guard let index = index(of: device) else { return count(false) }
      count(devices[index].move(slot: slot, to: location, time: time))
    case .up(let device, let slot, let time):
      guard let index = index(of: device) else { return count(false) }
      count(devices[index].end(slot: slot, .lifted, time: time))
    case .cancel(let device, let slot, let reason, let time):
      guard let index = index(of: device) else { return count(false) }
      count(devices[index].end(slot: slot, .cancelled(reason), time: time))
    case .frame(let device, let time):
      frameCount += 1
      guard let index = index(of: device) else { return }
      emitChanges(ofDeviceAt: index, time: time, emit: emit)
    case .lost(let device, let reason, let time):
      guard let index = index(of: device) else { return }
      begin(frameOfDeviceAt: index, time: time)
      devices[index].takeAll(reason: reason, time: time, into: &frame.touches)
      devices.remove(at: index)
      if !frame.touches.isEmpty { emit(frame) }
    }
  }

  @inline(__always)
  private mutating func emitChanges(
    ofDeviceAt index: Int, time: Timestamp, emit: (TouchFrame) -> Void
  ) {
    while devices[index].hasChanges {
      begin(frameOfDeviceAt: index, time: time)
      devices[index].takeChanges(into: &frame.touches, nextID: &nextID)
      emit(frame)
    }
  }

  private mutating func begin(frameOfDeviceAt index: Int, time: Timestamp) {
    frame.device = devices[index].device
    frame.screen = devices[index].screen
    frame.time = devices[index].advance(to: time)
    frame.touches.removeAll()
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

  private mutating func count(_ wasTaken: Bool) {
    if !wasTaken { strayEventCount += 1 }
  }
}
