import TouchClient
import TouchModel

/// Why a touch that began went where it went, in words.
struct Explanation {
  /// What programs call themselves, by their processes.
  var programs: [Int32: String]
  /// The screens that touches count among.
  var screens: [Welcome.Screen]

  /// A heading and a line for each thing that decided it; nothing for a touch that goes on.
  func lines(
    _ record: Observation.Record, at time: Timestamp, device: String
  ) -> [String] {
    guard record.phase == .began else { return [] }
    let isDeclined = record.flags.contains(.replayed)
    let place = record.screenLocation.map { "at \(Text.point($0))" } ?? "in a secure view"
    let screen = Int(record.screen) < screens.count ? " on \(screens[Int(record.screen)].name)" : ""
    let finger = record.flags.contains(.injected) ? ", injected" : ""
    var lines = [
      "\(Text.seconds(time))  \(device)  touch \(record.id.rawValue) "
        + (isDeclined ? " was declined" : " began \(place)\(screen)\(finger)")
    ]
    if !record.targetPath.isEmpty { lines.append("    hit: \(way(to: record.targetPath))") }
    lines += record.chain.map { link in
      // Somebody would have got phases of it, but none of them is its beginning.
      let isLost = record.discardReason == .unhandled && link.outcome == .delivered
      return "    \(link.path): "
        + (isLost ? "\(holder(link)) handles \(words(link)) alone" : outcome(link))
    }
    let left = Int(record.chainTotal) - record.chain.count
    if left > 0 { lines.append("    and \(left) more") }
    if let reason = record.discardReason { lines.append("    nobody gets it: \(why(reason))") }
    return lines
  }

  /// The views from the window to the target.
  private func way(to path: String) -> String {
    path.split(separator: "/").joined(separator: " > ")
  }

  /// What became of the touch at a responder.
  func outcome(_ link: Observation.Link) -> String {
    let holder = holder(link)
    return switch link.outcome {
    case .noClient: "no program holds it"
    case .delivered: "\(holder) gets \(words(link))"
    case .notHandled: "\(holder) handles none of the phases that reached it"
    case .unresponsive: "\(holder) is unresponsive"
    case .declined: "\(holder) declined"
    case nil: "an outcome that this version does not know"
    }
  }

  private func holder(_ link: Observation.Link) -> String {
    guard let pid = link.pid else { return "its program" }
    return programs[pid].map { "pid \(pid) (\($0))" } ?? "pid \(pid)"
  }

  private func words(_ link: Observation.Link) -> String {
    link.phases.words.joined(separator: ", ")
  }

  private func why(_ reason: Observation.DiscardReason) -> String {
    switch reason {
    case .noWindow: "no window is there"
    case .outsideScreen: "it began outside of the screen"
    case .unhandled: "no program that was asked handles began"
    case .singleTouch: "the view has multiple_touch = false, and a touch already"
    case .exclusive: "a view of the window has exclusive_touch = true, and another view a touch"
    case .declined: "every program that got it has declined"
    case .limit: "as many touches are live as the limit touches allows"
    }
  }
}
