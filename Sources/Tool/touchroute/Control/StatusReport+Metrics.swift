import CTouchroute
import LayoutDrawing
import TouchClient
import TouchModel

extension StatusReport {
  /// The state as OpenMetrics. There is no place of a touch in it, and no path of a view.
  var metrics: String {
    var metrics = OpenMetrics()
    addDaemon(to: &metrics)
    addCounters(to: &metrics)
    addLatencies(to: &metrics)
    add(Self.deviceNumbers, of: "device", devices, by: \.labels, to: &metrics)
    addFindings(to: &metrics)
    addPrograms(to: &metrics)
    metrics.end()
    return metrics.text
  }

  private func addDaemon(to metrics: inout OpenMetrics) {
    metrics.add("touchroute_daemon", .info, "The daemon that answered.")
    metrics.sample(
      "touchroute_daemon_info", 1, ["configuration": configuration, "version": version])
    let uptime = "touchroute_uptime_seconds"
    metrics.add(uptime, .gauge, unit: "seconds", "How long the daemon has been running.")
    metrics.sample(uptime, uptime_seconds)
    metrics.add("touchroute_windows", .gauge, "Windows of the layout in force.", windows)
    metrics.add("touchroute_views", .gauge, "Views of the layout in force, with windows.", views)
    metrics.add(
      "touchroute_layout_generation", .gauge, "Changes of the layout until now.", generation)
    metrics.add("touchroute_live_touches", .gauge, "Touches that are live now.", live_touches)
    metrics.add(
      "touchroute_devices", .gauge, "Touchscreens in use, without ignored ones.",
      devices.count { !$0.flags.contains("ignored") })
    metrics.add("touchroute_programs", .gauge, "Programs that are connected.", clients.count)
  }

  private func addCounters(to metrics: inout OpenMetrics) {
    let counters = DaemonStatus.Counter.allCases
    for counter in counters where counter.discardReason == nil {
      metrics.add(counter.metric, .counter, counter.help, self.counters[counter.word] ?? 0)
    }
    let discarded = "touchroute_discarded_touches"
    metrics.add(discarded, .counter, "Touches that no program got, by the reason.")
    for counter in counters {
      guard let reason = counter.discardReason?.word else { continue }
      metrics.sample(
        "\(discarded)_total", self.counters[counter.word] ?? 0, ["reason": reason])
    }
  }

  /// The daemon counts frames by powers of two, and does not add their times up: there is no sum.
  private func addLatencies(to metrics: inout OpenMetrics) {
    let name = "touchroute_latency_seconds"
    metrics.add(
      name, .histogram, unit: "seconds",
      "Frames that took less than this from the kernel's time to the send.")
    var count: UInt64 = 0
    let last = Int(TOUCHROUTE_LATENCIES) - 1
    for index in 0...last {
      let bound: UInt64? = index < last ? 1 << UInt64(index) : nil
      count = [count, latencies.steps.first { $0.below_us == bound }?.frames ?? 0].total
      let text = bound.map { "\(Double($0) / 1_000_000)" } ?? "+Inf"
      metrics.sample("\(name)_bucket", count, ["le": text])
    }
  }

  /// What the filters of each touchscreen did, and what is wrong with it. Rules N1 and N10.
  private func addFindings(to metrics: inout OpenMetrics) {
    let filtered = "touchroute_device_filtered"
    metrics.add(filtered, .counter, "What filters did, since they are in force.")
    for device in devices {
      for finding in SignalFinding.filters {
        guard let count = device.filters[finding.word] else { continue }
        metrics.sample("\(filtered)_total", count, device.labels(with: "filter", finding.word))
      }
    }
    let fault = "touchroute_device_fault"
    metrics.add(fault, .gauge, "1 while this is wrong with the device.")
    for device in devices {
      for finding in SignalFinding.allCases where finding.isFault {
        let isIll = device.faults.contains { $0.fault == finding.word }
        metrics.sample(fault, isIll ? 1 : 0, device.labels(with: "fault", finding.word))
      }
    }
  }

  private func addPrograms(to metrics: inout OpenMetrics) {
    add(Self.programNumbers, of: "program", clients, by: \.labels, to: &metrics)
    for (name, help, attachments) in [
      ("held", "Responders that the program holds.", attachments.map(\.client)),
      ("waiting", "Responders that the program waits for.", waiting.map(\.client)),
    ] {
      let name = "touchroute_program_\(name)_responders"
      metrics.add(name, .gauge, help)
      for client in clients {
        metrics.sample(name, attachments.count { $0 == client.client }, client.labels)
      }
    }
  }

  /// What is told of each program or device in a number.
  private struct Number<Subject> {
    let name: String
    let kind: OpenMetrics.Kind
    var unit: String?
    let help: String
    let value: (Subject) -> UInt64
  }

  private func add<Subject>(
    _ numbers: [Number<Subject>], of kind: String, _ subjects: [Subject],
    by labels: (Subject) -> OpenMetrics.Labels, to metrics: inout OpenMetrics
  ) {
    for number in numbers {
      let name = "touchroute_\(kind)_\(number.name)"
      metrics.add(name, number.kind, unit: number.unit, number.help)
      let sample = number.kind == .counter ? "\(name)_total" : name
      for subject in subjects { metrics.sample(sample, number.value(subject), labels(subject)) }
    }
  }

  private static var deviceNumbers: [Number<DeviceReport>] {
    [
      Number(
        name: "live_touches", kind: .gauge, help: "Touches of the device that are live now."
      ) { UInt64($0.live_touches) },
      Number(name: "suspended", kind: .gauge, help: "1 while the device is suspended.") {
        $0.flags.contains("suspended") ? 1 : 0
      },
      Number(name: "ignored", kind: .gauge, help: "1 if the configuration leaves it alone.") {
        $0.flags.contains("ignored") ? 1 : 0
      },
    ]
  }

  private static var programNumbers: [Number<ClientReport>] {
    [
      Number(name: "messages", kind: .counter, help: "Messages sent to the program.") {
        $0.messages
      },
      Number(
        name: "coalesced_frames", kind: .counter,
        help: "Frames that were merged because the program did not read."
      ) { $0.coalesced },
      Number(
        name: "dropped_samples", kind: .counter,
        help: "Samples that were dropped from a full history."
      ) { $0.dropped_samples },
      Number(
        name: "live_touches", kind: .gauge, help: "Live touches that the program gets."
      ) { UInt64($0.live_touches) },
      Number(
        name: "queued_bytes", kind: .gauge, unit: "bytes",
        help: "Bytes for the program that wait in the daemon."
      ) { UInt64($0.queued_bytes) },
      Number(
        name: "unread_bytes", kind: .gauge, unit: "bytes",
        help: "Bytes for the program that wait in its socket."
      ) { UInt64($0.unread_bytes) },
      Number(
        name: "unresponsive", kind: .gauge, help: "1 while the program reads nothing."
      ) { $0.flags.contains("unresponsive") ? 1 : 0 },
    ]
  }
}

extension StatusReport.DeviceReport {
  fileprivate var labels: OpenMetrics.Labels {
    ["device": "\(device)", "name": name, "node": node, "screen": screen ?? ""]
  }

  /// The same, with one more.
  fileprivate func labels(with label: String, _ value: String) -> OpenMetrics.Labels {
    ["device": "\(device)", "name": name, "node": node, "screen": screen ?? "", label: value]
  }
}

extension StatusReport.ClientReport {
  /// The number keeps two connections of one program apart.
  fileprivate var labels: OpenMetrics.Labels {
    ["client": "\(client)", "pid": "\(pid)", "program": name, "uid": "\(uid)"]
  }
}

extension DaemonStatus.Counter {
  /// The metric's name, without `_total`.
  fileprivate var metric: String {
    switch self {
    case .began, .ended, .cancelled, .delivered, .orphaned, .passedOn, .injected:
      "touchroute_touches_\(word)"
    default: "touchroute_\(word)"
    }
  }

  fileprivate var help: String {
    Self.helps[self] ?? "The daemon's counter \(word), since its start."
  }

  private static var helps: [Self: String] {
    [
      .frames: "Frames from the touchscreens.", .began: "Touches that began.",
      .ended: "Touches that ended.", .cancelled: "Touches that were cancelled.",
      .delivered: "Touches that a program got.",
      .strayEvents: "Events of contacts that were not down.",
      .orphaned: "Touches whose program disconnected.",
      .unknownTouches: "Programs accepted or declined a touch that they do not have.",
      .messages: "Messages of touches that were queued.",
      .violations: "Mistakes of the daemon that its checker found. It must stay 0.",
      .coalesced: "Frames that were merged into one that was not sent yet.",
      .droppedSamples: "Samples that were dropped from a full history.",
      .unresponsive: "Times that a program became unresponsive.",
      .passedOn: "Touches that went on after a program had declined them.",
      .lateDeclines: "Programs declined a touch too late.",
      .injected: "Touches that a tool injected.",
      .lostLogLines: "Lines that the log's reader did not take.",
      .omittedLogLines: "Lines that were left out, over the limit of a user.",
    ]
  }
}
