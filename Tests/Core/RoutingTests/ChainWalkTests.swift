import Layout
import Testing
import TouchModel

@testable import Routing

@Suite("ChainWalk")
struct ChainWalkTests {
  private let layout: Layout
  private let target: ViewIndex
  private var attachments: AttachmentTable

  init() throws {
    layout = try RoutingWorld.layout()
    target = try #require(layout.view(at: "home/toolbar/back"))
    attachments = AttachmentTable(layout)
  }

  private mutating func attach(
    _ client: UInt32, _ path: String, handles: TouchPhases = .all, passes: TouchPhases = []
  ) throws {
    let responder = try #require(layout.responder(at: path))
    let request = AttachRequest(path: path, handles: handles, passes: passes)
    _ = attachments.add(request, responder: responder, client: RoutingWorld.client(client))
  }

  private func walk(without unresponsive: Set<ClientID> = []) -> ChainWalk {
    var walk = ChainWalk()
    // What a walk before found must not show.
    walk.follow(ViewIndex(0), in: layout, attachments, without: [])
    walk.follow(target, in: layout, attachments, without: unresponsive)
    return walk
  }

  /// The links as text: `home 2 delivered 11`.
  private func text(_ walk: borrowing ChainWalk) -> [String] {
    walk.links.map { link in
      let client = link.attachment.map { "\($0.client.slot)" } ?? "-"
      return "\(layout.path(of: link.responder)) \(client) \(link.outcome) \(link.phases.rawValue)"
    }
  }

  @Test("the chain goes from the target over controllers to the application (R1)")
  func chain() {
    let walk = walk()
    #expect(
      text(walk) == [
        "home/toolbar/back - noClient 0", "home/toolbar - noClient 0",
        "home/toolbar@bar - noClient 0", "home - noClient 0", "app:dashboard - noClient 0",
      ])
    #expect(walk.askedCount == 5)
    #expect(walk.granted.isEmpty && walk.missing.isEmpty)
  }

  @Test("each phase goes up to and including the first who handles it and does not pass it (R4)")
  mutating func grants() throws {
    try attach(0, "home/toolbar/back", handles: .ended)
    try attach(1, "home/toolbar@bar", handles: [.began, .ended], passes: .began)
    try attach(2, "home")
    try attach(3, "app:dashboard", handles: .moved)
    let walk = walk()
    #expect(
      text(walk) == [
        "home/toolbar/back 0 delivered 4", "home/toolbar - noClient 0",
        "home/toolbar@bar 1 delivered 1", "home 2 delivered 11", "app:dashboard 3 notHandled 0",
      ])
    #expect(walk.granted == .all)
    // The application was not asked: every phase had stopped further down.
    #expect(walk.askedCount == 4)
  }

  @Test("of a long chain those 64 with clients take part that are nearest to the target (R4, S35)")
  func longChain() throws {
    var paths = ["home/toolbar"]
    for number in 0..<100 { paths.append("\(paths[number])/v\(number)") }
    let layout = try RoutingWorld.layout { description in
      for path in paths.dropFirst() {
        let frame = FrameDescription(Rect(x: 0, y: 0, width: 44, height: 44))
        description.views.append(.init(path: path, properties: ViewProperties(frame: frame)))
      }
    }
    var attachments = AttachmentTable(layout)
    // Every other one is held, and each of these passes all on.
    for path in paths.enumerated().filter({ $0.offset.isMultiple(of: 2) || $0.offset > 60 }) {
      let responder = try #require(layout.responder(at: path.element))
      let request = AttachRequest(path: path.element, handles: .all, passes: .all)
      _ = attachments.add(request, responder: responder, client: RoutingWorld.client(1))
    }
    var walk = ChainWalk()
    let target = try #require(layout.view(at: paths[100]))
    walk.follow(target, in: layout, attachments, without: [])
    let parts = walk.links.map { !$0.phases.isEmpty }
    // 40 in a row, and of the others every second one until there are 64.
    #expect(parts.count(where: { $0 }) == ChainWalk.mostClients)
    #expect(parts.prefix(41).allSatisfy { $0 } && !parts[41])
    #expect(parts.lastIndex(of: true) == 40 + 2 * 23)
    #expect(walk.links.count == 104 && walk.granted == .all)
  }

  @Test("what somebody handles and is not granted is what a decline could bring (R5)")
  mutating func missing() throws {
    try attach(0, "home/toolbar", passes: .all)
    try attach(1, "home", handles: [.began, .moved])
    #expect(walk().missing.isEmpty)
    try attach(2, "app:dashboard", handles: [.moved, .ended])
    #expect(walk().missing == .moved)
  }

  @Test("who is unresponsive is not there, and stops nothing (F3, R4)")
  mutating func unresponsive() throws {
    try attach(0, "home/toolbar")
    try attach(1, "home")
    let walk = walk(without: [RoutingWorld.client(0)])
    #expect(
      text(walk) == [
        "home/toolbar/back - noClient 0", "home/toolbar 0 unresponsive 0",
        "home/toolbar@bar - noClient 0", "home 1 delivered 15", "app:dashboard - noClient 0",
      ])
    #expect(walk.missing.isEmpty)
    #expect(walk.links.map(\.hasClient) == [false, false, false, true, false])
  }

  @Test("a client's targets are counted among the views of what it holds (R2)")
  mutating func targetIndices() throws {
    try attach(0, "home/toolbar/back")
    try attach(1, "home/toolbar")
    try attach(2, "home")
    #expect(walk().links.prefix(4).map(\.targetIndex) == [0, 1, 0, 2])
  }
}
