package import TouchModel

/// A touchscreen that is known to need filters, where the configuration names none for it. Rule
/// N13.
///
/// Only what others have written down of a device may stand here, with where.
package struct KnownPanel: Equatable, Sendable {
  /// Which touchscreens.
  package let match: DeviceRule.Match
  /// What they need.
  package let signal: SignalSettings
  /// Where that is known from.
  package let source: String

  /// All of them; the first one that matches counts.
  package static let all = [
    // The controller of TI's AM335x, as on the BeagleBone, with a resistive panel: as the pressure
    // falls, single points lie far off. Its driver names the device so.
    KnownPanel(name: "ti-tsc", source: "github.com/beagleboard/linux issue 14, pull request 122") {
      $0.smoothing = .median(depth: SignalDefaults.medianDepth)
    }
  ]

  private init(
    name: String, source: String, _ change: (inout SignalSettings) -> Void
  ) {
    match = DeviceRule.Match(name: name)
    self.source = source
    var signal = SignalSettings()
    change(&signal)
    self.signal = signal
  }
}
