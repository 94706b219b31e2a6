extension Wire {
  /// How an attachment is made: `enum touchroute_attach_flags`.
  public struct AttachFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public var rawValue: UInt32

    /// The flags of those bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Take the responder from the client that holds it, where that is allowed. Rule R2.
    public static let takeOver = AttachFlags(rawValue: 1 << 0)
    /// Moves that were merged come with their samples. Rule F2.
    public static let history = AttachFlags(rawValue: 1 << 1)
    /// Stand in line where another client holds the responder. Rule R2.
    public static let wait = AttachFlags(rawValue: 1 << 2)
    /// It handles gestures. Rule G13.
    public static let gestures = AttachFlags(rawValue: 1 << 3)

    /// All that there are.
    public static let all: AttachFlags = [.takeOver, .history, .wait, .gestures]
  }

  /// Properties of a view that are on or off: `enum touchroute_view_flags`.
  public struct ViewFlags: OptionSet, Hashable, Sendable {
    /// One bit for each property.
    public var rawValue: UInt32

    /// The properties of those bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Neither it nor what is in it is hit. Rule H2.
    public static let hidden = ViewFlags(rawValue: 1 << 0)
    /// Likewise, though it is to be seen: `interaction = false`.
    public static let noInteraction = ViewFlags(rawValue: 1 << 1)
    /// It takes one touch at a time. Rule T13.
    public static let singleTouch = ViewFlags(rawValue: 1 << 2)
    /// Its touch keeps those of other views of the window out. Rule T13.
    public static let exclusiveTouch = ViewFlags(rawValue: 1 << 3)
    /// Observers get no location of its touches. Rule F7.
    public static let secure = ViewFlags(rawValue: 1 << 4)
  }

  /// What else is special about a view: `enum touchroute_view_details_flags`.
  public struct ViewDetailsFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public var rawValue: UInt32

    /// The flags of those bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A program has added it. Rule L7.
    public static let added = ViewDetailsFlags(rawValue: 1 << 0)
    /// Of a window: who holds it may have it take more of its screen. Rule L6.
    public static let resizable = ViewDetailsFlags(rawValue: 1 << 1)
    /// A property of it has more words or points than a message takes, and is not told.
    public static let incomplete = ViewDetailsFlags(rawValue: 1 << 2)
  }

  /// What is special about a client: `enum touchroute_client_flags`.
  public struct ClientFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public var rawValue: UInt32

    /// The flags of those bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It is connected to the control socket.
    public static let control = ClientFlags(rawValue: 1 << 0)
    /// It observes.
    public static let observer = ClientFlags(rawValue: 1 << 1)
    /// It does not read. Rule F3.
    public static let unresponsive = ClientFlags(rawValue: 1 << 2)
  }

  /// What is special about a device: `enum touchroute_device_flags`.
  public struct DeviceFlags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public var rawValue: UInt32

    /// The flags of those bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nobody else reads it.
    public static let grabbed = DeviceFlags(rawValue: 1 << 0)
    /// It is not read now.
    public static let suspended = DeviceFlags(rawValue: 1 << 1)
    /// The configuration leaves it alone.
    public static let ignored = DeviceFlags(rawValue: 1 << 2)
  }
}
