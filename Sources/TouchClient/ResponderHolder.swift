import CTouchroute
public import TouchModel

/// Who holds a view or a controller in this program's window, or has let go of it: of each the
/// latest, told of what other programs hold alone. Rule F6.
public struct ResponderHolder: Equatable, Sendable {
  /// This program's attachment, to the window.
  public var attachment: AttachmentID
  /// The responder's path.
  public var path: String
  /// Whether it is held now, by that program instead of any told before; where not, that program
  /// has let it go.
  public var isHeld: Bool
  /// The process of the program.
  public var pid: Int32
  /// Its user.
  public var uid: UInt32
  /// What it calls itself.
  public var name: String
  /// The phases that it handles. Rule R3.
  public var handles: TouchPhases
  /// Those of them that go on up the chain too.
  public var passes: TouchPhases

  /// The message as the C library shows it.
  init(_ holder: touchroute_holder, path: String, name: String) {
    attachment = AttachmentID(holder.attachment)
    self.path = path
    isHeld = holder.is_held != 0
    pid = holder.pid
    uid = holder.uid
    self.name = name
    handles = TouchPhases(rawValue: holder.handles)
    passes = TouchPhases(rawValue: holder.passes)
  }
}
