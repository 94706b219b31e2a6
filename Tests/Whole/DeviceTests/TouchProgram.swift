import DaemonSupport
import TestSupport
import Testing
import TouchClient
import TouchModel

/// A program of the daemon's, within this process: a connection and all that came over it.
final class TouchProgram {
  let connection: TouchConnection
  private(set) var attachments: [AttachmentID] = []
  /// All that came, touches included.
  private(set) var events: [TouchEvent] = []
  /// The gestures among it.
  private(set) var gestures: [Gesture] = []
  private(set) var isOver = false
  private var verifier = TouchVerifier()

  /// Connects to the socket of programs, and attaches; waits until all of it is in force.
  init(_ daemon: DaemonProcess, _ paths: String..., options: AttachOptions = []) throws {
    connection = try TouchConnection(path: daemon.socket, name: "test")
    for path in paths { attachments.append(try connection.attach(to: path, options: options)) }
    try wait(for: "the attachments") { program in
      program.events.count { if case .attached = $0 { true } else { false } } == paths.count
    }
  }

  /// Connects to the control socket.
  init(control daemon: DaemonProcess) throws {
    connection = try TouchConnection(path: daemon.controlSocket, name: "control")
  }

  /// Dispatches until the condition holds; 30 seconds without an event are the bound of failure,
  /// which alone is put into words.
  func wait(for what: @autoclosure () -> String, _ condition: (TouchProgram) -> Bool) throws {
    while !condition(self) {
      let count = events.count
      do throws(TouchClientError) {
        try connection.dispatch(timeoutMilliseconds: 30_000) { take($0) }
      } catch {
        isOver = true
        if condition(self) { return }
        throw Missing("waiting for \(what()): \(error); got \(events)")
      }
      guard events.count > count else { throw Missing("waiting for \(what()); got \(events)") }
    }
  }

  /// Waits until everything that the panel has reported, and that the daemon has queued for this
  /// program, is here.
  ///
  /// Between two reads of the panel the daemon may serve a client: one answer can come before what
  /// the panel has reported meanwhile. What is asked behind that answer comes behind that report.
  func settle() throws {
    for _ in 1...2 {
      let ping = try connection.ping()
      let count = events.count
      try wait(for: "the pong") { $0.events[count...].contains(.pong(ping)) }
    }
  }

  /// Waits until so many touches have ended, or were cancelled.
  func wait(ended count: Int, of what: @autoclosure () -> String = "all") throws {
    try wait(for: "\(count) touches of \(what()) to end") { $0.verifier.ended >= count }
  }

  /// The touches, frame by frame, in words: `began 1 home/back 8 8`, where 1 is the program's first
  /// touch, and the place is the screen's.
  var touches: [String] {
    var numbers: [TouchID: Int] = [:]
    return frames.flatMap(\.touches).filter { $0.phase != .stationary }.map { touch in
      let number = numbers[touch.id, default: numbers.count + 1]
      numbers[touch.id] = number
      let place = touch.screenLocation
      let reason = touch.cancelReason.map { " \($0)" } ?? ""
      return "\(touch.phase) \(number) \(touch.targetPath) \(Int(place.x.rounded())) "
        + "\(Int(place.y.rounded()))\(reason)"
    }
  }

  /// What became of each gesture, in words: `home#pages began 2`, with how many fingers, or
  /// `home#pages cancelled 1 palm`.
  var gestureWords: [String] {
    gestures.map { gesture in
      let reason = gesture.cancelReason.map { " \($0)" } ?? ""
      return "\(gesture.path) \(gesture.state) \(gesture.touches)\(reason)"
    }
  }

  /// The targets of the touches that have begun since there were so many events.
  func targets(since count: Int) -> [String] {
    events[count...].flatMap { event -> [String] in
      guard case .touches(let frame) = event else { return [] }
      return frame.touches.filter { $0.phase == .began }.map(\.targetPath)
    }
  }

  var frames: [RoutedFrame] {
    events.compactMap { if case .touches(let frame) = $0 { frame } else { nil } }
  }

  /// How many touches are live, how many have ended or were cancelled, and what was wrong with the
  /// stream. Rule T5.
  var liveTouches: Int { verifier.live.count }
  var endedTouches: Int { verifier.ended }
  var violations: [String] { verifier.violations }

  /// On the control socket: the daemon's own item of its status.
  func daemonStatus() throws -> DaemonStatus {
    for case .daemon(let status) in try status() { return status }
    throw Missing("a status without the daemon's item")
  }

  /// On the control socket: all items of the status.
  func status() throws -> [StatusItem] {
    let serial = try connection.status()
    try wait(for: "the status") { $0.hasAnswer(serial) }
    return events.compactMap {
      if case .status(serial, let item) = $0 { item } else { nil }
    }
  }

  /// On the control socket: has the configuration read again.
  func reload() throws {
    let serial = try connection.reload()
    try wait(for: "the reload") { $0.hasAnswer(serial) }
    #expect(!events.contains { if case .failed = $0 { true } else { false } }, "\(events)")
  }

  private func hasAnswer(_ serial: Serial) -> Bool {
    events.contains { event in
      switch event {
      case .done(let completion): completion.serial == serial
      case .failed(let failure): failure.serial == serial
      default: false
      }
    }
  }

  private func take(_ event: TouchEvent) {
    events.append(event)
    if case .touches(let frame) = event { verifier.check(frame) }
    if case .gesture(let gesture) = event { gestures.append(gesture) }
  }
}

/// Holds what a program gets to rule T5: each touch begins once, ends once, and keeps its target.
struct TouchVerifier {
  private(set) var violations: [String] = []
  private(set) var live: [TouchID: UInt32] = [:]
  /// Those that a frame was without: of one that is cancelled what was not sent is discarded (F2).
  private var missed: Set<TouchID> = []
  private(set) var ended = 0
  private var last = TouchID(0)
  private var time = Timestamp(microseconds: 0)
  private var order = 0

  mutating func check(_ frame: RoutedFrame) {
    order = 0
    for touch in frame.touches { check(touch) }
    if frame.touches.allSatisfy({ $0.phase == .stationary }) { violations.append("an empty frame") }
    missed.formUnion(Set(live.keys).subtracting(frame.touches.map(\.id)))
  }

  private mutating func check(_ touch: RoutedTouch) {
    let name = "touch \(touch.id.rawValue) \(touch.phase)"
    if missed.remove(touch.id) != nil, touch.phase != .cancelled {
      violations.append("\(name): a frame was without it (T2)")
    }
    switch touch.phase {
    case .began:
      if touch.id <= last { violations.append("\(name): its number is not new (T1)") }
      last = max(last, touch.id)
      live[touch.id] = touch.target
    case .moved, .stationary:
      if live[touch.id] != touch.target { violations.append("\(name): not live with this target") }
    case .ended, .cancelled:
      if live.removeValue(forKey: touch.id) != touch.target {
        violations.append("\(name): not live with this target")
      }
      ended += 1
    }
  }
}
