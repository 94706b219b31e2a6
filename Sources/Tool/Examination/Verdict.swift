/// What an examination says of one thing.
package struct Verdict: Equatable, Sendable {
  /// How it is.
  package enum Level: String, Sendable {
    case good, bad
    /// It can't be known of this recording.
    case unknown
  }

  /// What was looked for.
  package let fault: Fault
  /// How it is.
  package let level: Level
  /// What was found, in words.
  package let sentence: String
}

extension Verdict {
  /// The same where it is not known how large a distance is.
  var withoutDistances: Verdict {
    switch fault {
    case .jitter, .edge, .outliers, .farApart:
      .unknown(fault, "the range of the axes is not known: add the device's description")
    default: self
    }
  }

  static func bad(_ fault: Fault, _ sentence: String) -> Verdict {
    Verdict(fault: fault, level: .bad, sentence: sentence)
  }

  static func good(_ fault: Fault, _ sentence: String) -> Verdict {
    Verdict(fault: fault, level: .good, sentence: sentence)
  }

  static func unknown(_ fault: Fault, _ sentence: String) -> Verdict {
    Verdict(fault: fault, level: .unknown, sentence: sentence)
  }
}
