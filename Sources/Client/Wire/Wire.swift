/// What the numbers of the protocol are called, for the daemon, the Swift client and the tool.
/// `scripts/generate` makes them of touchroute-protocol.h.
///
/// What both sides say of touches, phases and reasons, is vocabulary and lies in TouchModel.
public enum Wire {}

extension Wire.AttachFlags {
  /// All that there are.
  public static let all: Wire.AttachFlags = [.takeOver, .history, .wait, .gestures]
}

extension Wire.GestureFlags {
  /// All that a program may ask for.
  public static let all: Wire.GestureFlags = [
    .disabled, .keepsTouches, .passesEnded, .delaysBegan, .hasPriority,
  ]
}
