package import Signals
package import TouchModel

/// What filters make of the events of one device.
package struct FilteredStream {
  /// What is left of the events.
  package private(set) var events: [DeviceEvent] = []
  /// What the filters did.
  package let counts: SignalCounts

  /// Passes events through filters, up to a second after the last one: what then still waits is
  /// done.
  package init(
    of events: [DeviceEvent], through settings: SignalSettings, in region: Rect,
    of device: DeviceID = DeviceID(1)
  ) {
    var stage = SignalStage()
    var filtered: ReusableArray<DeviceEvent> = []
    stage.configure(device, settings, region: region, into: &filtered)
    stage.take(ReusableArray(events), into: &filtered)
    if case .frame(_, let time)? = events.last {
      stage.advance(to: time.adding(milliseconds: 1_000), into: &filtered)
    }
    counts = stage.counts(of: device) ?? SignalCounts()
    self.events = Array(filtered)
  }
}
