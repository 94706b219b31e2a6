import TouchClient
import TouchModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A list whose rows are views: rows [RESPONDER [COUNT]]. The daemon finds the row under a finger,
/// so this program only looks at names. A tap removes a row, and moves up the rows below it in the
/// same batch, so no finger ever finds a gap. If the daemon dies, the library adds the remaining
/// rows to the next one.
@main
struct Rows {
  static let height = 40.0
  /// Rows that are added or moved with one request.
  static let batch = 1000

  let session: TouchSession
  let list: AttachmentID
  /// The rows that are left, from top to bottom.
  var names: [String]
  /// The finger that is on a row.
  var touch: TouchID?

  static func main() async {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      var rows = try await Rows(
        arguments.first ?? "home/list", count: arguments.dropFirst().first.flatMap { Int($0) } ?? 12
      )
      try await rows.run()
    } catch {
      fputs("\(error)\n", fdopen(2, "w"))
      fflush(nil)
      exit(1)
    }
  }

  init(_ path: String, count: Int) async throws {
    session = try TouchSession(name: "rows", options: .reconnect)
    list = try await session.attach(to: path).attachment
    names = (0..<count).map { "row-\($0)" }
    for start in stride(from: 0, to: count, by: Self.batch) {
      let rows = names.indices.dropFirst(start).prefix(Self.batch)
      try await session.addViews(in: list) {
        for row in rows { Subview(names[row], frame: Self.frame(row)) }
      }
    }
  }

  static func frame(_ row: Int) -> Rect {
    Rect(x: 0, y: height * Double(row), width: 400, height: height)
  }

  mutating func run() async throws {
    print("attached")
    fflush(nil)
    for try await frame in session.touches {
      for touch in frame.touches { try await hear(touch) }
      fflush(nil)
    }
  }

  /// One finger in one frame: its path ends with the row's name.
  private mutating func hear(_ touch: RoutedTouch) async throws {
    let name = String(touch.targetPath.split(separator: "/").last ?? "")
    if touch.phase == .began, names.contains(name) {
      self.touch = touch.id
    } else if touch.id == self.touch, touch.phase == .ended || touch.phase == .cancelled {
      self.touch = nil
      if touch.phase == .ended { try await takeOut(name) }
    }
  }

  private mutating func takeOut(_ name: String) async throws {
    guard let row = names.firstIndex(of: name) else { return }
    names.remove(at: row)
    let below = names.indices.dropFirst(row).prefix(Self.batch - 1)
    try await session.changeViews(
      [.remove(name)] + below.map { .change(names[$0], [.frame(Self.frame($0))]) }, in: list)
    print("\(name) is out, \(names.count) are left")
  }
}
