public import TouchModel

/// Which screens are dark, and when a finger wakes them. Rules D1 to D5.
///
/// It knows no blanker and no clock: its owner says what is asked for, and whether somebody hears
/// that a finger wakes the screen. Time comes in with touches and deadlines.
public struct ScreenPower: ~Copyable {
  /// Another state of a screen.
  public struct Change: Equatable, Sendable, BitwiseCopyable {
    /// The screen.
    public var screen: ScreenIndex
    /// What it is now.
    public var state: ScreenState
    /// Why.
    public var cause: ScreenCause
  }

  /// A screen.
  private struct Panel {
    var name: String
    var waking: Screen.Waking
    var state = ScreenState.on
    /// Whether somebody hears that a finger wakes it.
    var isAttended = false
    /// Touches that begin before it are kept out, though the screen is on.
    var guardEnd: Timestamp?
    /// When it is on, whatever its blanker says.
    var deadline: Timestamp?
    var recognizer: WakeRecognizer?

    /// What wakes it now: without a blanker a panel would stay dark for good.
    var action: Screen.Waking.Action { isAttended ? waking.action : .touch }
  }

  private var panels: [Panel]
  /// Whether every screen is on, as nearly always.
  private(set) var areAllOn = true
  /// Touches that begin from then on are kept out of no screen that is on.
  private var guardEnd = Timestamp(microseconds: 0)
  /// What has changed since ``removeChanges()``, in order.
  private(set) var changes: [Change] = []

  /// Screens that are on.
  init(_ screens: [Screen]) {
    panels = screens.map { Panel(name: $0.name, waking: $0.waking) }
  }

  /// Forgets the changes, which were told.
  mutating func removeChanges() { changes.removeAll(keepingCapacity: true) }

  /// What a screen is.
  public func state(of screen: ScreenIndex) -> ScreenState { panels[Int(screen.rawValue)].state }

  /// Other screens are configured: those of the same name stay as they are. Rule D6.
  ///
  /// Fingers that rest stay on the screen of the number that they came down on (rule T11): what
  /// they did is forgotten where that is another one by now.
  mutating func replace(_ screens: [Screen]) {
    let before = panels
    panels = screens.enumerated().map { number, screen in
      let index = before.firstIndex { $0.name == screen.name }
      var panel = index.map { before[$0] } ?? Panel(name: screen.name, waking: screen.waking)
      if index != number || panel.waking.action != screen.waking.action { panel.recognizer = nil }
      panel.waking = screen.waking
      return panel
    }
    for index in panels.indices { watch(index) }
    review()
  }

  // MARK: - What is asked for

  /// Makes a screen dark, or on, as its blanker or an administrator says. Rules D2 and D4.
  ///
  /// - Returns: Whether it was something else before.
  mutating func set(_ screen: ScreenIndex, isOn: Bool, at time: Timestamp) -> Bool {
    let index = Int(screen.rawValue)
    let state: ScreenState = isOn ? .on : .dark
    if panels[index].state == state { return false }
    change(index, to: state, .requested, at: time)
    return true
  }

  /// Takes in whether somebody hears that a finger wakes a screen. Rule D5.
  mutating func setAttended(_ screen: ScreenIndex, _ isAttended: Bool, at time: Timestamp) {
    let index = Int(screen.rawValue)
    panels[index].isAttended = isAttended
    watch(index)
    if !isAttended, panels[index].state == .waking { change(index, to: .on, .unattended, at: time) }
    review()
  }

  /// Makes a screen what it was to the daemon before, before the first touch. Rule D6.
  mutating func restore(_ screen: ScreenIndex, _ state: ScreenState, at time: Timestamp) {
    let index = Int(screen.rawValue)
    panels[index].state = state
    panels[index].deadline = state == .waking ? wakeDeadline(of: index, from: time) : nil
    watch(index)
    review()
  }

  // MARK: - Touches

  /// Whether every screen takes touches that begin with a frame of that time, as nearly always.
  func takesTouches(begunAt time: Timestamp) -> Bool { areAllOn && guardEnd <= time }

  /// Whether a touch that begins with a frame of that time goes to no program, as its screen is
  /// dark. Rule D3.
  ///
  /// A frame may come behind one of another touchscreen that has a later time.
  func keepsOut(touchBegunAt time: Timestamp, on screen: ScreenIndex) -> Bool {
    if takesTouches(begunAt: time) { return false }
    let panel = panels[Int(screen.rawValue)]
    return panel.state != .on || panel.guardEnd.map { time < $0 } ?? false
  }

  /// Shows a touch that is kept out: it may wake its screen. Rule D4.
  ///
  /// - Parameter time: That of the frame, with which the screen is woken: the finger may have come
  ///   down before the screen was dark.
  mutating func begin(
    _ touch: Touch, of device: DeviceID, on screen: ScreenIndex, at time: Timestamp
  ) {
    let index = Int(screen.rawValue)
    guard panels[index].state == .dark else { return }
    switch panels[index].action {
    case .touch: wake(index, at: time)
    case .none: break
    case .doubleTap, .longPress:
      panels[index].recognizer?.begin(touch, of: device)
      wakeIfRecognized(index, at: time)
    }
  }

  /// Shows what the fingers of a device do further.
  mutating func take(_ frame: TouchFrame) {
    let index = Int(frame.screen.rawValue)
    guard panels[index].state == .dark, let recognizer = panels[index].recognizer else { return }
    recognizer.take(frame)
    wakeIfRecognized(index, at: frame.time)
  }

  // MARK: - Time

  /// When it must be told the time; nil where nothing is waited for.
  var nextDeadline: Timestamp? {
    if areAllOn { return nil }
    return panels.lazy.compactMap { panel in
      panel.state == .dark ? panel.recognizer?.nextDeadline : panel.deadline
    }.min()
  }

  /// Takes in that it is that time. Rule D4.
  mutating func advance(to time: Timestamp) {
    if areAllOn { return }
    for index in panels.indices {
      if panels[index].state == .dark, let recognizer = panels[index].recognizer {
        recognizer.advance(to: time)
        wakeIfRecognized(index, at: time)
      } else if panels[index].state == .waking, let deadline = panels[index].deadline,
        deadline <= time
      {
        change(index, to: .on, .timedOut, at: deadline)
      }
    }
  }

  // MARK: - States

  private mutating func wakeIfRecognized(_ index: Int, at time: Timestamp) {
    if panels[index].recognizer?.takeRecognition(at: time) ?? false { wake(index, at: time) }
  }

  private mutating func wake(_ index: Int, at time: Timestamp) {
    if panels[index].isAttended {
      change(index, to: .waking, .woken, at: time)
    } else {
      change(index, to: .on, .unattended, at: time)
    }
  }

  private mutating func change(
    _ index: Int, to state: ScreenState, _ cause: ScreenCause, at time: Timestamp
  ) {
    panels[index].state = state
    panels[index].guardEnd =
      state == .on
      ? time.adding(milliseconds: panels[index].waking.guardMilliseconds) : nil
    panels[index].deadline = state == .waking ? wakeDeadline(of: index, from: time) : nil
    watch(index)
    review()
    let screen = ScreenIndex(Int32(index))
    changes.append(Change(screen: screen, state: state, cause: cause))
  }

  private func wakeDeadline(of index: Int, from time: Timestamp) -> Timestamp {
    time.adding(milliseconds: panels[index].waking.timeoutMilliseconds)
  }

  /// A dark screen has a recognizer where more than a touch wakes it, which knows no finger yet.
  private mutating func watch(_ index: Int) {
    guard panels[index].state == .dark, let gesture = panels[index].action.gesture else {
      panels[index].recognizer = nil
      return
    }
    if panels[index].recognizer == nil { panels[index].recognizer = WakeRecognizer(gesture) }
  }

  private mutating func review() {
    areAllOn = panels.allSatisfy { $0.state == .on }
    guardEnd = panels.lazy.compactMap(\.guardEnd).max() ?? Timestamp(microseconds: 0)
  }
}
