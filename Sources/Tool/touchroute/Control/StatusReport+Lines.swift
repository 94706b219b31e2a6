import LayoutDrawing
import TouchClient
import TouchModel

extension StatusReport {
  /// The state for people: the daemon, its devices, its clients with what they hold, what was
  /// counted, and how long frames took.
  var lines: [String] {
    var lines = [
      "touchrouted \(version), pid \(pid), up \(Text.duration(seconds: uptime_seconds))",
      "configuration \(configuration): \(Text.count(windows, "window")), "
        + "\(Text.count(views, "view")), generation \(generation); "
        + "\(Text.count(live_touches, "touch", "touches")) live", "",
    ]
    lines.append(devices.isEmpty ? "no touch device" : "devices:")
    for device in devices {
      lines.append(text(device))
      let counts = SignalFinding.filters.compactMap { finding in
        device.filters[finding.word].map(finding.counted)
      }
      lines += device.faults.map {
        "    it \($0.text) (since \(Text.duration(seconds: $0.seconds)))"
      }
      if !counts.isEmpty { lines.append("    filters: \(counts.joined(separator: ", "))") }
    }
    lines.append(clients.isEmpty ? "no program is connected" : "programs:")
    for client in clients {
      lines.append(text(client))
      lines += attachments.filter { $0.client == client.client }.map(text)
      lines += inhibitors.filter { $0.client == client.client }.map {
        "    inhibits idle for \($0.path)"
      }
      lines += waiting.filter { $0.client == client.client }.map { "    waits for \($0.path)" }
    }
    lines.append("screens:")
    for screen in screens {
      let lock = locks.first { $0.name == screen.name }
      lines.append("  \(screen.text)" + (lock.map { "; \($0.text)" } ?? ""))
    }
    lines += ["counted since the start:"]
    for counter in DaemonStatus.Counter.allCases {
      guard let count = counters[counter.word], count > 0 else { continue }
      let reason = counter.discardReason.map { " (\(Explanation.words($0)))" } ?? ""
      lines.append("  \(counter.word): \(count)\(reason)")
    }
    if counters.values.allSatisfy({ $0 == 0 }) { lines.append("  nothing yet") }
    return lines + latencies.lines
  }

  private func text(_ device: DeviceReport) -> String {
    // What is left alone is on no screen, whatever its rule says.
    let isIgnored = device.flags.contains("ignored")
    let screen = isIgnored ? [] : [device.screen.map { "on \($0)" } ?? "on no screen"]
    let fingers = device.touch_count.map { ", \(Text.count($0, "finger"))" } ?? ""
    let parts = ["\(device.name), \(device.node), \(device.id)\(fingers)"] + screen + device.flags
    return "  " + parts.joined(separator: ", ")
  }

  private func text(_ client: ClientReport) -> String {
    var parts = ["pid \(client.pid) (\(client.name))", "uid \(client.uid)"] + client.flags
    if client.live_touches > 0 {
      parts.append("\(Text.count(client.live_touches, "touch", "touches")) live")
    }
    if client.unread_bytes > 0 { parts.append("\(Text.count(client.unread_bytes, "byte")) unread") }
    if client.queued_bytes > 0 { parts.append("\(Text.count(client.queued_bytes, "byte")) queued") }
    if client.coalesced > 0 { parts.append("\(Text.count(client.coalesced, "frame")) merged") }
    if client.dropped_samples > 0 {
      parts.append("\(Text.count(client.dropped_samples, "sample")) dropped")
    }
    return "  " + parts.joined(separator: ", ")
  }

  private func text(_ attachment: AttachmentReport) -> String {
    var text = "    holds \(attachment.path)"
    if attachment.handles.count < 4 {
      text += " for \(attachment.handles.joined(separator: ", "))"
    }
    if !attachment.passes.isEmpty {
      text += ", passes \(attachment.passes.joined(separator: ", "))"
    }
    return text
  }
}

extension StatusReport.LockReport {
  /// For people: `locked for 12 s more by pid 812`.
  var text: String {
    let who = pid.map { " by pid \($0)" } ?? ""
    let seconds = (UInt64(remaining_ms) + 999) / 1_000
    return "locked for \(Text.duration(seconds: seconds)) more\(who)"
  }
}
