import CTouchroute
public import TouchModel

/// Another program holds a view or a controller in this program's window, or no longer holds it.
/// Each event replaces the one before of that path. Rule F6.
public struct ResponderHolder: Equatable, Sendable {
  /// This program's attachment to the window.
  public var attachment: AttachmentID
  /// The responder's path.
  public var path: String
  /// Whether that program holds it now; false if it no longer does.
  public var isHeld: Bool
  /// The process of the program.
  public var pid: Int32
  /// Its user.
  public var uid: UInt32
  /// What it calls itself.
  public var name: String
  /// The phases that it handles. Rule R3.
  public var handles: TouchPhases
  /// Those of them that it passes up the chain.
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
