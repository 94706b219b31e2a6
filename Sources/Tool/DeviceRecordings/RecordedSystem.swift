import Glibc
import TouchModel

/// The machine that a recording was made on, as `libinput record` says it.
package struct RecordedSystem: Equatable, Sendable {
  /// The system and its version, such as `debian:12`.
  package var os: String
  /// The kernel's release.
  package var kernel: String
  /// The hardware, by its DMI or its device tree.
  package var dmi: String

  /// A machine with that in it.
  package init(os: String, kernel: String, dmi: String) {
    self.os = os
    self.kernel = kernel
    self.dmi = dmi
  }

  /// This machine.
  package static var current: RecordedSystem {
    let release = SmallFile.text("/etc/os-release") ?? SmallFile.text("/usr/lib/os-release") ?? ""
    func value(_ key: String) -> String? {
      let line = release.split(separator: "\n").first { $0.hasPrefix("\(key)=") }
      return line.map { String($0.dropFirst(key.count + 1).filter { $0 != "\"" }) }
    }
    return RecordedSystem(
      os: "\(value("ID") ?? "unknown"):\(value("VERSION_ID") ?? "unknown")",
      kernel: SmallFile.line("/proc/sys/kernel/osrelease") ?? "unknown",
      dmi: SmallFile.line("/sys/class/dmi/id/modalias")
        ?? SmallFile.line("/sys/firmware/devicetree/base/model") ?? "unknown")
  }

  /// The HID report descriptor of the device at an event node; empty where it has none.
  package static func hidDescriptor(node: String) -> [UInt8] {
    let name = node.split(separator: "/").last ?? ""
    return SmallFile.bytes("/sys/class/input/\(name)/device/device/report_descriptor") ?? []
  }
}

/// Files of the kernel's and the system's that say a thing or two.
private enum SmallFile {
  /// At most 64 KiB of it; nil where it can't be read.
  static func bytes(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if more < 0 { return nil }
      if more == 0 { break }
      count += more
    }
    return Array(bytes[..<count])
  }

  static func text(_ path: String) -> String? {
    bytes(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Its first line, without a NUL at its end.
  static func line(_ path: String) -> String? {
    text(path)?.split { $0 == "\n" || $0 == "\0" }.first.map(String.init)
  }
}
