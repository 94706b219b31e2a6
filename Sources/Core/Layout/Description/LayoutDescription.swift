public import TouchModel

/// A layout as somebody wrote it down, not yet checked: what ``Layout`` is made from.
public struct LayoutDescription: Equatable, Sendable {
  /// A window. Rules L1 and L4.
  public struct Window: Equatable, Sendable {
    /// The name, which is also the path of its root view.
    public var name: String
    /// The screen it is placed on.
    public var screen: ScreenIndex
    /// Windows of a higher level are in front.
    public var level: Int
    /// The application it belongs to, if it belongs to one.
    public var application: String?
    /// Whether who holds it may have it take more of the screen than this. Rule L6.
    public var isResizable: Bool
    /// Whether it gets touches while its screen is dark. Rule D3.
    public var isAlwaysOn: Bool
    /// Its root view; the frame is in points of the screen.
    public var properties: ViewProperties

    /// A window.
    public init(
      name: String, screen: ScreenIndex, level: Int = 0, application: String? = nil,
      isResizable: Bool = false, isAlwaysOn: Bool = false, properties: ViewProperties
    ) {
      self.name = name
      self.screen = screen
      self.level = level
      self.application = application
      self.isResizable = isResizable
      self.isAlwaysOn = isAlwaysOn
      self.properties = properties
    }
  }

  /// A view that is not a window. Rules L1 to L3.
  public struct View: Equatable, Sendable {
    /// `window/…/name`. Rule L5.
    public var path: String
    /// Its properties.
    public var properties: ViewProperties

    /// A view at a path.
    public init(path: String, properties: ViewProperties) {
      self.path = path
      self.properties = properties
    }
  }

  /// The screens.
  public var screens: [Screen]
  /// The windows; of one level, later ones are in front.
  public var windows: [Window]
  /// The views, in any order of depth; of one superview, later ones are in front.
  public var views: [View]

  /// A layout of those parts.
  public init(screens: [Screen], windows: [Window] = [], views: [View] = []) {
    self.screens = screens
    self.windows = windows
    self.views = views
  }
}
