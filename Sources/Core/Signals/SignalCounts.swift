public import TouchModel

/// How often each filter of one device has done something. Rule N1.
public struct SignalCounts: Equatable, Sendable {
  /// By the raw value of the finding, from 1.
  private var counts = [UInt64](repeating: 0, count: SignalFinding.filters.count)

  /// No filter has done anything.
  public init() {}

  /// How often one of them has.
  public internal(set) subscript(finding: SignalFinding) -> UInt64 {
    get { counts[Int(finding.rawValue) - 1] }
    set { counts[Int(finding.rawValue) - 1] = newValue }
  }
}

extension SignalCounts: CustomStringConvertible {
  /// What is not 0, in words; empty where nothing was done.
  public var description: String {
    SignalFinding.filters.filter { self[$0] > 0 }.map { "\($0.counted(self[$0]))" }
      .joined(separator: ", ")
  }
}
