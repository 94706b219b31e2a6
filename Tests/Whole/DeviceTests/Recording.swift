import Foundation
import TestSupport
import Testing
import VirtualDevices

/// One of the recordings of real touchscreens that Recordings holds.
struct Recording: CustomTestStringConvertible, Sendable {
  var name: String
  var sheet: DeviceSheet
  var recording: EvemuRecording

  var testDescription: String { name }

  /// A device that reports BTN_TOOL_PEN beside BTN_TOUCH, and so is a tablet to udev.
  static let tablet = "eGalax Inc. USB TouchController.events"

  /// Those that udev takes for touchscreens.
  static let touchscreens = all.filter { $0.name != tablet }

  /// All that hold a device and at least one event.
  static let all: [Recording] = {
    guard let folder = Bundle.module.url(forResource: "Recordings", withExtension: nil) else {
      return []
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".events") }.sorted().compactMap { name in
      guard let recording = read(folder, name), !recording.entries.isEmpty else { return nil }
      // Events alone belong to the description of the same device.
      let sheet = recording.sheet ?? read(folder, owner(of: name, among: names))?.sheet
      return sheet.map { Recording(name: name, sheet: $0, recording: recording) }
    }
  }()

  /// The description with the longest name that begins the recording's.
  private static func owner(of name: String, among names: [String]) -> String {
    names.filter { $0.hasSuffix(".desc") && name.hasPrefix($0.dropLast(5)) }
      .max { $0.count < $1.count } ?? ""
  }

  private static func read(_ folder: URL, _ name: String) -> EvemuRecording? {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return nil }
    return try? EvemuRecording(Array(data))
  }
}
