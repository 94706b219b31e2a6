public import Routing
public import TouchModel

/// What a window's holder is told of one responder in it: who holds that now, or has let it go.
/// Rule F6.
public struct HolderNotice: Equatable, Sendable {
  /// A program, and what it attached for.
  public struct Holder: Equatable, Sendable {
    /// Its process.
    public var pid: Int32
    /// Its user.
    public var uid: UInt32
    /// What it calls itself.
    public var name: String
    /// The phases that it handles. Rule R3.
    public var handles: TouchPhases
    /// Those of them that go on up the chain too.
    public var passes: TouchPhases

    /// A program that handles and passes those phases.
    public init(
      pid: Int32, uid: UInt32, name: String, handles: TouchPhases, passes: TouchPhases
    ) {
      self.pid = pid
      self.uid = uid
      self.name = name
      self.handles = handles
      self.passes = passes
    }
  }

  /// The attachment to the window, by which the program knows it.
  public var window: AttachmentID
  /// The responder's path.
  public var path: String
  /// Whether it is held now; where not, `holder` held it before.
  public var isHeld: Bool
  /// Who it is.
  public var holder: Holder

  /// What is told of the responder of that path.
  public init(window: AttachmentID, path: String, isHeld: Bool, holder: Holder) {
    self.window = window
    self.path = path
    self.isHeld = isHeld
    self.holder = holder
  }
}
