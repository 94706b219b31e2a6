import DeviceRecordings
import Examination
import TestSupport
import TouchModel
import TouchScripts

/// The bytes of a file of evemu's or libinput's, as `play` and as `doctor --replay` read it. One
/// that is refused is refused with its name; of one that is good each finger goes down before it
/// moves, and is lifted at most once.
struct RecordingInput {
  private let input: [UInt8]

  init(_ input: [UInt8]) { self.input = input }

  func play() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("recording", input)
    if let recording = try recording(file) {
      try check(recording.lines(on: 0, size: Size(width: 800, height: 480)))
    }
    try examine(file)
  }

  /// What is played; nil where it is refused.
  private func recording(_ file: String) throws -> PlayedRecording? {
    do throws(ScriptError) { return try PlayedRecording(file: file) } catch {
      guard error.sentence.hasPrefix(file) else {
        throw Finding("refused without a name: \(error.sentence)")
      }
      return nil
    }
  }

  private func check(_ frames: [RecordedFrame]) throws {
    var live: Set<UInt64> = []
    var known: Set<UInt64> = []
    for touch in frames.flatMap(\.touches) {
      let isGood =
        switch touch.phase {
        case "began": live.insert(touch.id).inserted && known.insert(touch.id).inserted
        case "moved": live.contains(touch.id)
        case "ended": live.remove(touch.id) != nil
        default: false
        }
      guard isGood, touch.at?.allSatisfy(\.isFinite) == true else {
        throw Finding("touch \(touch.id) \(touch.phase) out of turn")
      }
    }
  }

  /// Whatever it says, there is an answer to it.
  private func examine(_ file: String) throws {
    var reader = DeviceFileReader()
    do {
      let lines = try TextLines(file: file, lengthLimit: PlayedRecording.lineLimit)
      while let line = try lines.next() { try reader.read(line) }
      let recording = try ExaminedRecording(reader)
      let region = Rect(x: 0, y: 0, width: 800, height: 480)
      guard !Examination(recording, in: region).verdicts.isEmpty else {
        throw Finding("an examination without a verdict")
      }
    } catch is ScriptError {} catch is DeviceFileReader.Problem {}
  }
}
