public import TouchModel

/// That something was hit for which the configuration or a program wants feedback. Rules D10 and
/// D12.
public struct Feedback: Equatable, Sendable {
  /// What gives it; the raw values are the wire's `enum touchroute_feedback_cause`.
  public enum Cause: UInt16, Sendable, CaseIterable {
    /// A touch has begun on a view.
    case touch = 1
    /// A recognizer has recognized or begun.
    case gesture = 2
  }

  /// Which of them.
  public let cause: Cause
  /// The screen.
  public let screen: ScreenIndex
  /// When the touch began, or the recognizer recognized.
  public let time: Timestamp
  /// The name of the feedback.
  public let name: String
  /// The path of the view or of the recognizer; nil of a secure view.
  public let target: String?

  /// What was hit.
  public init(
    _ cause: Cause, on screen: ScreenIndex, at time: Timestamp, name: String, target: String?
  ) {
    self.cause = cause
    self.screen = screen
    self.time = time
    self.name = name
    self.target = target
  }
}
