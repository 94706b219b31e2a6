import Testing
import TouchModel

@testable import DeviceRecordings

@Suite("Files of what a touchscreen reported")
struct DeviceFileReaderTests {
  private func read(_ text: String) throws -> DeviceFileReader {
    var reader = DeviceFileReader()
    for line in text.split(separator: "\n") { try reader.read(String(line)) }
    return reader
  }

  private func problem(_ text: String) -> String {
    do {
      _ = try read(text)
      return ""
    } catch let problem as DeviceFileReader.Problem { return problem.sentence } catch { return "?" }
  }

  /// As `libinput record` 1.22 writes it.
  private static let libinput = """
    # libinput record
    version: 1
    ndevices: 1
    libinput:
      version: "1.22.1"
      git: "unknown"
    system:
      dmi: "dmi:bvnSome:N:vendor"
    devices:
    - node: /dev/input/event0
      evdev:
        # Name: Panel #2 "wide"
        # Size in mm: 79x47
        name: "Panel #2 "wide""
        id: [3, 1046, 911, 1]
        codes:
          0: [0, 1, 2] # EV_SYN
          3: [47, 53, 54, 57] # EV_ABS
        absinfo:
          47: [0, 9, 0, 0, 0]
          53: [-5, 799, 0, 0, 10]
          54: [0, 479, 2, 1, 11]
        properties: [1]
      hid: [5, 13, 9]
      udev:
        properties:
        - ID_INPUT=1
      quirks:
      events:
      # Current time is 14:46:48
      - evdev:
        - [  0,      0,   3,  57,       0] # EV_ABS / ABS_MT_TRACKING_ID        0
        - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ----------
      - evdev:
        - [ 71,  23218,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID       -1
                                           # Touch device in neutral state
    """

  @Test("a recording of libinput's has its device, its axes and its events read")
  func libinput() throws {
    let reader = try read(Self.libinput)
    #expect(reader.name == "Panel #2 \"wide\"" && reader.isKnown)
    #expect(reader.vendor == 0x416 && reader.product == 0x38f)
    #expect(
      reader.axes == [
        47: EvdevAxis(minimum: 0, maximum: 9),
        53: EvdevAxis(minimum: -5, maximum: 799, resolution: 10),
        54: EvdevAxis(minimum: 0, maximum: 479, resolution: 11),
      ])
    #expect(
      reader.events == [
        EvdevEvent(time: Timestamp(microseconds: 0), type: 3, code: 57, value: 0),
        EvdevEvent(time: Timestamp(microseconds: 0), type: 0, code: 0, value: 0),
        EvdevEvent(time: Timestamp(microseconds: 71_023_218), type: 3, code: 57, value: -1),
      ])
  }

  @Test("a file of evemu's has the same read, a number sign in the name included")
  func evemu() throws {
    let reader = try read(
      """
      # EVEMU 1.3
      N: Panel #2 \t
      I: 0018 0416 038f 0001
      P: 02 00 00 00 00 00 00 00
      B: 00 0b 00 00 00 00 00 00 00
      A: 35 -5 799 0 0 10
      E: 0.000001 0003 0039 0003\t# EV_ABS
      """)
    #expect(reader.name == "Panel #2" && reader.vendor == 0x416 && reader.product == 0x38f)
    #expect(reader.axes == [53: EvdevAxis(minimum: -5, maximum: 799, resolution: 10)])
    #expect(
      reader.events == [
        EvdevEvent(time: Timestamp(microseconds: 1), type: 3, code: 57, value: 3)
      ])
  }

  @Test("a recording takes its device from a description, which it may have once more itself")
  func described() throws {
    let description = try read("N: Panel\nA: 35 0 799 0 0 10")
    for text in ["E: 1.000000 0003 0035 5", "N: Panel\nE: 1.000000 0003 0035 5"] {
      var reader = DeviceFileReader(describedBy: description)
      for line in text.split(separator: "\n") { try reader.read(String(line)) }
      #expect(reader.name == "Panel" && reader.axes.count == 1 && reader.events.count == 1)
    }
  }

  @Test("what is no such file is refused, and so is each malformed line")
  func bad() {
    #expect(problem("hello").hasPrefix("a line of an evemu file begins with N:"))
    #expect(problem("# EVEMU 1.3\nhello").hasPrefix("a line of an evemu file begins with N:"))
    #expect(problem("E: 1.5 0003 0000 1") == "it must be E: SECONDS TYPE CODE VALUE")
    #expect(problem("E: 1.000000 0003 zz 1") == "it must be E: SECONDS TYPE CODE VALUE")
    for axis in ["A: 35 0", "A: 35 0 1e300 0 0 0", "A: 35 0 nan 0 0 0", "A: 35 0 9 0 0 inf"] {
      #expect(problem(axis) == "it must be A: CODE MINIMUM MAXIMUM FUZZ FLAT [RESOLUTION]")
    }
    #expect(problem("I: 0018") == "it must be I: BUS VENDOR PRODUCT VERSION, in hexadecimal")
    #expect(problem("N: a\nN: b") == "a second device begins here: one is read")
    #expect(problem("version: 2") == "this is version 2 of libinput's recordings: 1 is read")
    let start = "version: 1\ndevices:\n- node: /dev/input/event0\n  evdev:\n"
    #expect(problem(start + "- node: /dev/input/event1") == problem("N: a\nN: b"))
    #expect(problem(start + "    id: [3, 70000, 1, 1]").hasPrefix("it must be id: [BUS"))
    for axis in ["[0, 9, 0, 0]", "[0, 5000000000, 0, 0, 0]"] {
      #expect(
        problem(start + "    absinfo:\n      53: \(axis)").hasPrefix("it must be CODE: [MINIMUM"))
    }
    for event in ["[0, 0, 3, 57]", "[0, 0, 3, 57, 5000000000]", "[-1, 0, 3, 57, 1]", "(0)", "[0"] {
      #expect(
        problem(start + "  events:\n  - evdev:\n    - \(event)").isEmpty == (event == "(0)"),
        "\(event)")
    }
  }
}
