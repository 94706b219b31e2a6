import TouchModel

/// What a program is told of a screen, a lock, or what it watches. Nothing says in which order it
/// is told of different ones.
enum Notice: Equatable {
  /// The screen's number and name, what it is, and why; nil where it was that before.
  case screen(Int, String, ScreenState, ScreenCause?)
  /// The screen's number and name, how long the lock lasts, and why.
  case lock(Int, String, UInt32, LockCause?)
  /// The watch's number, and whether nobody has touched what it watches.
  case idle(UInt32, Bool)

  /// What it is of.
  var subject: String {
    switch self {
    case .screen(_, let name, _, _): "screen \(name)"
    case .lock(_, let name, _, _): "lock \(name)"
    case .idle(let watch, _): "watch \(watch)"
    }
  }
}
