public import TouchModel

/// Who has set something of a layout; what the numbers stand for is for their giver to know.
public enum LayoutSetter: Hashable, Sendable, BitwiseCopyable {
  /// What it sets stays when it goes.
  case administrator(UInt32)
  /// What it sets lies over what is set there already, goes with it, and stays within the area of
  /// its window. Rule L6.
  case attachment(UInt32)
  /// A program that a rule names: what it sets goes with it, and stays within the area of the view
  /// whose path has that many of the names of the path; with 0 it may be anywhere. Rule L6.
  case named(UInt32, within: UInt16)

  /// Whether what it sets stays when it goes.
  var isAdministrator: Bool { if case .administrator = self { true } else { false } }

  /// Whether it may set what holders may not: which window is in front, and that a view of others
  /// is not secure.
  var isAboveHolders: Bool { if case .attachment = self { false } else { true } }

  /// Whether it is a program that a rule names.
  var isNamed: Bool { if case .named = self { true } else { false } }

  /// So many of the first names of a path are the view whose area it may not leave; 0 where it may
  /// be anywhere.
  var confinement: Int {
    switch self {
    case .administrator: 0
    case .attachment: 1
    case .named(_, let names): Int(names)
    }
  }
}

/// A change and who makes it.
public struct SetChange: Equatable, Sendable {
  /// What is to be.
  public var change: ViewChange
  /// Who wants it.
  public var setter: LayoutSetter
  /// Whether all that it does is to take back what programs that a rule names have set there.
  public var isRevocation = false

  /// A change by somebody.
  public init(_ change: ViewChange, by setter: LayoutSetter, isRevocation: Bool = false) {
    self.change = change
    self.setter = setter
    self.isRevocation = isRevocation
  }
}

extension StringProtocol {
  /// The first names of a path, or all of it where it has fewer.
  package func names(_ count: Int) -> Self.SubSequence {
    var left = count
    for index in indices where self[index] == "/" {
      left -= 1
      if left == 0 { return self[..<index] }
    }
    return self[...]
  }
}
