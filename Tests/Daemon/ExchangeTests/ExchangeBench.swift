import Configuration
import DaemonSupport
import EventLoop
import Foundation
import Logging
import Routing
import Server
import TestSupport
import Testing
import TouchClient
import TouchModel

@testable import Exchange

typealias Change = ViewChange
typealias Contact = TouchClient.InjectedContact

/// The daemon's own exchange with its loop and its sockets, in the test's thread, fed with device
/// events, and real clients on the sockets.
final class ExchangeBench {
  /// Two windows, in the left one of which is a list for rows that programs add.
  static let list =
    windowsSideBySide + """
      [[view]]
      path = "left/list"
      frame = [0, 100, 400, 300]

      """

  let directory: TemporaryDirectory
  let loop: EventLoop
  let exchange: Exchange
  private var time: UInt64
  private var events: ReusableArray<DeviceEvent> = []

  /// - Parameters:
  ///   - time: The loop's, where it is to stand still.
  ///   - quickMicroseconds: A change of the layout that takes longer is made by a thread.
  init(
    _ text: String = twoWindows, time: UInt64? = nil,
    quickMicroseconds: Int = Exchange.quickMicroseconds
  ) throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop(time: time)
    self.time = loop.now
    exchange = try Exchange(
      Configuration.parse([(file: "test.toml", text: text)]), loop: loop,
      quickMicroseconds: quickMicroseconds,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    for kind in SocketKind.allCases {
      try exchange.server.listen(on: Listener(kind, path: path(kind)))
    }
  }

  deinit { exchange.server.stop() }

  func path(_ kind: SocketKind) -> String { directory.url.appending(path: "\(kind)").path }

  func turn() throws {
    while try loop.runTurn(timeoutMicroseconds: 1_000) {}
  }

  /// Lets the daemon work until it has noticed what a client did, its going away for one: a process
  /// that another test is just starting may hold a copy of the client's socket for a moment.
  func turn(until hasNoticed: () -> Bool) throws {
    for _ in 0..<3000 {
      guard !hasNoticed() else { break }
      try turn()
    }
  }

  /// A configuration that is ready to take the place of the one in force.
  func prepared(_ text: String) throws -> PreparedConfiguration {
    PreparedConfiguration(
      try Configuration.parse([(file: "test.toml", text: text)]),
      replacing: exchange.configuration)
  }

  /// Lets so much time pass, where the loop's stands still, that observers are sent what waits.
  func tellObservers() throws {
    try turn()
    loop.advance(to: loop.now + 20_000)
    try turn()
  }

  func client(
    _ kind: SocketKind = .client, name: String = "test", attachedTo paths: String...
  ) throws -> DaemonClient {
    let client = try DaemonClient(path(kind), name: name)
    for path in paths {
      _ = try client.connection.attach(to: path)
      _ = try client.next(meanwhile: turn, \.geometry)
    }
    return client
  }

  // MARK: - Requests, with the daemon at work until they are answered

  /// Attaches a client to a responder: nil where it is attached, or why it is not.
  @discardableResult
  func attach(
    _ client: DaemonClient, _ path: String, _ options: AttachOptions = []
  ) throws -> RequestFailure? {
    _ = try client.connection.attach(to: path, options: options)
    return try answer(to: client)
  }

  /// Changes views: nil where they were changed, or why they were not.
  @discardableResult
  func set(_ client: DaemonClient, _ changes: Change...) throws -> RequestFailure? {
    try client.connection.set(changes)
    return try answer(to: client)
  }

  /// Injects a frame: nil where it was taken, or why it was not.
  @discardableResult
  func inject(
    _ client: DaemonClient, _ contacts: Contact..., screen: UInt32 = 0
  ) throws -> RequestFailure? {
    try client.connection.inject(contacts, screen: screen)
    return try answer(to: client)
  }

  private func answer(to client: DaemonClient) throws -> RequestFailure? {
    try client.next(meanwhile: turn) { event -> RequestFailure?? in
      if event.geometry != nil || event.completion != nil { return .some(nil) }
      return event.failure.map { .some($0) }
    }
  }

  // MARK: - Touches

  /// What one device does, frame by frame, and the end of the turn that brings it.
  func down(_ slot: Int32, _ x: Double, _ y: Double) {
    events.append(
      .down(
        DeviceID(1), slot: slot, screen: ScreenIndex(0), location: Point(x: x, y: y), time: now))
  }

  func move(_ slot: Int32, _ x: Double, _ y: Double) {
    events.append(.motion(DeviceID(1), slot: slot, location: Point(x: x, y: y), time: now))
  }

  func up(_ slot: Int32) { events.append(.up(DeviceID(1), slot: slot, time: now)) }

  func frame() {
    events.append(.frame(DeviceID(1), time: now))
    time += 8_000
    exchange.take(events)
    events.removeAll()
    exchange.endTurn()
  }

  /// Lets the device's time be the loop's, where that has been advanced.
  func catchUp() { time = max(time, loop.now) }

  func lose() {
    exchange.take([.lost(DeviceID(1), reason: .deviceRemoved, time: now)])
    exchange.endTurn()
  }

  /// The time of the next frame.
  var now: Timestamp { Timestamp(microseconds: time) }

  func touches(of client: DaemonClient) throws -> [RoutedTouch] {
    try turn()
    return client.pending().compactMap(\.frame).flatMap(\.touches)
  }
}
