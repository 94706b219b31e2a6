import Glibc

/// A touchscreen that is taken from the system for a moment: its driver is unbound and bound again,
/// or its USB port is turned off and on. Rule N11.
package struct Interruption: Equatable, Sendable {
  /// What is done.
  package let means: RecoveryMeans
  /// The folder of the device that goes and comes back.
  let device: String
  let offFile: String
  let onFile: String
  let off: String
  let on: String

  /// How long it stays off, in microseconds: a port's capacitors need time to run empty.
  private var pause: UInt32 { means == .port ? 2_000_000 : 500_000 }
  /// A controller that has just got its power may not answer at once.
  private static let attempts = 5
  private static let attemptMicroseconds: UInt32 = 1_000_000

  /// Takes the device from the system and gives it back. Blocks for some seconds.
  ///
  /// - Parameters:
  ///   - keep: Is told that it is off, before it is, and that it is on again.
  ///   - wait: Sleeps so many microseconds.
  /// - Returns: What was done, in words.
  package func carryOut(
    keep: (Interruption?) throws(RecoveryError) -> Void,
    wait: (UInt32) -> Void = { usleep($0) }
  ) throws(RecoveryError) -> String {
    do { try keep(self) } catch {
      throw RecoveryError(error.sentence, hasDoneNothing: true)
    }
    let code = Sysfs.write(off, to: offFile)
    guard code == 0 else {
      try keep(nil)
      throw RecoveryError(refusal(code), hasDoneNothing: true)
    }
    wait(pause)
    return try finish(keep: keep, wait: wait)
  }

  /// Gives the device back, where that has not been done.
  package func finish(
    keep: (Interruption?) throws(RecoveryError) -> Void,
    wait: (UInt32) -> Void = { usleep($0) }
  ) throws(RecoveryError) -> String {
    var code: CInt = 0
    for attempt in 1...Self.attempts {
      // Unplugged meanwhile: nothing is left to bind. A port stays.
      if means == .driver, !Sysfs.exists(device) {
        try keep(nil)
        throw RecoveryError("\(device) is gone: it was unplugged while its driver was unbound")
      }
      if means == .driver, Sysfs.exists("\(device)/driver") { break }
      code = Sysfs.write(on, to: onFile)
      if code == 0 || code == EBUSY { break }
      if attempt < Self.attempts { wait(Self.attemptMicroseconds) }
    }
    guard code == 0 || code == EBUSY else {
      // Kept: the next start tries again.
      throw RecoveryError(
        "\(onFile) has refused \"\(on)\" \(Self.attempts) times (\(Sysfs.words(code))): the "
          + "touchscreen stays off until it is unplugged and plugged in, or that file takes it")
    }
    try keep(nil)
    return means == .driver
      ? "unbound \(Sysfs.name(of: device)) from its driver "
        + "\(Sysfs.name(of: Sysfs.parent(of: onFile))), and bound it again"
      : "turned \(Sysfs.name(of: Sysfs.parent(of: onFile))) off and on, the USB port of "
        + "\(Sysfs.name(of: device))"
  }

  private func refusal(_ code: CInt) -> String {
    switch code {
    case EACCES, EPERM: "\(offFile) can't be written (\(Sysfs.words(code))): run it as root"
    case EROFS: "\(offFile) can't be written: /sys is mounted read-only"
    case ENODEV, ENOENT, ENXIO: "\(device) is gone, or has no driver any more"
    default: "\(offFile) has refused \"\(off)\": \(Sysfs.words(code))"
    }
  }
}

extension Interruption {
  /// One line of words without blanks, to be kept; nil where it can't be one.
  var line: String? {
    let words = [means.rawValue, device, offFile, onFile, off, on]
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.utf8.allSatisfy { $0 > UInt8(ascii: " ") && $0 != 0x7f }
    }
    return isPlain ? words.joined(separator: " ") : nil
  }

  /// Of such a line; nil where it is none.
  init?(line: Substring) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 6, let means = RecoveryMeans(rawValue: words[0]) else { return nil }
    self.init(
      means: means, device: words[1], offFile: words[2], onFile: words[3], off: words[4],
      on: words[5])
  }
}
