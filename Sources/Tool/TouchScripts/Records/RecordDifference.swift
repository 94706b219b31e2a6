import TouchModel

/// Something that goes otherwise than a record says.
package struct RecordDifference: Encodable {
  /// What of a touch is another, or which gesture comes or does not.
  package enum Kind: String, Encodable {
    /// A touch hits another view.
    case target
    /// Other programs get it, or none.
    case programs
    /// It counts as another number of taps.
    case taps
    /// It ends otherwise.
    case end
    /// A touch or gesture of the record does not come.
    case missing
    /// One comes that the record does not have.
    case new
    /// A gesture comes at another time.
    case time
  }

  /// What is another.
  package var difference: Kind
  /// When, in microseconds.
  package var time_us: UInt64
  /// The touch.
  package var touch: UInt64?
  /// Where the touch began.
  package var at: [Double]?
  /// Its screen.
  package var screen: String?
  /// The recognizer's path, and what it came to.
  package var gesture: String?
  /// What it came to.
  package var state: String?
  /// What the record says, and what comes of it now.
  package var recorded: String?
  /// What comes of it now.
  package var played: String?

  init(_ difference: Kind, at time: UInt64) {
    self.difference = difference
    time_us = time
  }

  /// The same for people.
  package var words: String {
    let seconds =
      "\(time_us / 1_000_000)." + String(String(1000 + time_us / 1000 % 1000).dropFirst())
    var words = [seconds]
    if let touch {
      // A record's line may have any number of numbers there.
      let place =
        at.map { at in " at (\(at.map { "\($0.toTwoDecimals)" }.joined(separator: ", ")))" } ?? ""
      words.append("touch \(touch)\(place)\(screen.map { " on \($0)" } ?? "")")
    }
    if let gesture { words.append(gesture) }
    words.append(sentence)
    return words.joined(separator: "  ")
  }

  private var sentence: String {
    let (before, now) = (recorded ?? "nothing", played ?? "nothing")
    switch difference {
    case .target: return "hits \(now), and hit \(before)"
    case .programs: return "goes to \(now), and went to \(before)"
    case .taps: return "is tap \(now), and was tap \(before)"
    case .end: return "comes to \(now), and came to \(before)"
    case .missing: return "\(state ?? "it") does not come any more"
    case .new: return "\(state ?? "it") comes, and did not"
    case .time: return "\(state ?? "it") comes at \(now), and came at \(before)"
    }
  }
}
