/// The filters of one touchscreen, all of them off by default. Rule N1.
///
/// Distances are in points of the screen, because about half of all touchscreens report no size.
public struct SignalSettings: Equatable, Sendable {
  /// Joins a contact that was lifted with one that lands soon and near. Rule N2.
  public struct Bridge: Equatable, Sendable {
    /// The longest gap, in milliseconds. 0: the filter is off.
    public var milliseconds: UInt64
    /// The longest distance from where the contact was lifted to where it lands.
    public var distance: Double

    /// A bridge of that time and distance.
    public init(milliseconds: UInt64, distance: Double = Bridge.defaultDistance) {
      self.milliseconds = milliseconds
      self.distance = distance
    }

    /// Android's touch slop is 8 dp, UIKit's 10 points; a bouncing finger also slides.
    public static let defaultDistance = 20.0
  }

  /// Takes jitter out of where a contact is. Rule N4.
  public enum Smoothing: Equatable, Sendable {
    /// The median of the last samples; an odd number of them, 3 to 9.
    case median(depth: Int)
    /// Each sample moves the point by 1 - weight of the way.
    case iir(weight: Double)
    /// A weighted mean of the last four samples, anew after a step of more than `distance`.
    case dejitter(distance: Double)
    /// The One Euro filter: a low pass whose cutoff grows with the speed.
    case oneEuro(minimumCutoff: Double, beta: Double)
  }

  /// Ends a contact that has not moved for long. Rule N9.
  public struct Stuck: Equatable, Sendable {
    /// How long, in milliseconds. 0: the filter is off.
    public var milliseconds: UInt64
    /// How far it may jitter and still count as not moving.
    public var distance: Double

    /// A bound of that time and distance.
    public init(milliseconds: UInt64, distance: Double = Stuck.defaultDistance) {
      self.milliseconds = milliseconds
      self.distance = distance
    }

    /// Twice what Chromium takes for one position.
    public static let defaultDistance = 4.0
  }

  /// Which conditions make a contact a ghost. Rule N8.
  public struct Ghosts: OptionSet, Sendable {
    /// The bits of the conditions.
    public var rawValue: UInt8

    /// The conditions of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It landed at nearly the same time as another one, far from it.
    public static let farApart = Ghosts(rawValue: 1 << 0)
    /// It landed straight above or below another one.
    public static let aligned = Ghosts(rawValue: 1 << 1)
    /// Contacts have been at exactly this point, again and again.
    public static let samePlace = Ghosts(rawValue: 1 << 2)
  }

  /// Tells palms from fingers. Rule N12.
  public struct Palm: Equatable, Sendable {
    /// A contact that is as long is a palm, in millimetres; nil: length says nothing.
    public var size: Double?
    /// A contact that is so many times as long as wide is one; nil: its form says nothing.
    public var aspect: Double?
    /// Whether a pen near the glass holds fingers off.
    public var pen: Bool

    /// A filter by these.
    public init(size: Double? = nil, aspect: Double? = nil, pen: Bool = false) {
      self.size = size
      self.aspect = aspect
      self.pen = pen
    }

    /// Whether it needs to know how large contacts are.
    public var needsSizes: Bool { size != nil || aspect != nil }
  }

  /// The filter of bounces. Rule N2.
  public var bridge: Bridge?
  /// A shorter contact never began, in milliseconds; 0 is off. Rule N3.
  public var minimumContactMilliseconds: UInt64 = 0
  /// The filter of jitter. Rule N4.
  public var smoothing: Smoothing?
  /// No finger is faster, in points a second. Rule N5.
  public var maximumSpeed: Double?
  /// Where no contact may begin. Rule N6.
  public var deadZones: [Rect] = []
  /// How wide the edge is; 0 is off. Rule N7.
  public var edge = 0.0
  /// What makes a contact a ghost. Rule N8.
  public var ghosts: Ghosts = []
  /// The filter of stuck contacts. Rule N9.
  public var stuck: Stuck?

  /// The filter of palms. Rule N12.
  public var palm: Palm?

  /// All filters off.
  public init() {}

  /// Whether all filters are off.
  public var isOff: Bool { self == SignalSettings() }
}
