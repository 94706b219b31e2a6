/// One `[[device]]` of the configuration: which touchscreens it is about, and what it says of them.
public struct DeviceRule: Equatable, Sendable {
  /// Which devices; every pattern given must match. A pattern is a shell's: `*`, `?`, `[a-z]`.
  public struct Match: Equatable, Sendable {
    /// The device's name, trailing blanks removed.
    public var name: String?
    /// `vendor:product` as four hexadecimal digits each, such as `0416:*`.
    public var id: String?
    /// The device's node or any of its links, such as `/dev/input/by-path/*`.
    public var path: String?
    /// The physical path that the kernel gives, such as `usb-0000:00:14.0-2/input0`.
    public var phys: String?
    /// udev properties and the patterns for their values.
    public var properties: [String: String]

    /// The match with those patterns; one without any matches every touchscreen.
    public init(
      name: String? = nil, id: String? = nil, path: String? = nil, phys: String? = nil,
      properties: [String: String] = [:]
    ) {
      self.name = name
      self.id = id
      self.path = path
      self.phys = phys
      self.properties = properties
    }
  }

  /// Which devices.
  public var match: Match
  /// The screen that they are mapped to.
  public var screen: ScreenIndex
  /// libinput's calibration matrix in normalised coordinates: `x' = m0·x + m1·y + m2`, `y' = m3·x +
  /// m4·y + m5`; nil leaves what udev says.
  public var calibration: [Float]?
  /// How the digitizer is mounted; nil where as the panel is, which the screen says.
  public var rotation: Screen.Rotation?
  /// The part of the screen that the device covers, in points; nil for all of it.
  public var region: Rect?
  /// Whether nobody else may read the device meanwhile (EVIOCGRAB).
  public var grab: Bool
  /// Whether the device is left alone.
  public var ignore: Bool
  /// The filters of its signal. Rule N1.
  public var signal: SignalSettings
  /// Whether it says something of filters: else those apply that the device is known to need. Rule
  /// N13.
  public var setsFilters: Bool
  /// When it counts as ill. Rule N10.
  public var health: HealthSettings

  /// A rule for the devices that match.
  public init(
    match: Match, screen: ScreenIndex, calibration: [Float]? = nil,
    rotation: Screen.Rotation? = nil, region: Rect? = nil, grab: Bool = false, ignore: Bool = false,
    signal: SignalSettings = SignalSettings(), setsFilters: Bool = true,
    health: HealthSettings = HealthSettings()
  ) {
    self.match = match
    self.screen = screen
    self.calibration = calibration
    self.rotation = rotation
    self.region = region
    self.grab = grab
    self.ignore = ignore
    self.signal = signal
    self.setsFilters = setsFilters
    self.health = health
  }
}
