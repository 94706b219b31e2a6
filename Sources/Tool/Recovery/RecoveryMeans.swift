/// What recovers a touchscreen.
package enum RecoveryMeans: String, CaseIterable, Sendable {
  /// Its driver is unbound, and bound again.
  case driver
  /// Its USB port is turned off, and on again.
  case port
}
