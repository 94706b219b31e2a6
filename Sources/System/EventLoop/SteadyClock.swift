/// A clock that never goes back, whatever the one that it reads does: durations are differences,
/// and a negative one would end the daemon.
struct SteadyClock {
  private var latest: UInt64 = 0

  /// The present, by what a clock says, in microseconds.
  mutating func take(_ reading: UInt64) -> UInt64 {
    latest = max(latest, reading)
    return latest
  }
}
