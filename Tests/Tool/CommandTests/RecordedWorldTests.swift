import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// Records of random worlds, made by the built daemon and real programs.
@Suite("Records of random worlds")
struct RecordedWorldTests {
  private static let layout = """
    [screen.panel]
    size = [400, 400]
    [[window]]
    name = "a"
    application = "app"
    [[view]]
    path = "a/list"
    frame = [0, 0, 300, 300]
    controller = "c"
    [[view]]
    path = "a/list/x"
    frame = [20, 20, 120, 120]
    multiple_touch = false
    [[view]]
    path = "a/list/y"
    frame = [100, 100, 150, 150]
    transform = { rotate = 20 }
    [[window]]
    name = "b"
    frame = [200, 150, 200, 250]
    [[view]]
    path = "b/z"
    frame = [10, 10, 100, 100]
    exclusive_touch = true
    [[gesture]]
    view = "a/list"
    name = "scroll"
    kind = "pan"
    direction = "vertical"
    [[gesture]]
    view = "a/list"
    name = "tap"
    kind = "tap"
    after = ["a/list#double"]
    [[gesture]]
    view = "a/list"
    name = "double"
    kind = "tap"
    taps = 2
    interval_ms = 30
    [[gesture]]
    view = "b"
    name = "press"
    kind = "long_press"
    duration_ms = 40
    delays_began = true
    [[gesture]]
    screen = "panel"
    name = "pinch"
    kind = "pinch"
    to = "app:app"
    [touch]
    decision_timeout_ms = 40

    """

  /// Programs that come, decide, change views and go, and fingers, all at random.
  private final class World {
    let studio: Studio
    private var random: SeededGenerator
    private let frames: [InjectedFrames]
    private var down: [[Int32: Point]] = [[:], [:]]
    private var programs: [(client: DaemonClient, attachment: AttachmentID, path: String)] = []
    private var rows = 0

    private static let paths = [
      "a", "a/list", "a/list@c", "a/list/x", "a/list/y", "b", "b/z", "app:app",
    ]

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      studio = try Studio(RecordedWorldTests.layout)
      frames = [try InjectedFrames(studio.daemon), try InjectedFrames(studio.daemon)]
    }

    func step() throws {
      switch random.below(100) {
      case 0..<60: try touch()
      case 60..<72: try attach()
      case 72..<76: try leave()
      case 76..<86: try decide()
      case 86..<92: try set()
      case 92..<95: try add()
      default: usleep(UInt32(random.below(40_000)))
      }
    }

    /// Lifts all fingers, and waits until that is recorded.
    func finish() throws {
      for index in down.indices where !down[index].isEmpty {
        try frames[index].frame(down[index].keys.map { InjectedContact(slot: $0, .ended) })
        down[index] = [:]
      }
      usleep(100_000)
      let marker = Point(x: 399.25, y: 0.5)
      try frames[0].frame([InjectedContact(slot: 9, .began(marker))])
      try frames[0].frame([InjectedContact(slot: 9, .ended)])
      try studio.wait { text in
        // Nothing else is there. More may follow in the same bundle.
        text.split(separator: "\n").contains {
          $0.contains("[399.25,0.5]") && $0.contains("ended")
        }
      }
    }

    private var point: Point {
      Point(x: Double(random.below(4000)) / 10, y: Double(random.below(4000)) / 10)
    }

    private func touch() throws {
      let index = random.below(2)
      let slot = Int32(random.below(3))
      let contact: InjectedContact
      if let old = down[index][slot] {
        if random.oneIn(4) {
          contact = InjectedContact(slot: slot, random.oneIn(8) ? .cancelled : .ended)
          down[index][slot] = nil
        } else {
          let distance = random.oneIn(3) ? 60 : 6
          let new = Point(
            x: old.x + Double(random.below(distance)) - Double(distance / 2),
            y: old.y + Double(random.below(distance)) - Double(distance / 2))
          contact = InjectedContact(slot: slot, .moved(new))
          down[index][slot] = new
        }
      } else {
        let new = point
        contact = InjectedContact(slot: slot, .began(new))
        down[index][slot] = new
      }
      try frames[index].frame([contact])
    }

    private func attach() throws {
      let path = random.pick(Self.paths)
      let client = try DaemonClient(studio.daemon.socket, name: "program")
      let handles: TouchPhases = random.oneIn(4) ? [.moved, .ended] : .all
      let passes: TouchPhases = random.oneIn(3) ? handles.intersection([.began, .moved]) : []
      let attachment = try client.connection.attach(
        to: path, handles: handles, passes: passes,
        options: random.oneIn(2) ? [.takeOver, .gestures] : [.gestures])
      let isHeld = try client.next { event -> Bool? in
        event.geometry != nil ? true : event.failure != nil ? false : nil
      }
      if isHeld { programs.append((client, attachment, path)) }
    }

    private func leave() throws {
      guard !programs.isEmpty else { return }
      let (client, attachment, _) = programs.remove(at: random.below(programs.count))
      // Its connection ends here; or it detaches first.
      guard random.oneIn(2), (try? client.connection.detach(attachment)) != nil else { return }
      _ = try client.next { $0.completion != nil || $0.failure != nil ? true : nil }
    }

    private func decide() throws {
      guard !programs.isEmpty else { return }
      let program = programs[random.below(programs.count)]
      let touches = program.client.pending().compactMap(\.frame).flatMap(\.touches)
      guard let touch = touches.last else { return }
      let connection = program.client.connection
      do throws(TouchClientError) {
        if random.oneIn(2) {
          try connection.accept(touch.id, for: touch.attachment)
        } else {
          try connection.decline(touch.id, for: touch.attachment)
        }
      } catch {
        // Another one has taken over what it held.
        return
      }
      _ = try program.client.connection.ping()
      _ = try program.client.next { event -> Bool? in
        if case .pong = event { true } else { nil }
      }
    }

    private func set() throws {
      let path = random.pick(["a/list", "a/list/x", "a/list/y", "b", "b/z"])
      let box = Rect(
        x: Double(random.below(200)), y: Double(random.below(200)), width: 120, height: 90)
      let change: ViewChange.Property = random.pick([
        .hidden(random.oneIn(2)), .frame(box), .configured, .order(random.below(2)),
        .shape(.ellipse), .boundsOrigin(Point(x: 5, y: Double(random.below(40)))),
        .outset(Outset(8)),
        .hit(.passThrough), .inside(.children([])),
      ])
      try frames[0].set([ViewChange(path, change)])
    }

    private func add() throws {
      guard let program = programs.first(where: { $0.path == "a" || $0.path == "b" }) else {
        return
      }
      rows += 1
      let row = Subview(
        "row-\(rows)", frame: Rect(x: Double(random.below(200)), y: 30, width: 90, height: 90))
      let serial = try? program.client.connection.addViews(in: program.attachment) { row }
      guard serial != nil else { return }
      _ = try program.client.next { $0.completion != nil || $0.failure != nil ? true : nil }
    }
  }

  @Test(
    "a record of any world compares equal when it is played with the same layout", arguments: 0..<4)
  func equal(_ number: Int) throws {
    let seed = Seeds.fresh()
    print("a recorded world: seed \(seed)")
    let world = try World(seed: seed)
    for _ in 0..<400 { try world.step() }
    try world.finish()
    let result = try world.studio.compare(Self.layout)
    #expect(
      result.status == 0, "seed \(seed): \(result.output)\(result.errors)\n\(kept(world, seed))")
    #expect(!result.output.contains(" of 0 touches"))
  }

  /// Where a record is that is to be looked at.
  private func kept(_ world: World, _ seed: UInt64) -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "record-\(seed).jsonl").path
    try? FileManager.default.copyItem(atPath: world.studio.record, toPath: path)
    return "the record is kept in \(path)"
  }
}
