/// A touchscreen that has fallen ill, or is well again. Rule N10.
public struct HealthChange: Equatable, Sendable {
  /// Which.
  public var device: DeviceID
  /// What is wrong with it.
  public var finding: SignalFinding
  /// Since when.
  public var since: Timestamp
  /// When it was noticed, or was over.
  public var time: Timestamp
  /// Whether it is over.
  public var isOver: Bool
  /// What is wrong, in words that follow the touchscreen's name.
  public var sentence: String
  /// False if it was said before, of the same touchscreen under another number.
  public var isNews: Bool

  /// A change of a touchscreen's health.
  public init(
    device: DeviceID, finding: SignalFinding, since: Timestamp, time: Timestamp, isOver: Bool,
    sentence: String, isNews: Bool = true
  ) {
    self.device = device
    self.finding = finding
    self.since = since
    self.time = time
    self.isOver = isOver
    self.sentence = sentence
    self.isNews = isNews
  }
}
