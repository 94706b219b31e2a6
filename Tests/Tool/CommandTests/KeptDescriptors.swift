import DaemonSupport
import Glibc
import TestSupport
import Testing

/// The descriptors that a daemon leaves to its service manager, by their names; closed with this.
final class KeptDescriptors {
  fileprivate(set) var all: [(name: String, descriptor: Int32)] = []

  /// Those of one name.
  func named(_ name: String) -> [Int32] { all.filter { $0.name == name }.map(\.descriptor) }

  /// What a service manager does to pass them on, with ``DaemonProcess``'s `passing`.
  var prelude: String {
    "export LISTEN_PID=$$ LISTEN_FDS=\(all.count) "
      + "LISTEN_FDNAMES=\(all.map(\.name).joined(separator: ":"))"
  }

  deinit { for kept in all { close(kept.descriptor) } }
}

extension DaemonProcess {
  /// What a service manager does that keeps descriptors of the daemon.
  static let keeping = "export FDSTORE=16"

  /// Starts the daemon that goes on for this one, which has ended, with what it has left.
  func successor(with kept: KeptDescriptors, _ text: String = panel) throws -> DaemonProcess {
    try .started(
      text, in: directory, prelude: "\(Self.keeping)\n\(kept.prelude)",
      passing: kept.all.map(\.descriptor))
  }

  /// Ends it with SIGTERM; what it has left until it was gone.
  func stopKeeping() throws -> KeptDescriptors {
    #expect(try stop() == 0)
    let kept = KeptDescriptors()
    while let (text, descriptors) = notifications.next(seconds: 0) {
      let lines = text.split(separator: "\n")
      guard lines.contains("FDSTORE=1") else { continue }
      let name = try #require(lines.first { $0.hasPrefix("FDNAME=") }).dropFirst(7)
      kept.all += descriptors.map { (String(name), $0) }
    }
    return kept
  }
}
