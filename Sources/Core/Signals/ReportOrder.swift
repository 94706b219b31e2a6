public import TouchModel

/// Puts the reports of several devices in the order of their times.
///
/// libinput empties one device after another. If the daemon is late, all that one touchscreen has
/// reported would come before what another one reported earlier, and the time would have run ahead
/// of that (rule G15). The reports of one device, and those of one time, stay in their order.
public struct ReportOrder {
  /// Events from one frame mark to the next, that included; or the loss of a device.
  private struct Report: BitwiseCopyable {
    let first: Int
    let end: Int
    let device: DeviceID
    let time: Timestamp
  }

  private var reports: ReusableArray<Report> = []
  private var unsorted: ReusableArray<DeviceEvent> = []

  /// With nothing in its memory, which later batches use again.
  public init() {}

  /// Sorts the events from an index on.
  public mutating func sort(_ events: inout ReusableArray<DeviceEvent>, from start: Int) {
    reports.removeAll()
    unsorted.removeAll()
    var isSorted = true
    var first = 0
    for event in events[start...] {
      unsorted.append(event)
      guard event.endsReport else { continue }
      let (device, time) = (event.device, event.time)
      isSorted = isSorted && reports.last.map { $0.time <= time } ?? true
      reports.append(Report(first: first, end: unsorted.count, device: device, time: time))
      first = unsorted.count
    }
    if isSorted { return }
    for index in reports.indices.dropFirst() { moveForward(index) }
    events.truncate(to: start)
    for report in reports {
      for index in report.first..<report.end { events.append(unsorted[index]) }
    }
    for index in first..<unsorted.count { events.append(unsorted[index]) }
  }

  /// Moves a report before those of other devices that were made later.
  private mutating func moveForward(_ index: Int) {
    let report = reports[index]
    var place = index
    while place > 0, reports[place - 1].time > report.time,
      reports[place - 1].device != report.device
    {
      reports[place] = reports[place - 1]
      place -= 1
    }
    reports[place] = report
  }
}

extension DeviceEvent {
  /// Whether a report ends with it.
  public var endsReport: Bool {
    switch self {
    case .frame, .lost: true
    case .down, .motion, .up, .cancel: false
    }
  }
}
