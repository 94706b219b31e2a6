import Foundation
import TestSupport
import Testing

/// What `inject`, `rehearse` and examples/virtual-finger.c make of one script.
@Suite("The dialect of scripts")
struct ScriptDialectTests {
  private static let script = """
    # a finger that taps, one that stays, one that goes
    tap 400 240
    tap 40 50 20   # shorter
    press 10 20 30
    swipe 100 100 300 200 50
    began 0 1 2
    began 1 700 400
    frame
    wait 1
    moved 0 3 4
    frame
    ended 0
    ended 1
    frame

    """

  /// libevdev as far as the example needs it: what it writes is printed.
  private static let uinput = """
    #include <linux/input.h>
    #include <stdio.h>
    #define LIBEVDEV_UINPUT_OPEN_MANAGED -2
    struct libevdev;
    struct libevdev_uinput;
    static inline int libevdev_uinput_write_event(const struct libevdev_uinput *it, unsigned type,
                                                  unsigned code, int value) {
      (void)it;
      return printf("%u %u %d\\n", type, code, value) > 0 ? 0 : -1;
    }
    static inline struct libevdev *libevdev_new(void) { return 0; }
    static inline void libevdev_free(struct libevdev *it) { (void)it; }
    static inline void libevdev_set_name(struct libevdev *it, const char *name) {
      (void)it, (void)name;
    }
    static inline void libevdev_set_id_bustype(struct libevdev *it, int bus) {
      (void)it, (void)bus;
    }
    static inline int libevdev_enable_property(struct libevdev *it, unsigned p) {
      return (void)it, (int)p;
    }
    static inline int libevdev_enable_event_code(struct libevdev *it, unsigned t, unsigned c,
                                                 const void *data) {
      return (void)it, (void)t, (void)c, data == 0;
    }
    static inline int libevdev_uinput_create_from_device(const struct libevdev *it, int fd,
                                                         struct libevdev_uinput **made) {
      return (void)it, (void)fd, *made = 0, 0;
    }
    static inline void libevdev_uinput_destroy(struct libevdev_uinput *it) { (void)it; }
    static inline const char *libevdev_uinput_get_devnode(struct libevdev_uinput *it) {
      return (void)it, "the node";
    }

    """

  @Test("one script is the same fingers for inject, rehearse and virtual-finger")
  func same() throws {
    let house = try House("[screen.panel]\nsize = [800, 480]\n[[window]]\nname = \"home\"\n")
    try house.directory.write("script.txt", Self.script)
    let rehearsed = try Command.run(
      ["rehearse", "-c", "touchroute.toml", "--program", "home", "--json", "script.txt"],
      in: house.directory.url)
    #expect(rehearsed.errors == "")
    let expected = try Self.touches(ofJSON: rehearsed.output)
    #expect(expected.count == 19)
    let listener = try house.start("listen", "--json", "--socket", house.clientSocket, "home")
    _ = try listener.waitForLines(1)
    let played = try house.start(shell: "touchroute inject script.txt").waitForEnd()
    #expect(played.status == 0, "\(played)")
    let finger = try Self.virtualFinger(in: house.directory, Self.script)
    #expect(finger.status == 0, "\(finger)")
    #expect(Self.touches(ofEvents: finger.output) == expected)
    try house.turn({ listener.output }) {
      listener.poll()
      return listener.output.components(separatedBy: "\"phase\":\"ended\"").count == 7
    }
    // Moves are merged where they are not read at once (F2).
    let ends = expected.filter { !$0.hasPrefix("moved") }
    #expect(try Self.injected(listener.lines).filter { !$0.hasPrefix("moved") } == ends)
  }

  @Test("a script that comes to very many frames is refused at the line that is too much")
  func tooLong() throws {
    let house = try House()
    let swipes = String(repeating: "swipe 0 0 100 100 600000\n", count: 20)
    try house.directory.write("script.txt", swipes)
    let result = try Command.run(
      ["rehearse", "-c", "touchroute.toml", "script.txt"], in: house.directory.url)
    #expect(result.status == 1 && result.output == "")
    #expect(result.errors.contains("script.txt:7:"), "\(result)")
    #expect(result.errors.contains("more than 1000000 frames and pauses"), "\(result)")
  }

  @Test(
    "what is wrong in a script is refused by each of the three",
    arguments: [
      "tap 1", "tap 1 2 3 4", "press 1 2 -3", "swipe 1 2 3", "tap a b", "tap 1 nan", "jump 1",
    ])
  func refused(_ line: String) throws {
    let house = try House()
    try house.directory.write("script.txt", "\(line)\n")
    let form = [
      "t": "tap X Y [MILLISECONDS]", "p": "press X Y [MILLISECONDS]",
      "s": "swipe X1 Y1 X2 Y2 [MILLISECONDS]", "j": "\"jump\" is none of ",
    ][String(line.prefix(1))]
    for command in [
      ["rehearse", "-c", "touchroute.toml", "script.txt"],
      ["inject", "--socket", house.controlSocket, "script.txt"],
    ] {
      let result = try Command.run(command, in: house.directory.url)
      #expect(result.status == 1 && result.errors.contains("script.txt:1:"), "\(result)")
      #expect(result.errors.contains(form ?? "?"), "\(result)")
    }
    let finger = try Self.virtualFinger(in: house.directory, "\(line)\n")
    #expect(finger.status == 1)
    #expect(finger.errors == "virtual-finger: line 1: unknown command \"\(line)\"\n")
  }

  @Test("virtual-finger still reads the words of before")
  func before() throws {
    let directory = try TemporaryDirectory()
    let now = "began 1 5 6\nframe\nmoved 1 7 8\nframe\nended 1\nframe\nswipe 1 1 9 9 20\n"
    let then = "down 1 5 6\nframe\nmove 1 7 8\nframe\nup 1\nframe\ndrag 0 1 1 9 9 20\n"
    let results = try [now, then].map { try Self.virtualFinger(in: directory, $0) }
    #expect(results[0].status == 0 && results[0].output == results[1].output)
  }

  private static func virtualFinger(
    in directory: TemporaryDirectory, _ script: String
  ) throws -> Command.Result {
    for name in ["libevdev.h", "libevdev-uinput.h"] {
      try directory.write(
        "include/libevdev/\(name)", name == "libevdev.h" ? "#pragma once\n\(uinput)" : "")
    }
    try directory.write("commands", script)
    let source = Repository.root.appending(path: "examples/virtual-finger.c").path
    let run = """
      cc -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror -I include -o finger "$1" -include \
      libevdev/libevdev.h && exec ./finger 800 480 <commands
      """
    return try RunningProgram.run(
      URL(filePath: "/bin/sh"), ["-c", run, "sh", source], in: directory.url)
  }

  private typealias Touch = String

  private static func touches(ofJSON text: String) throws -> [Touch] {
    try text.split(separator: "\n").compactMap { line -> Touch? in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let object, object["event"] as? String == "touch" else { return nil }
      return word(object["phase"], object["x"], object["y"])
    }
  }

  /// Those of listen's lines that changed.
  private static func injected(_ lines: [String]) throws -> [Touch] {
    try lines.flatMap { line -> [Touch] in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let touches = object?["touches"] as? [[String: Any]] ?? []
      return touches.filter { $0["phase"] as? String != "stationary" }.map { touch in
        let place = touch["window_location"] as? [Double] ?? []
        return word(touch["phase"], place.first, place.last)
      }
    }
  }

  /// The touches that the kernel would make of events.
  private static func touches(ofEvents text: String) -> [Touch] {
    var places: [Int: (x: Int, y: Int)] = [:]
    var changes: [Int: String] = [:]
    var slot = 0
    var touches: [Touch] = []
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 3 else { continue }
      switch (numbers[0], numbers[1]) {
      case (3, 0x2f): slot = numbers[2]
      case (3, 0x39): changes[slot] = numbers[2] < 0 ? "ended" : "began"
      case (3, 0x35):
        places[slot, default: (0, 0)].x = numbers[2]
        changes[slot] = changes[slot] ?? "moved"
      case (3, 0x36): places[slot, default: (0, 0)].y = numbers[2]
      case (0, 0):
        for (slot, change) in changes.sorted(by: { $0.key < $1.key }) {
          touches.append(word(change, places[slot]?.x, places[slot]?.y))
        }
        changes = [:]
      default: break
      }
    }
    return touches
  }

  /// A touchscreen has whole numbers.
  private static func word(_ phase: Any?, _ x: Any?, _ y: Any?) -> Touch {
    func whole(_ number: Any?) -> Int {
      let value = (number as? Int).map(Double.init) ?? number as? Double ?? -1
      return Int(value.rounded())
    }
    return "\(phase ?? "?") \(whole(x)) \(whole(y))"
  }
}
