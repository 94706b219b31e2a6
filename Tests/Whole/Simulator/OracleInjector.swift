import Layout
import Routing
import TouchModel

/// The touchscreen of a client, as the oracle keeps it: which fingers are down where. Rule F7.
struct OracleInjector {
  let device: DeviceID
  private var screen = ScreenIndex(0)
  private(set) var down: Set<Int32> = []

  init(number: UInt32) { device = DeviceID(1 << 31 + number) }

  /// What the touchscreen reports with a frame; nil where no touchscreen could give it, and then
  /// nothing has happened.
  mutating func events(
    _ contacts: [InjectedContact], on screen: ScreenIndex, of screens: Int, at time: Timestamp
  ) -> [DeviceEvent]? {
    let slots = Set(contacts.map(\.slot))
    let began = Set(contacts.filter { $0.phase == .began }.map(\.slot))
    let ended = Set(contacts.filter(\.phase.isFinal).map(\.slot))
    let isPossible =
      (0..<screens).contains(Int(screen.rawValue)) && (down.isEmpty || screen == self.screen)
      && slots.count == contacts.count && began.isDisjoint(with: down)
      && slots.subtracting(began).isSubset(of: down)
      && !contacts.contains { $0.phase == .stationary }
      && contacts.allSatisfy { $0.location.x.isFinite && $0.location.y.isFinite }
    guard isPossible else { return nil }
    self.screen = screen
    down = down.union(began).subtracting(ended)
    return contacts.map { event($0, at: time) } + [.frame(device, time: time)]
  }

  private func event(_ contact: InjectedContact, at time: Timestamp) -> DeviceEvent {
    let (slot, place) = (contact.slot, contact.location)
    return switch contact.phase {
    case .began: .down(device, slot: slot, screen: screen, location: place, time: time)
    case .ended: .up(device, slot: slot, time: time)
    case .cancelled: .cancel(device, slot: slot, reason: .requested, time: time)
    default: .motion(device, slot: slot, location: place, time: time)
    }
  }
}

/// The touchscreens that clients of the control socket have made up, as the oracle keeps them.
struct OracleInjectors {
  private var injectors: [ClientID: OracleInjector] = [:]
  private var count: UInt32 = 0

  subscript(client: ClientID) -> OracleInjector? {
    get { injectors[client] }
    set { injectors[client] = newValue }
  }

  /// That of a client, or a new one. It is numbered even where its first frame is refused.
  mutating func take(_ client: ClientID) -> OracleInjector {
    if let injector = injectors[client] { return injector }
    count += 1
    return OracleInjector(number: count)
  }

  mutating func remove(_ client: ClientID) -> OracleInjector? {
    injectors.removeValue(forKey: client)
  }
}
