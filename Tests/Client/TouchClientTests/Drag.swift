import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// Ten injected fingers, five on each of two windows, that move at 120 Hz; and the program of the
/// right window, which behaves, has to hear of every frame and notice nothing else.
final class Drag {
  let daemon: DaemonProcess
  let control: TouchConnection
  private let right: TouchConnection
  private var heard: [RoutedFrame] = []
  private var step = 0
  private var frames = 0

  /// - Parameters:
  ///   - timeout: how many milliseconds a program may leave unread what waits for it: so many that
  ///     a slow machine decides nothing.
  ///   - more: more windows.
  init(timeout: Int = 30_000, windows more: String = "") throws {
    daemon = try DaemonProcess(
      windowsSideBySide + more + "[touch]\nunresponsive_after_ms = \(timeout)\n",
      arguments: DaemonProcess.withoutDevices)
    right = try TouchConnection(path: daemon.socket, name: "right", options: .reconnect)
    _ = try right.attach(to: "right")
    var isAttached = false
    while !isAttached {
      try right.dispatch(timeoutMilliseconds: 30_000) {
        if case .attached = $0 { isAttached = true }
      }
    }
    control = try TouchConnection(path: daemon.controlSocket, name: "control")
  }

  private func place(_ finger: Int) -> Point {
    let x = finger < 5 ? 160 + 40 * finger : 260 + 40 * finger
    return Point(x: Double(x), y: Double(200 + step % 100))
  }

  /// Puts the ten fingers down.
  func begin() throws {
    try inject((0..<10).map { InjectedContact(slot: Int32($0), .began(place($0))) })
    _ = try hear(.began)
  }

  /// Moves the ten fingers; the microseconds from the daemon's time of each frame until the right
  /// window's program has it.
  func move(frames: Int) throws -> [UInt64] {
    var latencies: [UInt64] = []
    for _ in 0..<frames {
      let next = now() + 8333
      step += 1
      try inject((0..<10).map { InjectedContact(slot: Int32($0), .moved(place($0))) })
      let frame = try hear(.moved)
      latencies.append(now() - frame.time.microseconds)
      let rest = Int64(next) - Int64(now())
      if rest > 0 { usleep(UInt32(rest)) }
    }
    return latencies
  }

  /// Lifts the ten fingers.
  func end() throws {
    try inject((0..<10).map { InjectedContact(slot: Int32($0), .ended) })
    _ = try hear(.ended)
  }

  /// A frame of injected contacts, as far as the daemon's answer.
  func inject(_ contacts: [InjectedContact]) throws {
    let answer = try answer(to: control.inject(contacts))
    guard case .done? = answer.last else {
      Issue.record("inject was answered by \(answer)")
      return
    }
  }

  /// The next frame of the right window's program: five touches of that phase, none merged.
  private func hear(_ phase: TouchPhase) throws -> RoutedFrame {
    frames += 1
    let end = ContinuousClock.now + .seconds(30)
    while heard.count < frames {
      try #require(ContinuousClock.now < end, "30 s without frame \(frames)")
      try right.dispatch(timeoutMilliseconds: 1000) {
        if case .touches(let frame) = $0 { heard.append(frame) }
      }
    }
    let frame = try #require(heard.last)
    #expect(heard.count == frames)
    #expect(frame.touches.map(\.phase) == [TouchPhase](repeating: phase, count: 5))
    #expect(frame.touches.allSatisfy { $0.flags == .injected })
    return frame
  }

  /// What comes for a request of the control socket, its end included.
  private func answer(to serial: Serial) throws -> [TouchEvent] {
    var answer: [TouchEvent] = []
    let end = ContinuousClock.now + .seconds(30)
    while true {
      switch answer.last {
      case .done, .failed: return answer
      default: try #require(ContinuousClock.now < end, "30 s without an answer")
      }
      try control.dispatch(timeoutMilliseconds: 1000) { event in
        if event.serial == serial { answer.append(event) }
      }
    }
  }

  func status() throws -> [StatusItem] {
    try answer(to: control.status()).compactMap {
      if case .status(_, let item) = $0 { item } else { nil }
    }
  }

  func count(_ counter: DaemonStatus.Counter) throws -> UInt64 {
    for case .daemon(let status) in try status() { return status[counter] }
    throw Peer.Failure(description: "a status without the daemon")
  }

  func clients() throws -> [ClientStatus] {
    try status().compactMap { if case .client(let client) = $0 { client } else { nil } }
  }

  func attachments() throws -> [AttachmentStatus] {
    try status().compactMap {
      if case .attachment(let attachment) = $0 { attachment } else { nil }
    }
  }

  /// Whether the daemon takes that process for one that does not read.
  func isUnresponsive(_ process: Int32) throws -> Bool {
    try clients().contains { $0.pid == process && $0.flags.contains(.unresponsive) }
  }

  /// Prints how the latency compares; on a machine that others use too it decides nothing.
  func report(_ when: String, _ latencies: [UInt64], against calm: [UInt64]) {
    let figures = [50, 95].map { part in
      let numbers = [latencies, calm].map { $0.sorted()[part * ($0.count - 1) / 100] }
      let ratio = (100 * Double(numbers[0]) / Double(max(1, numbers[1]))).rounded() / 100
      return "\(part) %: \(numbers[0]) us, without \(numbers[1]) us, ratio \(ratio)"
    }
    print("latency \(when), \(figures.joined(separator: "; "))")
  }

  /// Nobody noticed: the program that behaves heard what it should, and the daemon kept to T5.
  func finish() throws {
    let ping = try right.ping()
    var isAnswered = false
    try waitUntil("the pong") {
      try right.dispatch(timeoutMilliseconds: 100) { event in
        if case .touches(let frame) = event { heard.append(frame) }
        if event == .pong(ping) { isAnswered = true }
      }
      return isAnswered
    }
    #expect(heard.count == frames)
    #expect(try count(.violations) == 0)
    try daemon.stop()
  }

  private func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
