import Layout
import TouchModel

extension RootKey {
  static func schema(_ key: RootKey) -> JSONValue { key.schema }

  private var schema: JSONValue {
    switch self {
    case .screen:
      [
        "type": "object", "propertyNames": .name,
        "additionalProperties": .table(of: ScreenKey.self, \.schema, requires: [.size]),
        "description": "Screens by their names: [screen.NAME]. The first is the default.",
      ]
    case .device:
      .list(.table(of: DeviceKey.self, \.schema))
        .described("Rules for touchscreens. The first that matches applies.")
    case .window:
      .list(.table(Self.members(WindowKey.self, \.schema), requires: [WindowKey.name.rawValue]))
        .described("Root views placed on a screen, back to front by level, then by order.")
    case .view:
      .list(
        .table(
          Self.members(ViewKey.self, \.schema),
          requires: [ViewKey.path.rawValue, ViewChange.Property.Kind.frame.name])
      ).described("Views by path, in any order of depth. Of siblings, a later one is in front.")
    case .gesture:
      .list(GestureKey.table).described("Recognizers, each of a view or of a screen.")
    case .access:
      .list(AccessKey.table).described(
        "Who may attach to a responder and to what it contains, or turn a screen dark.")
    case .limits:
      JSONValue.table(of: LimitKey.self, \.schema)
        .described("What exceeds a limit is refused with an error that names it.")
    case .touch:
      JSONValue.table(of: TouchKey.self, \.schema)
        .described("Times and distances of touches.")
    }
  }

  /// The keys of a type and those that windows and views have in common.
  private static func members<Key: CaseIterable & RawRepresentable<String>>(
    _ keys: Key.Type, _ schema: (Key) -> JSONValue
  ) -> [String: JSONValue] {
    let own = Key.allCases.map { ($0.rawValue, schema($0)) }
    return Dictionary(own + PropertyKey.schemas) { first, _ in first }
  }
}

extension ScreenKey {
  fileprivate var schema: JSONValue {
    switch self {
    case .size:
      .tuple(["type": "number", "exclusiveMinimum": 0], 2)
        .described("Width and height in points, as the viewer sees it.")
    case .rotation: .rotation.described("How the panel is mounted, in degrees clockwise.")
    case .wake:
      JSONValue.words(Screen.Waking.Action.allCases.map(\.rawValue)).described(
        "What wakes the screen while it is dark.")
    case .wakeGuard:
      JSONValue.integer(ScreenKey.guardRange).described(
        "How long after it is on no program gets a touch that begins, in milliseconds.")
    case .wakeTimeout:
      JSONValue.integer(ScreenKey.timeoutRange).described(
        "How long after it was woken it is on, whatever its blanker says, in milliseconds.")
    }
  }
}

extension DeviceKey {
  fileprivate var schema: JSONValue {
    switch self {
    case .match:
      JSONValue.table(of: MatchKey.self, \.schema)
        .described("Which devices, by shell patterns. Without it: every touchscreen.")
    case .screen: JSONValue.name.described("The screen that it is mapped to.")
    case .calibration:
      JSONValue.numbers(6).described("libinput's matrix, in normalized coordinates.")
    case .rotation:
      .rotation.described(
        "How the digitizer is mounted, if that differs from its panel, in degrees clockwise.")
    case .region:
      JSONValue.numbers(4).described(
        "The part of the screen that it covers: x, y, width and height in points.")
    case .grab: JSONValue.boolean.described("True: only the daemon reads the device.")
    case .ignore: JSONValue.boolean.described("True: the daemon does not use the device.")
    case .invertX: JSONValue.boolean.described("The device counts x from the right.")
    case .invertY: JSONValue.boolean.described("The device counts y from the bottom.")
    case .swapXY: JSONValue.boolean.described("The device's x is the screen's y.")
    case .smooth: JSONValue.words(SmoothWord.names).described("The filter of jitter.")
    case .deadZones:
      JSONValue.list(.numbers(4)).described(
        "Where no contact may begin: rectangles of x, y, width and height in points.")
    case .ghosts:
      JSONValue.list(.words(GhostWord.names)).described("What makes a contact a ghost.")
    case .palmPen:
      JSONValue.boolean.described("True: a pen near the glass holds fingers off.")
    default: filterNumber
    }
  }

  /// The schema of a filter's key that takes a number.
  private var filterNumber: JSONValue {
    guard let range else { preconditionFailure("every other key has a schema of its own") }
    let number: JSONValue =
      isInteger ? .integer(Int(range.lowerBound)...Int(range.upperBound)) : .number(range)
    return number.described(sentence)
  }

  private var sentence: String {
    switch self {
    case .bridge:
      "A contact that lands within this time, in milliseconds, goes on as the one before."
    case .bridgeDistance: "How far from the lift it may land, in points."
    case .minimumContact: "A contact shorter than this, in milliseconds, is dropped."
    case .medianDepth: "The samples of the median: 3, 5, 7 or 9."
    case .iirWeight: "How much of the point before is kept, from 0 to 0.99."
    case .dejitterDistance: "After a larger step, in points, the mean starts anew."
    case .oneEuroCutoff: "The cutoff of a finger at rest, in Hz."
    case .oneEuroBeta: "How much the cutoff grows for each point a second."
    case .maximumSpeed: "A point that needs a faster finger is dropped; points a second. 0: off."
    case .edge: "A contact nearer to the edge begins once it has moved this far. 0: off."
    case .stuck: "A contact that rests for this time, in milliseconds, is cancelled. 0: off."
    case .stuckDistance: "How far it may jitter meanwhile, in points."
    case .palmSize: "A contact as long as that is a palm, in millimetres. 0: off."
    case .palmAspect: "A contact this many times as long as wide is a palm. 0: off."
    case .warnSilent:
      "Warns if a finger is down and nothing is reported for this time, in milliseconds. 0: never."
    case .warnHeld: "Warns of a contact that is down for this time, in milliseconds. 0: never."
    case .warnRate:
      "Warns if the rate of reports falls to this percentage of what it was. 0: never."
    case .warnGhosts: "Warns of this many ghosts and too short contacts in a minute. 0: never."
    case .warnDrops: "Warns if the kernel loses events this many times in a minute. 0: never."
    case .warnDrift:
      "Warns if taps lie this many points off the middle of what they hit, on average. 0: never."
    case .warnLosses: "Warns if the device is lost this many times in an hour. 0: never."
    default: ""
    }
  }
}

extension MatchKey {
  fileprivate var schema: JSONValue {
    switch self {
    case .name: JSONValue.text.described("The device's name.")
    case .id: JSONValue.text.described("Vendor and product in hexadecimal digits: \"0416:*\".")
    case .path: JSONValue.text.described("Its node or a link to it, a whole path.")
    case .phys: JSONValue.text.described("Its physical path: \"usb-0000:00:14.0-2/input0\".")
    case .properties:
      ["type": "object", "additionalProperties": .text, "description": "udev properties."]
    }
  }
}

extension AccessKey {
  fileprivate static var table: JSONValue {
    var members = JSONValue.table(of: AccessKey.self, \.schema, requires: [.path]).members
    members["anyOf"] = [
      ["required": [.string(AccessKey.users.rawValue)]],
      ["required": [.string(AccessKey.groups.rawValue)]],
    ]
    return .object(members)
  }

  private var schema: JSONValue {
    switch self {
    case .path:
      JSONValue.text.described(
        "A responder: \"home\", \"home/toolbar\", \"home/toolbar@bar\" or \"app:dashboard\"; or a "
          + "screen: \"screen:panel\", or its feedback: \"feedback:panel\".")
    case .users: JSONValue.list(.text).described("The users who may, by name or number.")
    case .groups: JSONValue.list(.text).described("The groups whose members may.")
    }
  }
}

extension TouchKey {
  fileprivate var schema: JSONValue {
    switch self {
    case .decisionTimeout:
      kind.schema.described("How long a program may decline a touch. With 0 it can't.")
    case .unresponsiveAfter:
      kind.schema.described(
        "How long a program may leave everything unread before touches skip it.")
    case .holdLimit:
      kind.schema.described("How long a recognizer may hold back touches of other programs.")
    case .tapInterval:
      kind.schema.described("The longest time from a tap to the next one that counts with it.")
    case .tapDistance:
      kind.schema.described("The longest distance from a tap to the next one, in points.")
    }
  }
}

extension TouchKey.Kind {
  fileprivate var schema: JSONValue {
    switch self {
    case .integer(_, let range): .integer(range)
    case .number(_, let range): .number(range)
    }
  }
}

extension LimitKey {
  fileprivate var schema: JSONValue {
    JSONValue.integer(range).described(sentence)
  }

  private var sentence: String {
    switch self {
    case .screens: "Screens."
    case .windows: "Windows, of all screens."
    case .views: "Views, windows included."
    case .depth: "Views from a window to its deepest view, both counted."
    case .nameLength: "Bytes of a name."
    case .polygonPoints: "Points of a polygon."
    case .clients: "Connections to the client socket at one time."
    case .clientsPerUser: "Connections of one user to the client socket at one time."
    case .controlClients: "Connections to the control socket at one time."
    case .attachments: "Attachments of one connection, queued ones included."
    case .attachmentsPerUser: "Attachments of all connections of one user, queued ones included."
    case .touches: "Live touches at one time, of all devices."
    case .gestures: "Recognizers, of the configuration and of programs."
    case .gesturesPerClient: "Recognizers that one connection may add."
    case .gesturesPerUser: "Recognizers that the programs of one user may add."
    case .gesturesPerTouch: "Recognizers of programs that one touch is offered to."
    case .viewsPerClient: "Views that one connection may add."
    case .viewsPerUser: "Views that the programs of one user may add."
    case .lookupCostPerUser: "What the views that one user's programs add or set may cost a lookup."
    case .depthPerClient: "How deep a program's views may lie in the view that it holds."
    case .queueBytes: "Bytes queued for one client before it is disconnected."
    case .controlQueueBytes:
      "Bytes queued for a client of the control socket before it is disconnected."
    case .bytesPerUser: "Bytes that the daemon keeps for the programs of one user."
    case .queueBytesPerUser: "Bytes queued for all clients of one user."
    case .totalQueueBytes: "Bytes queued for all clients."
    case .requestTimeout: "How long a client may take for its hello, and for a message."
    case .lockSeconds: "How long a lock of a screen may last, in seconds."
    }
  }
}

extension JSONValue {
  /// The degrees that something may be mounted at.
  fileprivate static var rotation: JSONValue {
    ["enum": .array(Screen.Rotation.allCases.map { .number(Double($0.rawValue)) })]
  }
}
