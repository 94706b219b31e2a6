import TouchClient
import TouchModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A map that fingers move, zoom and turn, all at once: map [RESPONDER]. The gestures come from the
/// configuration, examples/gestures/map.toml. Their values count from when the fingers came down,
/// so the program only keeps what it showed then.
@main
struct Map {
  /// Where the map is: its middle, its scale, and how far it is turned, in degrees clockwise.
  struct Place {
    var middle = Point.zero
    var scale = 1.0
    var heading = 0.0
  }

  /// What is shown.
  var shown = Place()
  /// What was shown as each of the gestures began.
  var before: [Gesture.Kind: Place] = [:]

  static func main() async {
    do {
      let session = try TouchSession(name: "map", options: .reconnect)
      let path = CommandLine.arguments.dropFirst().first ?? "map"
      _ = try await session.attach(to: path, options: .gestures)
      print("attached")
      fflush(nil)
      var map = Map()
      for try await gesture in session.gestures {
        map.hear(gesture)
        fflush(nil)
      }
    } catch {
      fputs("\(error)\n", fdopen(2, "w"))
      fflush(nil)
      exit(1)
    }
  }

  mutating func hear(_ gesture: Gesture) {
    if gesture.state == .began { before[gesture.kind] = shown }
    guard var start = before[gesture.kind] else { return }
    if gesture.state != .cancelled {
      start.middle.x += gesture.translation.x
      start.middle.y += gesture.translation.y
      start.scale *= gesture.scale
      start.heading += gesture.rotation
    }
    // Each gesture changes what is its own: the others go on beside it.
    switch gesture.kind {
    case .pan: shown.middle = start.middle
    case .pinch: shown.scale = start.scale
    case .rotation: shown.heading = start.heading
    default: break
    }
    if gesture.state == .ended || gesture.state == .cancelled { tell(gesture.kind) }
  }

  private mutating func tell(_ kind: Gesture.Kind) {
    before[kind] = nil
    switch kind {
    case .pan: print("at \(Int(shown.middle.x)), \(Int(shown.middle.y))")
    case .pinch: print("scale \(Int((shown.scale * 100).rounded())) %")
    default: print("turned \(Int(shown.heading.rounded()))")
    }
  }
}
