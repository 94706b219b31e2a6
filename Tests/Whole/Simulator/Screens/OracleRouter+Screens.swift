import Layout
import Routing
import TouchModel

/// What dark screens, locks and idleness are about in the oracle: rules D3, D4, D7 and D9.
extension OracleRouter {
  // MARK: Time

  /// Takes in that it is that time.
  ///
  /// - Parameter now: The present, where what is due now may be yet to come; nil for that time.
  mutating func advance(to time: Timestamp, now: Timestamp? = nil) {
    settle(at: time)
    screens.advance(to: time, now: now)
    if !idle.watches.isEmpty { idle.advance(to: time, contacts) }
  }

  /// The fingers on the glass.
  var contacts: [OracleIdle.Contact] {
    touches.values.filter { !$0.isLifted && !$0.phase.isFinal }.map(contact)
  }

  private func contact(_ touch: OracleTouch) -> OracleIdle.Contact {
    OracleIdle.Contact(
      screen: layout.layout.screens[Int(touch.screen.rawValue)].name, window: touch.window,
      isInjected: touch.ownFlags.contains(.injected))
  }

  /// Takes in which fingers come down, or are lifted. Rule D7.
  mutating func noteActivity(_ frame: TouchFrame, where isMeant: (TouchPhase) -> Bool) {
    for change in frame.touches where isMeant(change.phase) {
      guard let touch = touches[change.id] else { continue }
      idle.note(at: frame.time, contact(touch))
    }
  }

  // MARK: Touches that begin

  /// Why a touch that begins goes to nobody, before all other reasons.
  mutating func reasonToKeepOut(
    _ touch: inout OracleTouch, at now: Timestamp
  ) -> DiscardReason? {
    let index = Int(touch.screen.rawValue)
    let size = screens.panels[index].screen.size
    let isInside =
      touch.place.x >= 0 && touch.place.y >= 0 && touch.place.x < size.width
      && touch.place.y < size.height
    let view = isInside ? layout.hit(touch.place, touch.screen) : nil
    let isDark =
      !isAlwaysOn(view)
      && screens.isDark(
        index, for: touch.id, at: touch.place, of: touch.device, time: touch.beganTime, now: now)
    let isLocked =
      !isDark
      && screens.isLocked(
        index, for: touch.id, on: view, at: touch.place, of: touch.device,
        time: touch.beganTime, now: now)
    guard isDark || isLocked else { return nil }
    touch.target = view
    return isDark ? .dark : .locked
  }

  private func isAlwaysOn(_ view: String?) -> Bool {
    guard let view, layout.hasView(view) else { return false }
    return layout.layout.window(of: layout.view(view)).isAlwaysOn
  }

  // MARK: What clients ask for

  mutating func setScreen(
    _ index: Int, isOn: Bool, claims: Bool, by client: ClientID, at time: Timestamp
  ) {
    guard screens.set(index, isOn: isOn, claims: claims, by: client, at: time) else { return }
    let before = self
    cancel(.dark, at: time) { touch, _ in
      Int(touch.screen.rawValue) == index && !before.isAlwaysOn(touch.target)
    }
  }

  mutating func lock(
    _ index: Int, _ request: TouchLocks.Request, by client: ClientID, isAdministrator: Bool,
    at time: Timestamp
  ) {
    screens.lock(index, request, by: client, isAdministrator: isAdministrator, at: time)
    guard let lock = screens.panels[index].lock else { return }
    cancel(.locked, at: time) { touch, _ in
      Int(touch.screen.rawValue) == index && !lock.leavesOut(touch.target)
    }
  }
}
