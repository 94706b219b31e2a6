public import TouchModel

/// A synthetic contact: what one does in a frame.
public struct InjectedContact: Equatable, Sendable {
  /// Names the finger while it is down.
  public var slot: Int32
  /// `began`, `moved`, `ended` or `cancelled`.
  public var phase: TouchPhase
  /// In points of the screen; without meaning where it ends.
  public var location: Point

  /// A finger in a frame.
  public init(slot: Int32, phase: TouchPhase, location: Point) {
    self.slot = slot
    self.phase = phase
    self.location = location
  }
}

/// A touchscreen that a program makes up: refuses frames that no touchscreen could give, and makes
/// of the others what a real one would have reported.
public struct InjectedDevice: Sendable {
  /// Why a frame was refused, in words; nothing of it has happened.
  public struct Refusal: Error, Equatable, Sendable {
    /// A sentence without its full stop.
    public var text: String
  }

  /// Devices from this number on are made up; real ones count from 1.
  public static let firstDevice: UInt32 = 1 << 31
  /// Fingers that may be down at a time.
  public static let contactLimit = 32

  /// Its number, of which there is no real one.
  public let device: DeviceID
  private var screen = ScreenIndex(0)
  /// The fingers that are down.
  private var slots: [Int32] = []

  /// A touchscreen without a finger on it.
  public init(_ device: DeviceID) { self.device = device }

  /// What the touchscreen reports, up to its frame mark.
  ///
  /// - Parameters:
  ///   - contacts: The fingers that change, each once.
  ///   - screen: Where they are; another one than before only with no finger down.
  ///   - screens: The screens there are.
  ///   - time: Now.
  public mutating func events(
    _ contacts: [InjectedContact], on screen: ScreenIndex, of screens: [Screen],
    at time: Timestamp
  ) throws(Refusal) -> [DeviceEvent] {
    guard screens.indices.contains(Int(screen.rawValue)) else {
      throw Refusal(text: "there is no screen \(screen.rawValue); there are \(screens.count)")
    }
    guard slots.isEmpty || screen == self.screen else {
      throw Refusal(
        text: "fingers are down on screen \(self.screen.rawValue): lift them before going to "
          + "screen \(screen.rawValue)")
    }
    var slots = slots
    var changed: Set<Int32> = []
    for contact in contacts {
      guard changed.insert(contact.slot).inserted else {
        throw Refusal(text: "slot \(contact.slot) is in the frame twice")
      }
      try Self.take(contact, into: &slots)
    }
    guard slots.count <= Self.contactLimit else {
      throw Refusal(
        text: "\(slots.count) fingers would be down, beyond the limit of \(Self.contactLimit)")
    }
    self.slots = slots
    self.screen = screen
    return contacts.map { event($0, at: time) } + [.frame(device, time: time)]
  }

  private static func take(
    _ contact: InjectedContact, into slots: inout [Int32]
  ) throws(Refusal) {
    let slot = contact.slot
    let isDown = slots.contains(slot)
    switch contact.phase {
    case .began where isDown:
      throw Refusal(text: "slot \(slot) begins, and is down already")
    case .moved where !isDown, .ended where !isDown, .cancelled where !isDown:
      throw Refusal(text: "slot \(slot) is not down, and so can't be \(contact.phase)")
    case .began, .moved:
      guard contact.location.x.isFinite, contact.location.y.isFinite else {
        throw Refusal(
          text: "slot \(slot) is at (\(contact.location.x), \(contact.location.y)), which is no "
            + "place")
      }
      if contact.phase == .began { slots.append(slot) }
    case .ended, .cancelled:
      slots.removeAll { $0 == slot }
    case .stationary:
      throw Refusal(text: "slot \(slot) is stationary: only what changes is in a frame")
    }
  }

  private func event(_ contact: InjectedContact, at time: Timestamp) -> DeviceEvent {
    switch contact.phase {
    case .began:
      .down(device, slot: contact.slot, screen: screen, location: contact.location, time: time)
    case .moved, .stationary:
      .motion(device, slot: contact.slot, location: contact.location, time: time)
    case .ended: .up(device, slot: contact.slot, time: time)
    case .cancelled: .cancel(device, slot: contact.slot, reason: .requested, time: time)
    }
  }
}
