package import TouchModel

/// Why a recognizer failed. Distances are in points of the screen, times in milliseconds.
package enum FailureReason: Equatable, Sendable, BitwiseCopyable {
  /// A finger went further from where it came down than `slop`.
  case moved(Double, slop: Double)
  /// The fingers went `slop` or more against the direction.
  case movedBack(Double, slop: Double)
  /// The fingers went `slop` or more across the direction, and less along it.
  case movedAcross(Double, slop: Double)
  /// A finger came down outside of `margin`.
  case beganOffEdge(Double, margin: Double)
  /// It was not over in time.
  case tookTooLong(milliseconds: UInt64)
  /// No further tap came in time.
  case noFurtherTap(milliseconds: UInt64)
  /// The next tap was too far from the one before.
  case tapTooFar(Double, distance: Double)
  /// Fewer fingers had come by then than it asks for.
  case tooFew(Int, fewest: Int, milliseconds: UInt64)
  /// More fingers came than it takes.
  case tooMany(most: Int)
  /// A finger came later than the others may.
  case cameLate(milliseconds: UInt64)
  /// A finger came after another one was lifted.
  case notTogether
  /// Its fingers, or one of them, were lifted.
  case lifted
  /// Another recognizer recognized.
  case recognized(RecognizerID)
  /// A client accepted one of its touches. Rule G8.
  case accepted
  /// One of its touches was cancelled.
  case cancelled(CancelReason)
  /// It was disabled, or removed.
  case disabled
  /// It held back touches of other clients for as long as it may. Rule G17.
  case heldTooLong(milliseconds: UInt64)

  /// In words, for people: "moved 14.2 points, slop is 10".
  ///
  /// - Parameter path: The path of a recognizer.
  package func text(path: (RecognizerID) -> String) -> String {
    switch self {
    case .moved(let distance, let slop):
      "moved \(Self.text(distance)) points, slop is \(Self.text(slop))"
    case .movedBack(let distance, let slop):
      "moved \(Self.text(distance)) points the other way, slop is \(Self.text(slop))"
    case .movedAcross(let distance, let slop):
      "moved \(Self.text(distance)) points across, slop is \(Self.text(slop))"
    case .beganOffEdge(let depth, let margin):
      "began \(Self.text(depth)) points from the edge, margin is \(Self.text(margin))"
    case .tookTooLong(let limit): "took longer than \(limit) ms"
    case .noFurtherTap(let limit): "no further tap within \(limit) ms"
    case .tapTooFar(let distance, let limit):
      "tapped \(Self.text(distance)) points from the tap before, distance is \(Self.text(limit))"
    case .tooFew(let count, let fewest, let limit):
      "\(count) of \(fewest) fingers within \(limit) ms"
    case .tooMany(let most): "more fingers than \(most)"
    case .cameLate(let limit): "a finger came later than \(limit) ms after the first"
    case .notTogether: "a finger came after another was lifted"
    case .lifted: "lifted before"
    case .recognized(let other): "\(path(other)) recognized"
    case .accepted: "its touch was accepted"
    case .cancelled: "its touch was cancelled"
    case .disabled: "disabled"
    case .heldTooLong(let limit): "held touches of others back for \(limit) ms (hold_limit_ms)"
    }
  }

  /// In words, without how far a finger went or where it was.
  ///
  /// - Parameter path: The path of a recognizer.
  package func textWithoutDistances(path: (RecognizerID) -> String) -> String {
    switch self {
    case .moved: "moved further than slop"
    case .movedBack: "moved the other way"
    case .movedAcross: "moved across"
    case .beganOffEdge: "began further from the edge than margin"
    case .tapTooFar: "tapped too far from the tap before"
    case .tookTooLong, .noFurtherTap, .tooFew, .tooMany, .cameLate, .notTogether, .lifted,
      .recognized, .accepted, .cancelled, .disabled, .heldTooLong:
      text(path: path)
    }
  }

  /// With at most one decimal, rounded away from the limit that it missed by a hair.
  private static func text(_ number: Double) -> String {
    let tenths = (number * 10).rounded()
    guard tenths.magnitude < 1e15 else { return "\(number)" }
    let whole = Int(tenths)
    return whole % 10 == 0 ? "\(whole / 10)" : "\(Double(whole) / 10)"
  }
}

/// A recognizer, by its number; never used again while the daemon runs.
package struct RecognizerID: Hashable, Sendable, BitwiseCopyable {
  /// The number itself.
  package var rawValue: UInt32

  /// The recognizer of that number.
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
