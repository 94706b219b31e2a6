public import TouchModel

/// Who has set something of a layout; what the numbers stand for is for their giver to know.
public enum LayoutSetter: Hashable, Sendable, BitwiseCopyable {
  /// What it sets stays when it goes.
  case lasting(UInt32)
  /// What it sets lies over what is set there already, goes with it, and stays within the area of
  /// its window. Rule L6.
  case passing(UInt32)

  /// Whether what it sets stays when it goes.
  var isLasting: Bool { if case .lasting = self { true } else { false } }
}

/// A change and who makes it.
public struct SetChange: Equatable, Sendable {
  /// What is to be.
  public var change: ViewChange
  /// Who wants it.
  public var setter: LayoutSetter

  /// A change by somebody.
  public init(_ change: ViewChange, by setter: LayoutSetter) {
    self.change = change
    self.setter = setter
  }
}
