import DaemonSupport
import Foundation
import TestSupport
import Testing
import VirtualDevices

/// `touchroute output uinput` as a process of its own, and who reads its device.
final class OutputProcess {
  let program: RunningProgram

  /// Starts it, without waiting for anything.
  init(_ daemon: DaemonProcess, _ arguments: String...) throws {
    program = try RunningProgram(
      Repository.program("touchroute"),
      ["output", "uinput", "--socket", daemon.socket] + arguments)
  }

  /// The nodes of its devices, in their order.
  var nodes: [String] {
    program.lines.compactMap { line in
      line.split(separator: " ").first { $0.hasPrefix("/dev/input/event") }
        .map { String($0.drop { $0 == "," }.prefix { $0 != "," }) }
    }
  }

  /// Waits for its how manieth device; 30 seconds are the bound of failure.
  func node(_ count: Int = 1) throws -> String {
    for _ in 0..<3000 {
      if nodes.count >= count { return nodes[count - 1] }
      guard program.isRunning else { break }
      usleep(10_000)
    }
    throw Missing("device \(count) of an output: \(program.isRunning ? [] : [program.finish()])")
  }

  /// A reader of its first device, which keeps this process.
  func reader() throws -> DeviceReader { try DeviceReader(node(), of: self) }
}

/// The project's own rules of udev's, for udevd of the guest, until they are removed.
struct ShippedRules {
  private static let names = ["70-touchroute.rules", "99-touchroute-output.rules"]

  init() throws {
    try FileManager.default.createDirectory(
      atPath: "/run/udev/rules.d", withIntermediateDirectories: true)
    for name in Self.names {
      try? FileManager.default.removeItem(atPath: "/run/udev/rules.d/\(name)")
      try FileManager.default.copyItem(
        atPath: Repository.root.appending(path: "systemd/udev/\(name)").path,
        toPath: "/run/udev/rules.d/\(name)")
    }
    try reloadRules()
  }

  func remove() {
    for name in Self.names { unlink("/run/udev/rules.d/\(name)") }
    try? reloadRules()
  }
}

/// The rules of udev's that keep the panel off everybody's seat, and outputs on it.
struct SeatRules {
  private let shipped: ShippedRules
  private let seat: UdevRuleFile

  init() throws {
    shipped = try ShippedRules()
    let rule = Repository.root.appending(path: "systemd/seat/72-touchroute-seat.rules")
    let text = try String(contentsOf: rule, encoding: .utf8)
    // The guest has no user of that name.
    seat = try UdevRuleFile(text.replacing("OWNER=\"touchroute\"", with: "OWNER=\"root\""))
  }

  func remove() {
    seat.remove()
    shipped.remove()
  }
}
