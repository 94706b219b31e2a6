import TouchClient
import TouchModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A drawer that is pulled out at its edge, in a window that other programs share: drawer
/// [RESPONDER]. A finger that moves sideways moves the drawer. A finger that moves up or down is
/// not for a drawer, so this program declines it. The program that holds the window then gets it
/// from its beginning. A finger that is lifted where it came down opens or closes the drawer.
@main
struct Drawer {
  /// A finger that is being followed.
  struct Drag {
    var touch: TouchID
    /// Where it came down, in the window's coordinates: the drawer's own move with it.
    var start: Point
    /// Where the drawer was then.
    var origin: Double
    /// Whether the finger moves the drawer.
    var isDecided = false
  }

  /// How far a finger moves before it means something, in points.
  static let slop = 8.0

  let session: TouchSession
  let path: String
  /// Where it is in its superview; x is what the finger changes.
  var frame: Rect
  /// Where it is closed; open it is at 0.
  let closed: Double
  var drag: Drag?

  static func main() async {
    do {
      var drawer = try await Drawer(CommandLine.arguments.dropFirst().first ?? "home/drawer")
      try await drawer.run()
    } catch {
      fputs("\(error)\n", fdopen(2, "w"))
      fflush(nil)
      exit(1)
    }
  }

  /// Attaches, and asks where the drawer is once it is as configured: another run of this program
  /// may have left it open.
  init(_ path: String) async throws {
    session = try TouchSession(name: "drawer", options: .reconnect)
    self.path = path
    let attachment = try await session.attach(to: path).attachment
    try await session.set([ViewChange(path, .configured)])
    guard let view = try await session.describe(path).first else {
      throw DrawerError(description: "\(path) is no view (attachment \(attachment.rawValue))")
    }
    frame = view.frame
    closed = view.frame.x
  }

  mutating func run() async throws {
    print("attached")
    fflush(nil)
    for try await event in session.events {
      do {
        switch event {
        case .touches(let frame): for touch in frame.touches { try await hear(touch) }
        case .welcome: try await move(to: frame.x)  // a new daemon knows nothing of what was set
        default: break
        }
      } catch let error as TouchClientError where error.kind == .away {
        // Cancelled of what is live, lost, and welcome are still to come.
      }
      fflush(nil)
    }
  }

  private mutating func hear(_ touch: RoutedTouch) async throws {
    if touch.phase == .began, drag == nil {
      drag = Drag(touch: touch.id, start: touch.windowLocation, origin: frame.x)
    }
    guard let drag, drag.touch == touch.id else { return }
    switch touch.phase {
    case .began, .stationary: break
    case .moved: try await follow(touch, drag)
    case .ended:
      self.drag = nil
      let wasOpen = drag.origin > closed / 2
      try await settle(open: drag.isDecided ? frame.x > closed / 2 : !wasOpen)
    case .cancelled:
      self.drag = nil
      try await move(to: drag.origin)  // as if the finger had not been
    }
  }

  private mutating func follow(_ touch: RoutedTouch, _ drag: Drag) async throws {
    let dx = touch.windowLocation.x - drag.start.x
    let dy = touch.windowLocation.y - drag.start.y
    if !drag.isDecided, abs(dy) > Self.slop, abs(dy) >= abs(dx) {
      self.drag = nil
      print("declined")
      return try await session.decline(touch.id, for: touch.attachment)
    }
    if !drag.isDecided, abs(dx) > Self.slop {
      self.drag?.isDecided = true
      try await session.accept(touch.id, for: touch.attachment)
    }
    if self.drag?.isDecided == true { try await move(to: min(0, max(closed, drag.origin + dx))) }
  }

  private mutating func settle(open: Bool) async throws {
    try await move(to: open ? 0 : closed)
    print(open ? "open" : "closed")
  }

  private mutating func move(to x: Double) async throws {
    frame.x = x
    try await session.set([ViewChange(path, .frame(frame))])
  }
}

/// What keeps the drawer from its work.
struct DrawerError: Error, CustomStringConvertible {
  var description: String
}
