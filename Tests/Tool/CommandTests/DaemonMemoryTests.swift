import CThreadCredentials
import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The built daemon, and what the programs of one user have it keep. Rule F5.
@Suite("Daemon, the memory of a user", .enabled(if: geteuid() == 0))
struct DaemonMemoryTests {
  private static let layout = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    [[window]]
    name = "other"
    [[window]]
    name = "bell"

    """
  private static let frame = Rect(x: 0, y: 0, width: 8, height: 8)

  private func daemon(_ limits: String) throws -> DaemonProcess {
    // What they cost a lookup is bounded too; this is not about that.
    let limits = "[limits]\nlookup_cost_per_user = 16777216\n\(limits)\n"
    let daemon = try DaemonProcess.started(limits + Self.layout)
    try #require(chmod(daemon.socket, 0o666) == 0)
    return daemon
  }

  /// A program of a user, and its attachment to a window.
  private func program(
    _ daemon: DaemonProcess, user: UInt32, _ path: String
  ) throws -> (client: DaemonClient, attachment: TouchClient.AttachmentID) {
    try #require(thread_become(user, 9, [], 0) == 0)
    let client: DaemonClient
    do {
      defer { precondition(thread_become_root() == 0, "root again") }
      client = try DaemonClient(daemon.socket)
    }
    _ = try client.connection.attach(to: path)
    return (client, try client.next(\.geometry).attachment)
  }

  /// What is answered to a batch; nil where it is in force.
  private func add(
    _ views: [Subview], by program: (client: DaemonClient, attachment: TouchClient.AttachmentID)
  ) throws -> RequestFailure? {
    try program.client.connection.changeViews(views.map { .add($0) }, in: program.attachment)
    return try program.client.next { event -> RequestFailure?? in
      if case .done = event { return .some(nil) }
      return event.failure.map { .some($0) }
    }
  }

  /// Things that a program can have kept, as large as a request can have them.
  enum Kind: CaseIterable {
    case polygons, names, small, properties

    func views(_ number: Int) -> [Subview] {
      let points = (0..<1000).map { Point(x: Double($0), y: Double($0 * $0 % 97)) }
      switch self {
      case .polygons:
        return (0..<4).map { Subview("v\(number)-\($0)", frame: frame, .shape(.polygon(points))) }
      case .names:
        let name = String(repeating: "n", count: 240)
        return (0..<100).map { Subview("\(name)\(number)-\($0)", frame: frame, controller: name) }
      case .small: return (0..<500).map { Subview("v\(number)-\($0)", frame: frame) }
      case .properties:
        return (0..<50).map {
          Subview(
            "v\(number)-\($0)", frame: frame, .alpha(0.5), .outset(Outset(1)), .hit(.redirect("x")),
            .shape(.polygon(Array(points.prefix(3)))), .exclusiveTouch(true)
          ) {
            Subview("x", frame: frame, .inside(.children([])))
          }
        }
      }
    }

    private var frame: Rect { DaemonMemoryTests.frame }
  }

  /// Has as much kept as it may.
  private func fill(
    _ program: (client: DaemonClient, attachment: TouchClient.AttachmentID), with kind: Kind
  ) throws -> RequestFailure {
    for number in 0..<4096 {
      if let failure = try add(kind.views(number), by: program) { return failure }
    }
    throw DaemonClient.Silence()
  }

  /// Programs of one user that have as much kept as they may: the library bounds what one has.
  private func filled(
    _ daemon: DaemonProcess, with kind: Kind
  ) throws -> [(client: DaemonClient, attachment: TouchClient.AttachmentID)] {
    var programs: [(client: DaemonClient, attachment: TouchClient.AttachmentID)] = []
    for path in ["home", "other", "bell"] {
      programs.append(try program(daemon, user: 4001, path))
      do {
        let failure = try fill(programs[programs.count - 1], with: kind)
        try #require(
          failure.code == .limit && failure.text.contains("limits.bytes_per_user"), "\(failure)")
        return programs
      } catch is TouchClientError { continue }
    }
    throw DaemonClient.Silence()
  }

  /// What a daemon has of the machine's memory, in bytes; its program's own file is not in it.
  private func resident(_ daemon: DaemonProcess) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1])) << 10
  }

  @Test("a user's programs are refused what is beyond bytes_per_user, another's are not (F5, S17)")
  func refused() throws {
    let daemon = try daemon("bytes_per_user = 524288")
    let first = try program(daemon, user: 4001, "home")
    let failure = try fill(first, with: .polygons)
    #expect(failure.code == .limit)
    #expect(
      failure.text.hasPrefix("change_views: the programs of uid 4001 would have touchrouted keep "))
    #expect(failure.text.contains("beyond the limit of 524288 (limits.bytes_per_user); remove "))
    for number in 0... {
      if try add([Subview("small\(number)", frame: Self.frame)], by: first) != nil { break }
    }
    // Whatever it is, and whichever of its programs asks for it.
    let second = try? program(daemon, user: 4001, "bell")
    #expect(second == nil)
    for number in 0..<100 {
      let path = "home/small0"
      try first.client.connection.set([ViewChange(path, .alpha(Double(number) / 100))])
      let refusal = try first.client.next { event -> RequestFailure?? in
        if case .done = event { return .some(nil) }
        return event.failure.map { .some($0) }
      }
      guard number > 0 else { continue }
      // What takes the place of what was set is no more than that.
      #expect(refusal == nil || refusal?.code == .limit)
    }
    let other = try program(daemon, user: 4002, "other")
    #expect(try add(Kind.polygons.views(0), by: other) == nil)
    _ = try first.client.connection.detach(first.attachment)
    _ = try first.client.next(\.completion)
    let again = try program(daemon, user: 4001, "home")
    #expect(try add(Kind.polygons.views(0), by: again) == nil)
    #expect(try daemon.stop() == 0)
  }

  @Test("a reload that makes bytes_per_user smaller takes nothing, and lets nothing more be (F5)")
  func reload() throws {
    let daemon = try daemon("bytes_per_user = 1048576")
    let first = try program(daemon, user: 4001, "home")
    for number in 0..<6 { #expect(try add(Kind.polygons.views(number), by: first) == nil) }
    try daemon.write("[limits]\nbytes_per_user = 65536\n" + Self.layout)
    daemon.signal(SIGHUP)
    try daemon.waitForLog("the limits changed")
    #expect(try add(Kind.polygons.views(9), by: first)?.code == .limit)
    try first.client.connection.changeViews([.remove("v0-0")], in: first.attachment)
    _ = try first.client.next(\.completion)
    #expect(try daemon.stop() == 0)
  }

  @Test(
    "what is charged bounds what the daemon takes, and it is given back (F5, S17)",
    arguments: Kind.allCases)
  func givenBack(kind: Kind) throws {
    let limit = 3 << 20
    let daemon = try daemon("bytes_per_user = \(limit)\nviews_per_client = 16384")
    let slack = 2 << 20
    let before = try resident(daemon)
    let watcher = try DaemonClient(daemon.controlSocket)
    func isFree() throws -> Bool {
      try ["home", "other", "bell"].allSatisfy { path in
        _ = try watcher.connection.describe(path, count: 1)
        return try watcher.next(\.view).holder == nil
      }
    }
    for _ in 0..<10 {
      for _ in 0..<3000 {
        guard try !isFree() else { break }
        usleep(10_000)
      }
      let programs = try filled(daemon, with: kind)
      let taken = try resident(daemon) - before
      // While a layout is made anew, the one before is there too.
      #expect(taken <= 2 * limit + slack, "\(kind)")
      withExtendedLifetime(programs) {}
    }
    for _ in 0..<6000 {
      guard try resident(daemon) > before + slack else { break }
      usleep(10_000)
    }
    #expect(try resident(daemon) <= before + slack, "\(kind)")
    #expect(try daemon.stop() == 0)
  }
}
