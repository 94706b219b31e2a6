import Layout
import TouchModel

/// The touches of one device and who gets them, kept so that a frame of moves is one pass over two
/// arrays.
struct DeviceTouches {
  let device: DeviceID
  /// The screen of the latest frame.
  private(set) var screen = ScreenIndex(0)
  /// The time of the latest frame.
  private(set) var time = Timestamp(microseconds: 0)
  /// Those on the glass, and those that ended and may yet be declined, in the order in which they
  /// began.
  var touches: [LiveTouch] = []
  /// Client by client, in the order in which their first touch came; of one client by touch.
  var shares: [Share] = []
  /// The moves of touches that may yet be declined.
  var keeper = MoveKeeper()
  /// The taps that a further one may follow.
  var tapCounter = TapCounter()
  /// Whether a touch has ended or was cancelled with the frame at hand.
  private(set) var hasFinal = false
  /// Whether a share has lost its part, so that there may be something to forget.
  private var needsSweep = false
  /// Where the last touch was found: the next one that a frame names is mostly the one behind it.
  private var cursor = 0

  init(device: DeviceID) { self.device = device }

  /// Begins a frame, and gives its time: not before that of the frame before.
  mutating func open(screen: ScreenIndex? = nil, time: Timestamp) {
    self.screen = screen ?? self.screen
    self.time = max(self.time, time)
  }

  /// The place of a touch in ``touches``.
  @inline(__always)
  mutating func place(of id: TouchID) -> Int? {
    for _ in touches.indices {
      cursor = cursor + 1 < touches.count ? cursor + 1 : 0
      if touches[cursor].id == id { return cursor }
    }
    return nil
  }

  /// The touches that somebody gets.
  var liveTouchCount: Int {
    var count = 0
    for place in touches.indices where touches[place].isLive { count += 1 }
    return count
  }

  /// Takes a share in, behind its client's others of older touches.
  @inline(__always)
  mutating func insert(_ share: Share) {
    guard let first = shares.firstIndex(where: { $0.client == share.client }) else {
      return shares.append(share)
    }
    var index = first
    while index < shares.count, shares[index].client == share.client,
      shares[index].touch <= share.touch
    {
      index += 1
    }
    shares.insert(share, at: index)
  }

  /// Takes what a frame says of touches that there are, from a place in it on until one begins;
  /// returns the place of that, or the one behind the last. From its first place on, the frame is
  /// opened too: in one call, as each looks anew whether the devices are shared.
  mutating func take(
    _ frame: TouchFrame, from start: Int, _ options: RouterOptions, _ counters: inout RouterCounters
  ) -> Int {
    if start == 0 { open(screen: frame.screen, time: frame.time) }
    var next = start
    while true {
      next = takeMoves(frame.touches, from: next)
      guard next < frame.touches.count, frame.touches[next].phase != .began else { return next }
      take(frame.touches[next], options, &counters)
      next += 1
    }
  }

  private mutating func take(
    _ touch: Touch, _ options: RouterOptions, _ counters: inout RouterCounters
  ) {
    if touch.phase == .stationary { return }
    hasFinal = hasFinal || touch.phase.isFinal
    guard let place = place(of: touch.id) else { return counters.strayTouches += 1 }
    touches[place].change(touch)
    guard touch.phase.isFinal else {
      return keeper.keep(touches[place], limit: options.maximumKeptMoves)
    }
    guard touches[place].fate != .dead else { return }
    guard touch.phase == .ended else { return counters.cancelled += 1 }
    counters.ended += 1
    if touches[place].fate == .delivered { tapCounter.add(touches[place], options) }
  }

  /// Takes the moves of a frame from a place in it on, as long as they follow one another, their
  /// touches are known and nothing of these is kept; returns the place behind them.
  @inline(__always)
  mutating func takeMoves(_ changes: ReusableArray<Touch>, from start: Int) -> Int {
    var place = cursor
    let next = Self.take(changes, from: start, into: touches.mutableSpan, from: &place)
    cursor = place
    return next
  }

  @inline(__always)
  private static func take(
    _ changes: ReusableArray<Touch>, from start: Int,
    into touches: consuming MutableSpan<LiveTouch>, from place: inout Int
  ) -> Int {
    var next = start
    while next < changes.count, changes[next].phase == .moved {
      var found = place
      var left = touches.count
      repeat {
        guard left > 0 else { return next }
        left -= 1
        found = found + 1 < touches.count ? found + 1 : 0
      } while touches[found].id != changes[next].id
      guard touches[found].keep == nil else { return next }
      touches[found].change(changes[next])
      place = found
      next += 1
    }
    return next
  }

  /// Cancels the shares that fulfil the condition; those of touches that ended, or that only wait,
  /// are let go of without a word. Returns whether there is something to say.
  mutating func cancel(_ reason: CancelReason, where isMeant: (Share) -> Bool) -> Bool {
    var found = false
    for index in shares.indices where isMeant(shares[index]) {
      needsSweep = true
      if shares[index].isActive, !touches[shares[index].place].isLifted {
        shares[index].cancelReason = reason
        found = true
      } else {
        letGo(of: index)
      }
    }
    return found
  }

  /// Lets go of the shares that fulfil the condition without a word. Returns the touches that
  /// nobody has any more for that, each marked dead.
  mutating func drop(where isMeant: (Share) -> Bool) -> Int {
    for index in shares.indices where isMeant(shares[index]) {
      needsSweep = true
      letGo(of: index)
    }
    return sweep()
  }

  /// Ends the frame at hand: forgets the touches that are over and the shares that were cancelled.
  /// Of touches that ended at most `limit` are kept for who may still decline them (rule F5).
  /// Returns the touches that nobody has any more though they are on the glass, each marked dead.
  mutating func close(keepingLifted limit: Int) -> Int {
    let isOver = hasFinal
    hasFinal = false
    if isOver {
      for place in touches.indices where touches[place].phase.isFinal {
        if lift(touchAt: place, limit: limit) { touches[place].rest() }
      }
    }
    var touches = touches.mutableSpan
    for place in touches.indices
    where touches[place].phase != .stationary && !touches[place].phase.isFinal {
      touches[place].rest()
    }
    if isOver { removeTouches { $0.phase.isFinal } }
    if !needsSweep { return 0 }
    for index in shares.indices where shares[index].cancelReason != nil {
      shares[index].retire(.gone)
    }
    return sweep()
  }

  /// Marks that a share has lost its part.
  mutating func setNeedsSweep() { needsSweep = true }

  /// Forgets what nobody needs any more: touches that nobody has, and of those that nobody may
  /// decline any more the shares that got nothing and the moves that were kept. Returns the touches
  /// on the glass that nobody has any more, each marked dead.
  mutating func sweep() -> Int {
    guard needsSweep else { return 0 }
    needsSweep = false
    var buried = 0
    for place in touches.indices where touches[place].fate == .delivered {
      let isHad = shares.contains { $0.place == place && $0.isActive }
      if isHad && isOpen(touchAt: place) { continue }
      if let keep = touches[place].keep { keeper.close(keep) }
      touches[place].keep = nil
      shares.sweep { $0.place == place && !$0.isActive }
      if isHad { continue }
      touches[place].fate = .dead
      if !touches[place].isLifted { buried += 1 }
    }
    removeTouches { $0.isLifted && $0.keep == nil }
    return buried
  }

  /// Ends a touch that everybody declined.
  mutating func discard(touchAt place: Int, _ reason: DiscardReason) {
    touches[place].fate = .discarded(reason)
    if let keep = touches[place].keep { keeper.close(keep) }
    touches[place].keep = nil
    shares.sweep { $0.place == place }
    needsSweep = true
  }

  /// Whether somebody may still decline the touch, and somebody else would get it then.
  private func isOpen(touchAt place: Int) -> Bool {
    touches[place].keep != nil
      && shares.contains { $0.place == place && $0.isActive && $0.deadline != nil }
  }

  /// Keeps a touch that ended where it may yet be declined; returns whether it does.
  private mutating func lift(touchAt place: Int, limit: Int) -> Bool {
    guard touches[place].phase == .ended, isOpen(touchAt: place),
      touches.count(where: \.isLifted) < limit
    else { return false }
    touches[place].isLifted = true
    for index in shares.indices where shares[index].place == place { shares[index].hears = [] }
    return true
  }

  private mutating func letGo(of index: Int) {
    switch shares[index].standing {
    case .undecided, .accepted: shares[index].retire(.gone)
    case .waiting: shares[index].retire(.absent)
    case .absent, .declined, .gone: break
    }
  }

  private mutating func removeTouches(where isOver: (LiveTouch) -> Bool) {
    for place in touches.indices.reversed() where isOver(touches[place]) {
      if let keep = touches[place].keep { keeper.close(keep) }
      touches.remove(at: place)
      shares.sweep { $0.place == place }
      for index in shares.indices where shares[index].place > place { shares[index].place -= 1 }
    }
  }
}
