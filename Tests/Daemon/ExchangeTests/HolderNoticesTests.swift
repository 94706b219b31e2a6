import Routing
import Server
import TestSupport
import Testing
import TouchModel

@testable import Exchange

/// What the holder of a window is told, from attachments that are made up.
@Suite("Holder notices")
struct HolderNoticesTests {
  private static let owner = ClientID(slot: 1, generation: 1)
  private static let keys = ClientID(slot: 2, generation: 1)
  private static let nav = ClientID(slot: 3, generation: 1)

  /// The notices, with the attachments of three programs.
  private struct World {
    var notices = HolderNotices()
    /// Those whose queues have not drained.
    var blocked: Set<ClientID> = []
    private var attachments: [String: (id: AttachmentID, client: ClientID)] = [:]
    private var lastID: UInt32 = 0

    @discardableResult
    mutating func attach(
      _ path: String, _ client: ClientID, passes: TouchPhases = []
    ) -> AttachmentID {
      detach(path)
      lastID += 1
      let id = AttachmentID(lastID)
      attachments[path] = (id, client)
      notices.attached(id, to: path, of: client, Self.holder(client, passes: passes))
      return id
    }

    mutating func detach(_ path: String) {
      guard let (id, client) = attachments.removeValue(forKey: path) else { return }
      notices.ended(id, of: client)
    }

    mutating func leave(_ client: ClientID) {
      attachments = attachments.filter { $0.value.client != client }
      notices.wentAway(client)
    }

    static func holder(_ client: ClientID, passes: TouchPhases = []) -> HolderNotice.Holder {
      HolderNotice.Holder(
        pid: Int32(client.slot), uid: 1000, name: "program \(client.slot)", handles: .all,
        passes: passes)
    }

    /// What a turn tells, as words: `1: home/pin held by 2`.
    mutating func turn() -> [String] {
      var words: [String] = []
      let blocked = blocked
      notices.take(where: { !blocked.contains($0) }) { notice, client in
        let verb = notice.isHeld ? "held" : "let go"
        words.append("\(client.slot): \(notice.path) \(verb) by \(notice.holder.pid)")
      }
      return words
    }
  }

  @Test("each attachment beneath a window is told to its holder, and its end (F6)")
  func tells() {
    var world = World()
    let home = world.attach("home", Self.owner)
    world.attach("home/pin", Self.keys, passes: [.moved])
    world.attach("home/pin@pad", Self.nav)
    world.attach("home@top", Self.keys)
    var told: [HolderNotice] = []
    world.notices.take(where: { _ in true }) { notice, client in
      #expect(client == Self.owner)
      told.append(notice)
    }
    #expect(
      told.first
        == HolderNotice(
          window: home, path: "home/pin", isHeld: true,
          holder: World.holder(Self.keys, passes: [.moved])))
    #expect(told.map(\.path) == ["home/pin", "home/pin@pad", "home@top"])
    #expect(world.notices.isEmpty)
    world.detach("home/pin@pad")
    #expect(world.turn() == ["1: home/pin@pad let go by 3"])
    world.leave(Self.keys)
    #expect(world.turn() == ["1: home/pin let go by 2", "1: home@top let go by 2"])
    #expect(world.turn().isEmpty && world.notices.isEmpty)
  }

  @Test("one that takes it over is told in place of the one before (F6, R2)")
  func takesOver() {
    var world = World()
    world.attach("home", Self.owner)
    world.attach("home/pin", Self.keys)
    #expect(world.turn() == ["1: home/pin held by 2"])
    world.attach("home/pin", Self.nav)
    #expect(world.turn() == ["1: home/pin held by 3"])
    // The window's own holder has it now: that is no news to it, but that the other has not.
    world.attach("home/pin", Self.owner)
    #expect(world.turn() == ["1: home/pin let go by 3"])
  }

  @Test("who comes later, or takes the window over, is told of all that others hold by then (F6)")
  func later() {
    var world = World()
    world.attach("home/pin", Self.keys)
    world.attach("home/list", Self.owner)
    #expect(world.notices.isEmpty)
    world.attach("home", Self.owner)
    #expect(world.turn() == ["1: home/pin held by 2"])
    world.attach("home", Self.nav)
    #expect(world.turn() == ["3: home/list held by 1", "3: home/pin held by 2"])
    world.detach("home")
    world.detach("home/pin")
    #expect(world.notices.isEmpty)
    world.attach("home", Self.nav)
    #expect(world.turn() == ["3: home/list held by 1"])
  }

  @Test("other windows, applications and the client's own attachments are not told (F6)")
  func others() {
    var world = World()
    world.attach("home", Self.owner)
    for path in ["homeward/pin", "menu", "app:home", "app:home2"] { world.attach(path, Self.keys) }
    world.attach("home/list", Self.owner)
    #expect(world.notices.isEmpty)
  }

  @Test("of what came and went while its queue was full it hears nothing (F6)")
  func cancelsOut() {
    var world = World()
    world.attach("home", Self.owner)
    world.attach("home/list", Self.keys)
    #expect(world.turn() == ["1: home/list held by 2"])
    world.blocked = [Self.owner]
    for _ in 0..<1000 {
      world.attach("home/pin", Self.keys)
      world.detach("home/pin")
      world.attach("home/list", Self.nav)
      world.attach("home/list", Self.keys)
      #expect(world.turn().isEmpty)
    }
    world.attach("home/map", Self.nav)
    world.blocked = []
    #expect(world.turn() == ["1: home/map held by 3"])
    #expect(world.notices.isEmpty)
  }

  @Test("at most 16 are told of one window in one turn, and each window has its turn (F5)")
  func perTurn() {
    var world = World()
    for number in 0..<100 { world.attach("home/\(1000 + number)", Self.keys) }
    world.attach("menu/pin", Self.keys)
    world.attach("home", Self.owner)
    world.attach("menu", Self.nav)
    let first = world.turn()
    #expect(first.count == 17 && first.last == "3: menu/pin held by 2")
    #expect(world.notices.isDue { _ in true })
    #expect(!world.notices.isDue { $0 != Self.owner })
    let rest = (0..<6).flatMap { _ in world.turn() }
    #expect(rest.count == 84 && rest.last == "1: home/1099 held by 2")
    #expect(!world.notices.isDue { _ in true })
  }

  @Test("however much the holder itself holds, a turn looks at few; what changes is told (F1, F6)")
  func fewLooks() {
    var world = World()
    for number in 0..<200 { world.attach("home/\(1000 + number)", Self.owner) }
    world.attach("home/z", Self.keys)
    world.attach("home", Self.owner)
    #expect(world.turn().isEmpty)
    #expect(world.notices.isDue { _ in true })
    // What changes meanwhile is told once, as it is then.
    world.detach("home/z")
    world.attach("home/1199", Self.nav)
    world.attach("home/a", Self.keys)
    let told = (0..<4).flatMap { _ in world.turn() }
    #expect(told == ["1: home/1199 held by 3", "1: home/a held by 2"])
    #expect(world.notices.isEmpty)
  }

  @Test("who holds what at random: each turn's holder believes what is so in the end (F6)")
  func random() {
    for seed in Seeds.fresh(200) {
      var random = SeededGenerator(seed: seed)
      var world = World()
      var held: [String: ClientID] = [:]
      var believed: [String] = []
      let clients = [Self.owner, Self.keys, Self.nav]
      var owner: ClientID?
      for _ in 0..<300 {
        let path = ["home", "home/a", "home/b@c", "home/d", "home/e"].randomElement(using: &random)!
        let client = clients.randomElement(using: &random)!
        if Int.random(in: 0..<3, using: &random) > 0 {
          world.attach(path, client)
          held[path] = client
        } else {
          world.detach(path)
          held[path] = nil
        }
        if path == "home" { (owner, believed) = (held["home"], []) }
        if Bool.random(using: &random) { continue }
        for word in world.turn() {
          let parts = word.split(separator: " ")
          #expect(parts[0] == "\(owner?.slot ?? 0):", "seed \(seed)")
          believed.removeAll { $0.hasPrefix("\(parts[1]) ") }
          if parts[2] == "held" { believed.append("\(parts[1]) \(parts[4])") }
        }
        let present = held.filter { $0.key != "home" && $0.value != owner }
          .map { "\($0) \($1.slot)" }
        #expect(believed.sorted() == (owner == nil ? [] : present.sorted()), "seed \(seed)")
      }
    }
  }

  @Test("after a restart that leaves the connection only what is different is told (F6, R9)")
  func resumes() {
    var world = World()
    let home = world.attach("home", Self.owner)
    for path in ["home/list", "home/map", "home/pin"] { world.attach(path, Self.keys) }
    _ = world.turn()
    let believed = world.notices.believed(by: home, of: Self.owner)
    #expect(believed.map(\.path) == ["home/list", "home/map", "home/pin"])
    var next = World()
    let again = next.attach("home", Self.owner)
    next.attach("home/list", Self.keys)
    next.attach("home/map", Self.nav)
    next.notices.resume(believed, by: again, of: Self.owner)
    #expect(next.turn() == ["1: home/map held by 3", "1: home/pin let go by 2"])
  }
}
