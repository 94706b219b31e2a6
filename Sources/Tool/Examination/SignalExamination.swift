import Signals
import TouchModel

/// Looks for the faults that a filter mends: each filter is tried alone, and what it does is
/// counted. Rules N2 to N9.
struct SignalExamination {
  /// A contact is bad luck, several are a fault.
  private static let leastCount: UInt64 = 3
  /// Of all contacts, how many must be concerned.
  private static let leastShare = 0.05
  /// Contacts that stay shorter than this are no taps: the fastest ones that were recorded last 30.
  private static let ghostMilliseconds: UInt64 = 15
  /// The longest gap of a bounce. The fastest double taps have 50.
  private static let bridgeMilliseconds: UInt64 = 25
  /// A contact that rests for this long is stuck, in milliseconds.
  private static let stuckMilliseconds: UInt64 = 60_000
  /// How wide an edge is, in points.
  private static let edgeWidth = 4.0
  /// No finger crosses the touchscreen more often in a second.
  private static let crossingsPerSecond = 25.0

  private let events: [DeviceEvent]
  private let trace: ContactTrace
  private let region: Rect

  init(_ events: [DeviceEvent], _ trace: ContactTrace, in region: Rect) {
    self.events = events
    self.trace = trace
    self.region = region
  }

  /// What was found of each.
  var verdicts: [Verdict] {
    [bounces, ghosts, samePlace, aligned, farApart, jitter, outliers, stuck, edge]
  }

  /// The filter that mends a fault; nothing where none does.
  func mend(_ fault: Fault, _ settings: inout SignalSettings) {
    switch fault {
    case .bounces: settings.bridge = .init(milliseconds: Self.bridgeMilliseconds)
    case .ghosts: settings.minimumContactMilliseconds = Self.ghostMilliseconds
    case .samePlace: settings.ghosts.insert(.samePlace)
    case .aligned: settings.ghosts.insert(.aligned)
    case .farApart: settings.ghosts.insert(.farApart)
    case .jitter:
      settings.smoothing = .oneEuro(
        minimumCutoff: SignalDefaults.oneEuroMinimumCutoff, beta: SignalDefaults.oneEuroBeta)
    case .outliers: settings.maximumSpeed = fastest
    case .stuck: settings.stuck = .init(milliseconds: Self.stuckMilliseconds)
    case .edge: settings.edge = Self.edgeWidth
    case .untouched, .deadRows, .deadColumns, .rate, .axes, .dropped, .clock: break
    }
  }

  /// In points a second.
  private var fastest: Double {
    (max(region.width, region.height) * Self.crossingsPerSecond / 1000).rounded(.up) * 1000
  }

  // MARK: Filters that are tried

  /// What the filters that mend some faults do.
  private func counts(of faults: Fault...) -> SignalCounts {
    var settings = SignalSettings()
    for fault in faults { mend(fault, &settings) }
    return FilteredStream(of: events, through: settings, in: region).counts
  }

  /// Whether so many are more than bad luck.
  private func isMany(_ count: UInt64) -> Bool {
    count >= Self.leastCount
      && Double(count) >= Self.leastShare * Double(max(1, trace.contacts.count))
  }

  private var contacts: String { "\(trace.contacts.count) contacts" }

  private var bounces: Verdict {
    let count = counts(of: .bounces)[.bridged]
    return isMany(count)
      ? .bad(
        .bounces,
        "of \(contacts), \(count) landed within \(Self.bridgeMilliseconds) ms of where one was "
          + "lifted: one tap may arrive as two")
      : .good(.bounces, "of \(contacts), \(count) may be the rest of another one")
  }

  private var ghosts: Verdict {
    let count = counts(of: .ghosts, .bounces)[.short]
    return isMany(count)
      ? .bad(
        .ghosts,
        "of \(contacts), \(count) were shorter than \(Self.ghostMilliseconds) ms, which no finger "
          + "is")
      : .good(
        .ghosts, "of \(contacts), \(count) were shorter than \(Self.ghostMilliseconds) ms")
  }

  private var aligned: Verdict { ghosts(.aligned, "straight above or below another one") }

  private var farApart: Verdict { ghosts(.farApart, "at once with another one, far from it") }

  private func ghosts(_ fault: Fault, _ words: String) -> Verdict {
    let count = counts(of: fault)[.ghost]
    let sentence = "of \(contacts), \(count) landed \(words)"
    return isMany(count) ? .bad(fault, sentence) : .good(fault, sentence)
  }

  private var outliers: Verdict {
    let counts = counts(of: .outliers)
    let count = counts[.outlier]
    let points = trace.contacts.reduce(UInt64(0)) { $0 + UInt64($1.points.count) }
    let sentence =
      "of \(points) points, \(count) lie where no finger can have got at "
      + "\(Int(fastest)) points a second"
    let isMuch = count >= Self.leastCount && count * 500 >= points
    return isMuch ? .bad(.outliers, sentence) : .good(.outliers, sentence)
  }

  private var stuck: Verdict {
    let count = counts(of: .stuck)[.stuck]
    let seconds = Self.stuckMilliseconds / 1000
    return count > 0
      ? .bad(.stuck, "\(count) of \(contacts) did not move for \(seconds) s")
      : .good(.stuck, "no contact stayed at one place for \(seconds) s")
  }

  private var edge: Verdict {
    let count = counts(of: .edge)[.edge]
    let sentence =
      "of \(contacts), \(count) landed within \(Int(Self.edgeWidth)) points of the edge and never "
      + "left it"
    // People touch buttons at the edge, too: a fifth of all contacts is more than that.
    return isMany(count) && count * 5 >= trace.contacts.count
      ? .bad(.edge, sentence) : .good(.edge, sentence)
  }

  // MARK: Found without a filter

  /// Contacts at one place: within 2 points, none more than 4 s after the one before, for more than
  /// 2 s, as in Chromium's filter; and more of them than anybody taps so exactly.
  private var samePlace: Verdict {
    var most = 0
    for (index, first) in trace.contacts.enumerated() {
      var count = 1
      var latest = first.landed
      for next in trace.contacts[(index + 1)...] {
        if next.landed.microseconds(since: latest) > 4_000_000 { break }
        guard next.start.distance(to: first.start) <= 2 else { continue }
        count += 1
        latest = next.landed
      }
      if latest.microseconds(since: first.landed) > 2_000_000 { most = max(most, count) }
    }
    let sentence = "at most \(most) contacts landed at one place, within 2 points"
    return most >= 6 ? .bad(.samePlace, sentence) : .good(.samePlace, sentence)
  }

  /// How far a finger that goes slowly trembles: of three reports in a row, how far the middle one
  /// lies off the line between the others.
  private var jitter: Verdict {
    var offsets: [Double] = []
    for contact in trace.contacts where contact.points.count > 2 {
      for index in 1..<(contact.points.count - 1) {
        let (a, b, c) = (
          contact.points[index - 1].point, contact.points[index].point,
          contact.points[index + 1].point
        )
        guard a.distance(to: c) < 8 else { continue }
        offsets += [(a.x + c.x) / 2 - b.x, (a.y + c.y) / 2 - b.y]
      }
    }
    guard offsets.count >= 40 else {
      return .unknown(.jitter, "no finger rested or moved slowly for long enough")
    }
    // The variance of such an offset is 3/2 of that of a point.
    let variance = offsets.reduce(0) { $0 + $1 * $1 } / Double(offsets.count) / 1.5
    let jitter = variance.squareRoot()
    let sentence = "a slow finger trembles by \(plain(jitter)) points"
    return jitter > Self.leastJitter ? .bad(.jitter, sentence) : .good(.jitter, sentence)
  }

  /// In points: less than this nobody sees.
  private static let leastJitter = 1.0
}

/// With at most two decimals.
func plain(_ number: Double) -> String {
  let rounded = (number * 100).rounded() / 100
  return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
}
