/// Why a touch went to nobody; the raw values are the wire's.
public enum DiscardReason: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  /// Nothing is there. Rule H7.
  case noWindow = 1
  /// It began outside the screen. Rule T8.
  case outsideScreen = 2
  /// Nobody up the chain handles `began`. Rule R4.
  case unhandled = 3
  /// Its view takes one touch at a time. Rule T13.
  case singleTouch = 4
  /// An exclusive touch keeps it out. Rule T13.
  case exclusive = 5
  /// Everybody declined. Rule R5.
  case declined = 6
  /// There are as many live touches as the limit allows.
  case limit = 7
  /// It was over for everybody before its finger left: cancelled (rule R9), or its clients are gone
  /// (rule R7). No touch that begins is discarded for it.
  case over = 8
  /// It began while a gesture that cancels touches lasted, and is that gesture's. Rule G9.
  case gesture = 9
  /// Its screen was dark, or on again for too short a time. Rule D3.
  case dark = 10
  /// Its screen was locked. Rule D9.
  case locked = 11
}

extension DiscardReason {
  /// The word of the protocol, as people and scripts read it: that of the C header in lower case.
  package var word: String {
    switch self {
    case .noWindow: "no_window"
    case .outsideScreen: "outside_screen"
    case .unhandled: "unhandled"
    case .singleTouch: "single_touch"
    case .exclusive: "exclusive"
    case .declined: "declined"
    case .limit: "limit"
    case .over: "over"
    case .gesture: "gesture"
    case .dark: "dark"
    case .locked: "locked"
    }
  }
}
