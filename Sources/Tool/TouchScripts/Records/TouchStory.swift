/// What became of a touch, as far as it is compared: what it hit, who got it, and how it ended.
struct TouchStory: Equatable {
  /// A program that got it, and where.
  struct Getter: Equatable {
    let path: String
    let attachment: UInt32?
    let phases: [String]
  }

  /// When it began, and where.
  let time: UInt64
  let place: [Double]?
  let screen: UInt32
  /// The path of what it hit; nil for nothing.
  private(set) var target: String?
  /// Who got it when it began; then who did after each decline.
  private(set) var getters: [[Getter]]
  /// Why no program got it, in the same order.
  private(set) var discards: [String?]
  private(set) var taps: Int
  /// `ended`, or why it was cancelled; nil while it lives.
  private(set) var end: String?
  /// Whether all taps before it are known.
  var isTapCountKnown = true
  /// Whether a touch that is not compared may have decided about it.
  var isBesideLeftOut = false

  /// The story of a touch that begins.
  init(_ touch: RecordedTouch, of frame: RecordedFrame) {
    (time, place, screen) = (frame.time_us, touch.at, frame.screen)
    target = touch.target
    taps = touch.taps ?? 1
    getters = [Self.getters(of: touch)]
    discards = [touch.discard_reason]
  }

  /// Goes on with what the touch did next.
  mutating func take(_ touch: RecordedTouch) {
    guard end == nil else { return }
    switch touch.phase {
    case "began":
      getters.append(Self.getters(of: touch))
      discards.append(touch.discard_reason)
    case "ended": end = "ended"
    case "cancelled": end = touch.cancel_reason ?? "cancelled"
    default: break
    }
  }

  private static func getters(of touch: RecordedTouch) -> [Getter] {
    (touch.chain ?? []).compactMap { link in
      guard let phases = link.phases, !phases.isEmpty else { return nil }
      return Getter(path: link.path, attachment: link.attachment, phases: phases)
    }
  }
}
