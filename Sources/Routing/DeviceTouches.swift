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
  /// Those on the glass, in the order in which they began.
  var touches: [LiveTouch] = []
  /// Client by client, in the order in which their first touch came; of one client by touch.
  private(set) var shares: [Share] = []
  /// Where the last touch was found: the next one that a frame names is mostly the one behind it.
  private var cursor = 0

  init(device: DeviceID) { self.device = device }

  /// Begins a frame, and gives its time: not before that of the frame before.
  mutating func open(screen: ScreenIndex? = nil, time: Timestamp) {
    self.screen = screen ?? self.screen
    self.time = max(self.time, time)
  }

  /// The place of a touch in ``touches``.
  mutating func place(of id: TouchID) -> Int? {
    for _ in touches.indices {
      cursor = cursor + 1 < touches.count ? cursor + 1 : 0
      if touches[cursor].id == id { return cursor }
    }
    return nil
  }

  /// Takes a share in, behind its client's others of older touches.
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

  /// Cancels the shares that fulfil the condition, with the frame at hand; returns whether there is
  /// one.
  mutating func cancel(_ reason: CancelReason, where isMeant: (Share) -> Bool) -> Bool {
    var found = false
    for index in shares.indices where shares[index].cancelReason == nil && isMeant(shares[index]) {
      shares[index].cancelReason = reason
      found = true
    }
    return found
  }

  /// Forgets the shares that fulfil the condition without a word; returns the touches that nobody
  /// has any more for that, each marked dead.
  mutating func drop(where isMeant: (Share) -> Bool) -> Int {
    let count = shares.count
    shares.removeAll(where: isMeant)
    return shares.count == count ? 0 : buryUnshared()
  }

  /// Why the touch at a place is cancelled for everybody with the frame at hand, if it is.
  func cancelReasonOfAllShares(at place: Int) -> CancelReason? {
    var reason: CancelReason?
    for share in shares where share.place == place {
      guard let own = share.cancelReason else { return nil }
      reason = own
    }
    return reason
  }

  /// The touches that a client gets, each counted once.
  func touchCount(of client: ClientID) -> Int {
    var count = 0
    var latest: TouchID?
    for share in shares where share.client == client && share.touch != latest {
      count += 1
      latest = share.touch
    }
    return count
  }

  /// Gives every share the place that its target has in another layout. Rule R8.
  mutating func retarget(_ body: (inout Share, LiveTouch) -> Void) {
    for index in shares.indices { body(&shares[index], touches[shares[index].place]) }
  }

  /// Ends the frame at hand: forgets the touches that are over and the shares that were cancelled.
  /// Returns the touches that nobody has any more though they are on the glass, each marked dead.
  mutating func close() -> Int {
    var isOver = false
    for place in touches.indices where touches[place].phase != .stationary {
      if touches[place].phase.isFinal { isOver = true } else { touches[place].rest() }
    }
    if isOver { removeFinished() }
    guard shares.contains(where: { $0.cancelReason != nil }) else { return 0 }
    shares.removeAll { $0.cancelReason != nil }
    return buryUnshared()
  }

  private mutating func removeFinished() {
    for place in touches.indices.reversed() where touches[place].phase.isFinal {
      touches.remove(at: place)
      shares.removeAll { $0.place == place }
      for index in shares.indices where shares[index].place > place { shares[index].place -= 1 }
    }
  }

  private mutating func buryUnshared() -> Int {
    var buried = 0
    for place in touches.indices where touches[place].fate == .delivered {
      if shares.contains(where: { $0.place == place }) { continue }
      touches[place].fate = .dead
      buried += 1
    }
    return buried
  }
}
