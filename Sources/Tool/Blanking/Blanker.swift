package import TouchModel

/// How bright a screen's light is.
package enum LightLevel: Equatable, Sendable {
  /// As its user has set it.
  case full
  /// Dimmed.
  case dim
  /// Off.
  case off
}

/// What the blanker of a screen does when: rules D1 to D5, from the blanker's side.
///
/// It says `dark` before the light goes off, and `on` when the light is on again. It knows no
/// connection, no light and no clock: its owner tells it what has happened, and carries out its
/// ``Action``s.
package struct Blanker {
  /// What its owner is to do.
  package enum Action: Equatable, Sendable {
    /// Ask the daemon for the screen to be on or dark, as its blanker.
    case ask(isOn: Bool)
    /// Have the light be so bright.
    case light(LightLevel)
    /// Watch idle anew: the screen is on though nobody has touched it.
    case watchAnew
  }

  private enum Phase {
    /// There is no connection.
    case away
    /// The screen is on.
    case on
    /// The daemon is asked for it to be dark. The light is on.
    case darkening
    /// It is dark, and the light goes off or is off.
    case dark
    /// The light goes on; then the daemon is asked for the screen to be on.
    case lighting
    /// The daemon is asked for it to be on. The light is on.
    case answering
  }

  private var phase = Phase.away
  /// Whether nobody has touched the screen for long enough.
  private var isIdle = false
  private var isDimmed = false
  private var actions: [Action] = []

  /// A blanker without a connection, whose light is on.
  package init() {}

  /// Returns what is to be done, in order, and forgets it.
  package mutating func takeActions() -> [Action] {
    defer { actions.removeAll() }
    return actions
  }

  /// Whether nothing is under way: the screen is on or dark, or there is no connection.
  package var isSettled: Bool { [.away, .on, .dark].contains(phase) }

  // MARK: - The connection

  /// There is a new connection, or this is its end: the screen is to be on, whatever it was.
  package mutating func turnOn() { lightUp() }

  /// The connection is lost. A light that is off while the daemon does not know it would have a
  /// finger press what nobody sees.
  package mutating func lost() {
    phase = .away
    isIdle = false
    isDimmed = false
    actions.append(.light(.full))
  }

  /// The daemon has done what was asked for.
  package mutating func answered(isOn: Bool) {
    switch (isOn, phase) {
    case (true, .answering):
      phase = .on
      if isIdle { darken() }
    case (true, .dark):
      // It was asked for before somebody else made the screen dark.
      phase = .on
      actions.append(.light(.full))
    case (false, .darkening):
      // Somebody who has touched it meanwhile looks at it.
      if isIdle { darkened() } else { lightUp() }
    default: break
    }
  }

  /// The daemon has refused to make the screen dark for now.
  package mutating func refusedDark() {
    isIdle = false
    if phase == .darkening { phase = .on }
  }

  // MARK: - What happens

  /// Nobody has touched the screen for as long as it takes to dim it, or somebody does again.
  package mutating func setDimmed(_ isDimmed: Bool) {
    self.isDimmed = isDimmed
    if phase == .on || phase == .darkening { actions.append(.light(isDimmed ? .dim : .full)) }
  }

  /// Nobody has touched the screen for as long as it takes to blank it, or somebody does again.
  package mutating func setIdle(_ isIdle: Bool) {
    self.isIdle = isIdle
    if isIdle, phase == .on { darken() }
  }

  /// The daemon says what the screen is.
  package mutating func heard(_ state: ScreenState, because cause: ScreenCause?) {
    if phase == .away { return }
    switch state {
    case .waking: lightUp()
    case .dark:
      isIdle = true
      darkened()
    case .on:
      let wasDark = phase == .dark
      // Who looks at a light that is not on yet has it on as soon as can be.
      phase = .on
      isIdle = false
      isDimmed = false
      actions.append(.light(.full))
      if wasDark, cause == .requested { actions.append(.watchAnew) }
    }
  }

  /// The light is as bright as it was to be.
  package mutating func reached(_ level: LightLevel) {
    guard level == .full, phase == .lighting else { return }
    phase = .answering
    actions.append(.ask(isOn: true))
  }

  // MARK: - Phases

  private mutating func darken() {
    phase = .darkening
    actions.append(.ask(isOn: false))
  }

  private mutating func darkened() {
    phase = .dark
    actions.append(.light(.off))
  }

  private mutating func lightUp() {
    phase = .lighting
    isIdle = false
    isDimmed = false
    actions.append(.light(.full))
  }
}
