import Glibc

/// Nanoseconds for which this thread has run: on a machine that is not idle, what others run
/// between is not counted.
public func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Nanoseconds since some moment, whoever runs.
public func wallTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The one in the middle.
public func median(_ numbers: [Double]) -> Double {
  let sorted = numbers.sorted()
  return sorted[sorted.count / 2]
}

/// A number with so many decimals.
public func fixed(_ number: Double, _ decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let whole = Int((number * scale).rounded())
  guard decimals > 0 else { return "\(whole)" }
  let fraction = String(whole % Int(scale))
  return "\(whole / Int(scale))."
    + String(repeating: "0", count: decimals - fraction.count) + fraction
}
