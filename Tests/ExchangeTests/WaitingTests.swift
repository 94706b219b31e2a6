import Configuration
import DaemonSupport
import Foundation
import Routing
import Server
import Testing
import TouchClient
import TouchModel

@testable import Exchange

/// Programs that wait for a responder, on real sockets.
@Suite("Exchange, programs that wait for their place")
struct WaitingTests {
  /// Attaches a client that waits where it must; what it is told.
  private func attach(
    _ client: DaemonClient, to path: String, _ bench: ExchangeBench
  ) throws -> TouchEvent {
    _ = try client.connection.attach(to: path, options: .wait)
    return try client.next(meanwhile: bench.turn) { event in
      event.geometry == nil && event.waiting == nil && event.failure == nil ? nil : event
    }
  }

  private func apply(_ text: String, _ bench: ExchangeBench) throws {
    _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    bench.exchange.endTurn()
  }

  @Test("who waits is told who holds its responder, and is attached once that is gone (R2)")
  func upgrade() throws {
    let bench = try ExchangeBench()
    var old: DaemonClient? = try bench.client(attachedTo: "left")
    let new = try bench.client()
    let waiting = try #require(try attach(new, to: "left", bench).waiting)
    #expect(waiting.reason == nil)
    #expect(waiting.text.hasPrefix("\"left\" is held by "))
    bench.down(0, 100, 100)
    bench.frame()
    bench.up(0)
    bench.frame()
    #expect(try bench.touches(of: new).isEmpty)
    old = nil
    _ = old
    let geometry = try new.next(meanwhile: bench.turn, \.geometry)
    #expect(geometry.attachment == waiting.attachment)
    bench.down(0, 100, 100)
    bench.frame()
    #expect(try bench.touches(of: new).map(\.phase) == [.began])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("those who wait are served in the order in which they attached (R2)")
  func order() throws {
    let bench = try ExchangeBench()
    let holder = try bench.client()
    _ = try holder.connection.attach(to: "left")
    let held = try holder.next(meanwhile: bench.turn, \.geometry)
    let first = try bench.client()
    let second = try bench.client()
    let place = try #require(try attach(first, to: "left", bench).waiting)
    #expect(try attach(second, to: "left", bench).waiting != nil)
    _ = try holder.connection.detach(held.attachment)
    _ = try first.next(meanwhile: bench.turn, \.geometry)
    #expect(second.pending().isEmpty)
    _ = try first.connection.detach(place.attachment)
    _ = try second.next(meanwhile: bench.turn, \.geometry)
  }

  @Test("who gives up waiting is not served (R2)")
  func givingUp() throws {
    let bench = try ExchangeBench()
    var holder: DaemonClient? = try bench.client(attachedTo: "left")
    let client = try bench.client()
    let place = try #require(try attach(client, to: "left", bench).waiting)
    _ = try client.connection.detach(place.attachment)
    _ = try client.next(meanwhile: bench.turn, \.completion)
    holder = nil
    _ = holder
    try bench.turn { bench.exchange.pipeline.router.attachments.count == 0 }
    #expect(bench.exchange.pipeline.router.attachments.count == 0)
    #expect(client.pending().isEmpty)
  }

  @Test("a responder that a reload removes is its program's again once it is back (R2, R8)")
  func reload() throws {
    let bench = try ExchangeBench()
    let client = try bench.client()
    let held = try #require(try attach(client, to: "right/button", bench).geometry)
    bench.down(0, 550, 150)
    bench.frame()
    let without = try #require(twoWindows.range(of: "[[view]]"))
    try apply(String(twoWindows[..<without.lowerBound]), bench)
    let waiting = try client.next(meanwhile: bench.turn, \.waiting)
    #expect(waiting.attachment == held.attachment)
    #expect(waiting.reason == .removed)
    bench.up(0)
    bench.frame()
    try apply(twoWindows, bench)
    #expect(try client.next(meanwhile: bench.turn, \.geometry).attachment == held.attachment)
    bench.down(0, 550, 150)
    bench.frame()
    #expect(try bench.touches(of: client).map(\.phase) == [.began])
    #expect(bench.exchange.pipeline.checker.violationCount == 0)
  }

  @Test("nobody waits for itself, nor for what is not there (R2)")
  func refusals() throws {
    let bench = try ExchangeBench()
    let client = try bench.client(attachedTo: "left")
    #expect(try attach(client, to: "left", bench).failure?.code == .held)
    #expect(try attach(client, to: "lefft", bench).failure?.code == .noResponder)
  }

  @Test("who is taken over from does not wait (R2)")
  func takeOver() throws {
    let bench = try ExchangeBench()
    let client = try bench.client()
    _ = try #require(try attach(client, to: "left", bench).geometry)
    let other = try bench.client()
    #expect(try bench.attach(other, "left", .takeOver) == nil)
    #expect(try client.next(meanwhile: bench.turn, \.detachment).reason == .takenOver)
  }

  @Test("those who wait count against the limit of a user's attachments (F5)")
  func limits() throws {
    let bench = try ExchangeBench(twoWindows + "[limits]\nattachments_per_user = 2\n")
    let holder = try bench.client(attachedTo: "left")
    let client = try bench.client()
    #expect(try attach(client, to: "left", bench).waiting != nil)
    #expect(try attach(client, to: "right", bench).failure?.code == .limit)
    _ = holder
  }

  @Test("who holds as much as one client may does not stand in line besides (F5)")
  func ownLimit() throws {
    let bench = try ExchangeBench(twoWindows + "[limits]\nattachments = 1\n")
    let holder = try bench.client(attachedTo: "left")
    let client = try bench.client(attachedTo: "right")
    #expect(try attach(client, to: "left", bench).failure?.code == .limit)
    _ = holder
  }
}
