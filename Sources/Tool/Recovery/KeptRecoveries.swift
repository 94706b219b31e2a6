import Glibc

/// A small file that outlives the process: when touchscreens were recovered, and which one is off.
///
/// So a helper that is ended half-way gives the touchscreen back at its next start, and one that
/// crashes again and again recovers no more often than it may.
package struct KeptRecoveries {
  private let path: String?
  private static let mostBytes = 8192

  /// - Parameter folder: A folder of this user's alone that the next boot finds empty; nil keeps
  ///   nothing.
  package init(in folder: String?) { path = folder.map { "\($0)/recoveries" } }

  /// The folder that systemd names by RUNTIME_DIRECTORY. The unit has one, and a colon is part of
  /// its name: `touchroute-recover@0eef:0001`.
  package static var folder: String? { folder(named: getenv("RUNTIME_DIRECTORY")) }

  static func folder(named value: UnsafePointer<CChar>?) -> String? {
    value.map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// What was kept by that time. Lines that are none of ours, as of times to come, are left out.
  package func read(at now: UInt64) -> (times: [UInt64], interruption: Interruption?) {
    var times: [UInt64] = []
    var interruption: Interruption?
    for line in lines {
      if line.hasPrefix(Self.off) {
        interruption = Interruption(line: line.dropFirst(Self.off.count))
      } else if let time = UInt64(line), time <= now {
        times.append(time)
      }
    }
    return (times, interruption)
  }

  private static let off = "off "

  private var lines: [Substring] {
    guard let path else { return [] }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n")
  }

  /// Keeps this instead.
  package func keep(_ times: [UInt64], _ interruption: Interruption?) throws(RecoveryError) {
    guard let path else { return }
    var text = times.map { "\($0)\n" }.joined()
    if let line = interruption?.line { text += "\(Self.off)\(line)\n" }
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let bytes = Array(text.utf8)
    let isWritten = descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count
    let code = errno
    if descriptor >= 0 { close(descriptor) }
    guard isWritten, rename(new, path) == 0 else {
      throw RecoveryError("\(path) can't be written: \(Sysfs.words(isWritten ? errno : code))")
    }
  }
}
