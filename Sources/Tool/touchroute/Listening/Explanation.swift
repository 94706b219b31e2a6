import LayoutDrawing
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
    var lines = [
      "\(Text.seconds(time))  \(device)  touch \(record.id.rawValue) "
        + (isDeclined ? "was declined" : "began \(location(of: record))")
    ]
    if !record.targetPath.isEmpty { lines.append("    hit: \(way(to: record.targetPath))") }
    lines += record.chain.map { "    \($0.path): \(outcome($0, in: record))" }
    let left = Int(record.chainTotal) - record.chain.count
    if left > 0 { lines.append("    and \(left) more") }
    if let reason = reason(of: record) { lines.append("    no program gets it: \(reason)") }
    return lines
  }

  /// What became of a touch of the process's own, in a line; nil where there is nothing new.
  ///
  /// - Parameter hasGestures: Whether gestures have it, whatever programs get.
  func line(_ record: Observation.Record, hasGestures: Bool = false) -> String? {
    let touch = "touch \(record.id.rawValue)"
    switch record.phase {
    case .began:
      let isDeclined = record.flags.contains(.replayed)
      let hit = record.targetPath.isEmpty ? "" : " hit \(record.targetPath)"
      let start = touch + (isDeclined ? " was declined" : " \(location(of: record))\(hit)")
      return "\(start): \(fate(of: record, hasGestures: hasGestures))"
    case .cancelled where record.discardReason == nil:
      let reason = record.cancelReason.map { ": \(Text.words($0))" } ?? ""
      return "\(touch) was cancelled\(reason)"
    case .moved, .stationary, .ended, .cancelled:
      // That it was cancelled was said.
      return record.discardReason == .over
        ? "\(touch) goes to no program any more: its program is gone" : nil
    }
  }

  /// What happened to a recognizer, in a line.
  func line(_ gesture: ObservedGesture) -> String {
    let touch = gesture.touch.map { "touch \($0.rawValue)  " } ?? ""
    return "\(Text.seconds(gesture.time))  \(touch)\(words(gesture))"
  }

  /// What happened to a recognizer, and who is told of it.
  func words(_ gesture: ObservedGesture) -> String {
    let teller = gesture.pid.map(name) ?? "its program"
    let outcome =
      switch gesture.state {
      case .failed where gesture.isPassedBy: "takes no part: \(gesture.text)"
      case .recognized: "recognized: \(teller) is told"
      case .began: "has begun: \(teller) is told"
      case .changed: "has changed"
      case .ended: "has ended"
      case .cancelled: "was cancelled: \(gesture.cancelReason.map(Text.words) ?? "?")"
      case .failed: "failed: \(gesture.text)"
      case .possible: gesture.touch == nil ? "is possible again" : "takes part"
      }
    return "\(gesture.path) \(outcome)"
  }

  /// What a filter did, in a line. Rules N2 to N9.
  func line(_ signal: ObservedSignal, device: String) -> String {
    let contact = signal.touch.map { "touch \($0.rawValue)" } ?? "a contact"
    let place = signal.screenLocation.map { "at \(Text.point($0))" } ?? "in a secure view"
    let outcome =
      switch signal.finding {
      case .bridged: "\(contact) goes on \(place) after a gap: bridge_ms"
      case .short: "\(contact) \(place) never began, it was too short: min_contact_ms"
      case .smoothed: "\(contact) was reported \(place), and moved: smooth"
      case .outlier: "\(contact): a point \(place) was dropped, no finger is so fast: max_speed"
      case .split: "\(contact) ends, another finger began \(place): max_speed"
      case .deadZone: "\(contact) \(place) was dropped: dead_zones"
      case .edge: "\(contact) \(place) never left the edge, and was dropped: edge"
      case .ghost: "\(contact) \(place) is a ghost: ghosts"
      case .stuck: "\(contact) \(place) has not moved for too long: stuck_ms"
      case .palm: "\(contact) \(place) is a palm: palm_size, palm_aspect"
      case .silent, .held, .slowed, .haunted, .overrun, .unsteady, .drifted: signal.text
      }
    return "\(Text.seconds(signal.time))  \(device)  \(outcome)"
  }

  /// Who gets a touch that begins, or why nobody does.
  private func fate(of record: Observation.Record, hasGestures: Bool) -> String {
    if let reason = reason(of: record) {
      return "\(hasGestures ? "only gestures get it" : "no program gets it"): \(reason)"
    }
    let getters = record.chain.filter { !$0.phases.isEmpty }.map { link in
      let phases = link.phases.isSuperset(of: .all) ? "it" : "\(words(link)) of it"
      return "\(holder(link)) gets \(phases)"
        + (link.path == record.targetPath ? "" : " at \(link.path)")
    }
    // A chain that a message could not hold may end before whoever gets it.
    return getters.isEmpty ? "a program gets it" : getters.joined(separator: "; ")
  }

  private func location(of record: Observation.Record) -> String {
    let location = record.screenLocation.map { "at \(Text.point($0))" } ?? "in a secure view"
    let index = Int(record.screen)
    return index < screens.count ? "\(location) on \(screens[index].name)" : location
  }

  /// The views from the window to the target.
  private func way(to path: String) -> String {
    path.split(separator: "/").joined(separator: " > ")
  }

  /// What became of the touch at a responder.
  func outcome(_ link: Observation.Link, in record: Observation.Record) -> String {
    let holder = holder(link)
    // Somebody would have got phases of it, but none of them is its beginning.
    let isLost = record.discardReason == .unhandled
    return switch link.outcome {
    case .noClient: "no program holds it"
    case .delivered where isLost: "\(holder) handles \(words(link)) alone"
    case .delivered: "\(holder) gets \(words(link))"
    case .notHandled: "\(holder) handles none of the phases that reached it"
    case .unresponsive: "\(holder) is unresponsive"
    case .declined: "\(holder) declined"
    case nil: "an outcome that this version does not know"
    }
  }

  private func holder(_ link: Observation.Link) -> String {
    link.pid.map(name) ?? "its program"
  }

  private func name(_ pid: Int32) -> String {
    programs[pid].map { "pid \(pid) (\($0))" } ?? "pid \(pid)"
  }

  private func words(_ link: Observation.Link) -> String {
    link.phases.words.joined(separator: ", ")
  }

  /// Why nobody gets a touch, with those who were asked where it is theirs; nil where somebody gets
  /// it. All commands say it in these words.
  func reason(of record: Observation.Record) -> String? {
    guard let reason = record.discardReason else { return nil }
    let chain = record.chain
    guard reason == .unhandled, !chain.isEmpty else { return Self.words(reason) }
    let held = chain.filter { $0.outcome != .noClient }
    let left = Int(record.chainTotal) - chain.count
    if held.isEmpty, left <= 0 {
      return "no program holds \(chain.map(\.path).joined(separator: ", "))"
    }
    // Whoever a message could not hold may have been the one that matters.
    if left > 0 { return Self.words(reason) }
    return held.map { "\($0.path): \(outcome($0, in: record))" }.joined(separator: "; ")
  }

  /// That nobody gets a record, and why; nil where somebody does. Who was asked is told of a touch
  /// that begins, and so is the reason where it is theirs.
  func lack(of record: Observation.Record) -> String? {
    guard let reason = reason(of: record) else { return nil }
    let isTold = record.phase == .began || record.discardReason != .unhandled
    return isTold ? "for no program: \(reason)" : "for no program"
  }

  /// Why nobody gets such touches.
  static func words(_ reason: DiscardReason) -> String {
    switch reason {
    case .noWindow: "no window is there"
    case .outsideScreen: "it began outside of the screen"
    case .unhandled: "no program takes it"
    case .singleTouch: "the view has multiple_touch = false, and has a touch already"
    case .exclusive: "a view of the window has exclusive_touch = true, and another view has a touch"
    case .declined: "every program that got it has declined"
    case .limit: "as many touches are live as the limit touches allows"
    case .over: "it was cancelled before, or its program is gone"
    case .gesture: "a gesture that goes on has it"
    case .dark: "its screen is dark, or has just come on"
    case .locked: "its screen is locked"
    }
  }
}
