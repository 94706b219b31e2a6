import DeviceRecordings
import Testing
import TouchModel

@testable import Examination

@Suite("Recordings that are examined")
struct ExaminedRecordingTests {
  private func read(_ text: String) throws -> ExaminedRecording {
    var reader = DeviceFileReader()
    for line in text.split(separator: "\n") { try reader.read(String(line)) }
    return try ExaminedRecording(reader)
  }

  private func problem(_ text: String) -> String {
    do {
      _ = try read(text)
      return ""
    } catch let problem as DeviceFileReader.Problem { return problem.sentence } catch { return "?" }
  }

  private func words(_ recording: ExaminedRecording) -> [String] {
    recording.events(in: Rect(x: 0, y: 0, width: 100, height: 100)).compactMap { event in
      switch event {
      case .down(_, let slot, _, let point, _): "down \(slot) \(point.x) \(point.y)"
      case .motion(_, let slot, let point, _): "move \(slot) \(point.x) \(point.y)"
      case .up(_, let slot, _): "up \(slot)"
      case .frame, .cancel, .lost: nil
      }
    }
  }

  @Test("contacts in slots are followed, one that is replaced within a report too")
  func slots() throws {
    let recording = try read(
      """
      # EVEMU 1.3
      N: Some Panel\t
      I: 0018 0416 038f 0001
      A: 2f 0 9 0 0 0
      A: 35 0 99 0 0 10
      A: 36 0 199 0 0 10
      E: 0.000001 0003 0039 0003\t# EV_ABS
      E: 0.000001 0003 0035 0010
      E: 0.000001 0003 0036 0020
      E: 0.000001 0000 0000 0000
      E: 0.010000 0003 002f 0001
      E: 0.010000 0003 0039 0004
      E: 0.010000 0003 0035 0050
      E: 0.010000 0003 0036 0100
      E: 0.010000 0000 0000 0000
      E: 0.020000 0003 0039 -001
      E: 0.020000 0003 002f 0000
      E: 0.020000 0003 0035 0011
      E: 0.020000 0000 0000 0000
      """)
    #expect(recording.name == "Some Panel")
    #expect(recording.vendor == 0x416 && recording.product == 0x38f && recording.slotCount == 10)
    #expect(
      words(recording) == [
        "down 0 10.0 10.0", "down 1 50.0 50.0", "move 0 11.0 10.0", "up 1",
      ])
  }

  @Test("more contacts at a time than a touchscreen tells apart are refused, and not compared")
  func tooMany() {
    let axes = "A: 2f 0 9 0 0 0\nA: 35 0 99 0 0\nA: 36 0 99 0 0\n"
    func place(_ number: Int) -> String {
      "E: 0.000001 0003 0035 \(number)\nE: 0.000001 0003 0036 1\n"
    }
    let end = "E: 0.000001 0000 0000 0000\n"
    func slots(_ last: Int) -> String {
      axes + "E: 0.000001 0003 002f \(last)\nE: 0.000001 0003 0039 0003\n" + place(1) + end
    }
    func marks(_ count: Int) -> String {
      axes + (0..<count).map { place($0) + "E: 0.000001 0000 0002 0000\n" }.joined() + end
    }
    for text in [slots(255), marks(256)] { #expect(problem(text) == "") }
    for text in [slots(256), slots(-1), marks(257)] {
      #expect(problem(text).hasPrefix("it has more than 256 contacts at a time"))
    }
  }

  @Test("contacts without numbers are followed by where they are; and a single one by its key")
  func others() throws {
    let marks = try read(
      """
      A: 35 0 99 0 0
      A: 36 0 99 0 0
      E: 1.000000 0003 0035 10
      E: 1.000000 0003 0036 10
      E: 1.000000 0000 0002 0
      E: 1.000000 0003 0035 80
      E: 1.000000 0003 0036 80
      E: 1.000000 0000 0002 0
      E: 1.000000 0000 0000 0
      E: 1.010000 0003 0035 81
      E: 1.010000 0003 0036 80
      E: 1.010000 0000 0002 0
      E: 1.010000 0000 0000 0
      E: 1.020000 0000 0002 0
      E: 1.020000 0000 0000 0
      """)
    #expect(
      words(marks) == [
        "down 0 10.0 10.0", "down 1 80.0 80.0", "up 0", "move 1 81.0 80.0", "up 1",
      ])
    let single = try read(
      """
      A: 00 0 99 0 0
      A: 01 0 99 0 0
      E: 1.000000 0003 0000 10
      E: 1.000000 0003 0001 10
      E: 1.000000 0001 014a 1
      E: 1.000000 0000 0000 0
      E: 1.010000 0003 0000 12
      E: 1.010000 0000 0000 0
      E: 1.020000 0001 014a 0
      E: 1.020000 0000 0000 0
      """)
    #expect(words(single) == ["down 0 10.0 10.0", "move 0 12.0 10.0", "up 0"])
  }

  @Test("what is no recording of a touchscreen is refused")
  func bad() {
    #expect(
      problem("E: 1.000000 0001 001e 1\nE: 1.000000 0000 0000 0").hasPrefix(
        "no touchscreen has reported a contact in it"))
    #expect(problem("") == problem("N: nothing"))
  }

  @Test("lost events and a clock that goes back are counted")
  func mishaps() throws {
    let recording = try read(
      """
      A: 00 0 99 0 0
      A: 01 0 99 0 0
      E: 2.000000 0003 0000 10
      E: 2.000000 0003 0001 10
      E: 2.000000 0001 014a 1
      E: 2.000000 0000 0000 0
      E: 1.000000 0000 0003 0
      E: 1.000000 0001 014a 0
      E: 2.500000 0000 0000 0
      """)
    #expect(recording.dropCount == 1 && recording.backwardCount == 2)
  }

  @Test("a clock that jumps as far as it can, and a screen of no size, are examined (F4)")
  func extremes() throws {
    let head = """
      A: 00 0 4095 0 0
      A: 01 0 4095 0 0
      E: 0.000000 0003 0000 100
      E: 0.000000 0003 0001 100
      E: 0.000000 0001 014a 1
      E: 0.000000 0000 0000 0

      """
    let moves = (0..<400).map { number in
      let time = number.isMultiple(of: 2) ? "0.000000" : "1099500000000.000000"
      return "E: \(time) 0003 0000 \(101 + number)\nE: \(time) 0000 0000 0\n"
    }
    let recording = try read(head + moves.joined())
    for width in [800, Double.leastNonzeroMagnitude] {
      let region = Rect(x: 0, y: 0, width: width, height: 480)
      let examination = Examination(recording, in: region)
      #expect(examination.verdicts.contains { $0.fault == .rate })
    }
  }
}
