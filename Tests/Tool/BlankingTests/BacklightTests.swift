import Foundation
import Glibc
import TestSupport
import Testing

@testable import Blanking

@Suite("A backlight")
struct BacklightTests {
  private let files: TemporaryDirectory
  private let kept: KeptFile

  init() throws {
    files = try TemporaryDirectory()
    kept = KeptFile(in: files.path, for: "panel")
  }

  private func add(_ name: String, brightness: Int = 80, maximum: String = "100") throws {
    try files.write("lights/\(name)/max_brightness", "\(maximum)\n")
    try files.write("lights/\(name)/brightness", "\(brightness)\n")
    try files.write("lights/\(name)/bl_power", "0\n")
  }

  private func number(_ name: String) -> Int? {
    let text = try? String(contentsOfFile: files.file("lights/panel/\(name)"), encoding: .utf8)
    return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  private func light(warn: @escaping (String) -> Void = { _ in }) throws -> FadedBacklight {
    let backlight = try Backlight(in: files.file("lights"), named: nil)
    return FadedBacklight(backlight, dimmedTo: 25, kept: kept, warn: warn)
  }

  private func sentence(_ name: String? = nil) -> String {
    do throws(BlankingError) {
      _ = try Backlight(in: files.file("lights"), named: name)
      return ""
    } catch { return error.sentence.replacing(files.path, with: "") }
  }

  @Test("none, two, one of another name and one without a number are said with what to do")
  func found() throws {
    #expect(sentence().hasPrefix("there is no backlight in /lights: say which commands turn"))
    try add("panel")
    #expect(sentence() == "")
    #expect(sentence("pannel") == "there is no backlight \"pannel\" in /lights, only panel")
    try add("acpi", maximum: "no")
    #expect(
      sentence() == "there are 2 backlights in /lights, acpi, panel: name one, as in light acpi")
    #expect(sentence("panel") == "")
    #expect(
      sentence("acpi")
        == "/lights/acpi/max_brightness has no number from 1 to 2147483647")
  }

  @Test("it fades off in 300 ms, by its steps alone, and is on at once (D2)")
  func fades() throws {
    try add("panel")
    let light = try light()
    #expect(light.isSettled && light.nextDeadline == nil)
    var now: UInt64 = 5_000_000_000
    light.set(.off, at: now)
    #expect(kept.number == 80)
    var seen: [Int] = []
    while let due = light.nextDeadline {
      now = due
      light.advance(to: now)
      seen.append(try #require(number("brightness")))
    }
    #expect(now - 5_000_000_000 == FadedBacklight.duration)
    #expect(seen.count == 20 && seen == seen.sorted(by: >) && seen.last == 0)
    #expect(light.isSettled && number("bl_power") == 4)
    light.set(.full, at: now)
    #expect(light.isSettled && number("brightness") == 80 && number("bl_power") == 0)
    #expect(kept.number == nil)
  }

  @Test("dimmed it has its share of what it was, which its user may change while it is full")
  func dims() throws {
    try add("panel")
    let light = try light()
    for (brightness, dimmed) in [(80, 20), (40, 10), (1, 1)] {
      try add("panel", brightness: brightness)
      light.set(.dim, at: 0)
      light.advance(to: FadedBacklight.duration)
      #expect(number("brightness") == dimmed)
      light.set(.full, at: 1_000_000_000)
      light.advance(to: 1_000_000_000 + FadedBacklight.duration)
      #expect(number("brightness") == brightness && kept.number == nil)
    }
  }

  @Test("what a killed process has left dimmed or off is as bright as before, or on at least")
  func recovers() throws {
    try add("panel", brightness: 70)
    do {
      let light = try light()
      light.set(.off, at: 0)
      light.advance(to: FadedBacklight.duration)
    }
    #expect(number("brightness") == 0 && number("bl_power") == 4)
    _ = try light()
    #expect(number("brightness") == 70 && number("bl_power") == 0 && kept.number == nil)
    try add("panel", brightness: 0)
    _ = try light()
    #expect(number("brightness") == 100)
    // A number that no light can have says nothing.
    try kept.keep(4_000)
    try add("panel", brightness: 60)
    _ = try light()
    #expect(number("brightness") == 60)
  }

  @Test("one that can't be written is said once, and once more after it could be")
  func broken() throws {
    try add("panel")
    var told: [String] = []
    let light = try light { told.append($0) }
    let file = files.file("lights/panel/brightness")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
    light.set(.off, at: 0)
    light.advance(to: 100_000_000)
    light.advance(to: 200_000_000)
    #expect(told == ["\(file) can't be written: Is a directory"])
    rmdir(file)
    try files.write("lights/panel/brightness", "5\n")
    light.advance(to: FadedBacklight.duration)
    #expect(light.isSettled && number("brightness") == 0)
  }

  @Test("one that can't be turned on is not on until it can be, and is as bright as before (D2)")
  func wakesLater() throws {
    try add("panel")
    let light = try light()
    light.set(.off, at: 0)
    light.advance(to: FadedBacklight.duration)
    let file = files.file("lights/panel/brightness")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
    light.set(.full, at: 1_000_000_000)
    #expect(!light.isSettled && kept.number == 80)
    let due = try #require(light.nextDeadline)
    light.advance(to: due)
    #expect(!light.isSettled && light.nextDeadline ?? 0 > due)
    rmdir(file)
    try files.write("lights/panel/brightness", "0\n")
    light.advance(to: light.nextDeadline ?? 0)
    #expect(light.isSettled && light.nextDeadline == nil)
    #expect(number("brightness") == 80 && kept.number == nil)
  }
}
