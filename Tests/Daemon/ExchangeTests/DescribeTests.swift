import Configuration
import DaemonSupport
import Glibc
import Routing
import Server
import TestSupport
import Testing
import TouchClient
import TouchModel

@testable import Exchange

@Suite("What describe tells of views")
struct DescribeTests {
  private static let text =
    windowsSideBySide + """
      [[view]]
      path = "left/list"
      frame = [0, 100, "50%", 300]
      outset = [1, 2, 3, 4]
      shape = { polygon = [[0, 0], [10, 0], [0, 10.5]] }
      inside = { children = ["row", "last"] }
      hit = { first = "row/icon" }

      [[view]]
      path = "left/list/row"
      frame = [0, 0, 200, 40]

      [[view]]
      path = "left/list/row/icon"
      frame = [0, 0, 40, 40]

      [[view]]
      path = "left/list/last"
      frame = [0, 40, 200, 40]

      """

  private let bench: ExchangeBench

  init() throws { bench = try ExchangeBench(Self.text) }

  private func describe(
    _ path: String = "", first: UInt32 = 0, by client: DaemonClient
  ) throws -> [DescribedView] {
    _ = try client.connection.describe(path, first: first)
    var views: [DescribedView] = []
    _ = try client.next(meanwhile: bench.turn) { event -> Bool? in
      views.take(event)
      return event.completion.map { _ in true }
    }
    return views
  }

  private func holder(_ path: String) throws -> (DaemonClient, TouchClient.AttachmentID) {
    let client = try bench.client()
    let attachment = try client.connection.attach(to: path)
    _ = try client.next(meanwhile: bench.turn, \.geometry)
    return (client, attachment)
  }

  private func done(_ client: DaemonClient) throws {
    _ = try client.next(meanwhile: bench.turn, \.completion)
  }

  @Test("all that the configuration says of a view is told, by nobody's setting (L2, H3 to H6)")
  func configured() throws {
    let views = try describe(by: try bench.client())
    #expect(views[0].details?.screen == 0)
    #expect(views[0].details?.program == nil)
    let list = try #require(views.first { $0.path == "left/list" })
    #expect(list.details == nil)
    #expect(
      list.properties.map(\.property) == [
        .outset(Outset(top: 1, left: 2, bottom: 3, right: 4)),
        .shape(.polygon([.zero, Point(x: 10, y: 0), Point(x: 0, y: 10.5)])),
        .inside(.children(["row", "last"])), .hit(.first("row/icon")),
      ])
    #expect(list.properties.allSatisfy { $0.setter == .none && $0.program == nil })
  }

  @Test("what is set is told with its value in force, its setter's right and process (L6)")
  func settings() throws {
    let (program, left) = try holder("left")
    try program.connection.set([
      ViewChange("left/list", .outset(Outset(7))), ViewChange("left/list", .order(0)),
      ViewChange("left/list/row", .hidden(true)),
    ])
    try done(program)
    let control = try bench.client(.control)
    try control.connection.set([
      ViewChange("left/list/row", .alpha(0.5)), ViewChange("right", .level(3)),
    ])
    try done(control)
    func told() throws -> [String: [DescribedProperty]] {
      let views = try describe(by: control)
      return Dictionary(uniqueKeysWithValues: views.map { ($0.path, $0.properties) })
    }
    var properties = try told()
    let row = try #require(properties["left/list/row"])
    #expect(row.map(\.property) == [.hidden(true), .alpha(0.5)])
    #expect(row.map(\.setter) == [.attachment, .control])
    #expect(row.map { $0.program != nil } == [true, false])
    let list = try #require(properties["left/list"])
    #expect(list.map(\.property.kind) == [.shape, .inside, .hit, .order, .outset])
    #expect(list.last?.property == .outset(Outset(7)) && list.last?.setter == .attachment)
    #expect(properties["right"]?.map(\.property) == [.level(3)])
    #expect(properties["right"]?.first?.setter == .control)
    // What a program has as configured is nobody's setting; all that it has set goes with it.
    try program.connection.set([ViewChange("left/list/row", .configured)])
    try done(program)
    #expect(try told()["left/list/row"]?.map(\.property) == [])
    _ = try program.connection.detach(left)
    try done(program)
    properties = try told()
    #expect(properties["left/list"]?.map(\.property.kind) == [.outset, .shape, .inside, .hit])
    #expect(properties["left/list/row"]?.map(\.setter) == [.control])
  }

  @Test("views that programs have added are told as such, with the process that has (L7)")
  func added() throws {
    let (program, list) = try holder("left/list")
    var icon = Subview("new", frame: Rect(x: 1, y: 2, width: 3, height: 4))
    icon.controller = "it"
    icon.properties = [.shape(.rounded(radius: 2)), .interaction(false)]
    try program.connection.changeViews([.add(icon)], in: list)
    try done(program)
    let views = try describe("left/list", by: program)
    #expect(
      views.map { $0.details?.flags.contains(.added) ?? false } == [
        false, false, false, false, true,
      ])
    let new = try #require(views.last)
    #expect(new.path == "left/list/new" && new.controller == "it")
    #expect(new.details?.program == getpid() && new.details?.screen == nil)
    #expect(new.flags == .noInteraction)
    #expect(new.properties.map(\.property) == [.shape(.rounded(radius: 2))])
    #expect(new.properties.map(\.setter) == [.none])
    // It is the same for a page that begins at it.
    #expect(try describe("left/list", first: 4, by: program) == [new])
  }
}
