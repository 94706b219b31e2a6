package import TouchModel

/// A line of a record: docs/record.md has the schema, version 1. What writes records and what
/// reads them go by these types.
package enum RecordLine {
  /// The first line.
  case header(RecordHeader)
  /// Another layout, or other recognizers, are in force.
  case layout(RecordedLayout)
  /// A frame of a device.
  case frame(RecordedFrame)
  /// What a recognizer came to.
  case gesture(RecordedGestureEvent)
  /// A client holds a responder.
  case attached(RecordedAttachment)
  /// What else happened to a client, to an attachment or to the record.
  case event(RecordedEvent)

  /// When, in microseconds.
  var time: UInt64 {
    switch self {
    case .header(let header): header.time_us
    case .layout(let layout): layout.time_us
    case .frame(let frame): frame.time_us
    case .gesture(let event): event.time_us
    case .attached(let item): item.time_us
    case .event(let event): event.time_us
    }
  }
}

/// The first line of a record: what it is, and what was so when it began.
package struct RecordHeader: Codable {
  /// The format's name, by which a record is known.
  package static let formatName = "touchroute-record"
  /// The version of the schema that this program writes and reads.
  package static let currentVersion = 1

  /// The name of the format.
  package var format = formatName
  /// The version of the schema.
  package var version = currentVersion
  /// The version of touchroute that wrote it.
  package var touchroute: String
  /// The time of day, in seconds since 1970.
  package var started: UInt64
  /// The same moment on the clock of all other times.
  package var time_us: UInt64
  /// The layout's screens.
  package var screens: [RecordedScreen]

  /// What begins a record now.
  package init(
    touchroute: String, started: UInt64, time_us: UInt64, screens: [RecordedScreen]
  ) {
    self.touchroute = touchroute
    self.started = started
    self.time_us = time_us
    self.screens = screens
  }
}

/// A screen of the layout.
package struct RecordedScreen: Codable, Equatable {
  /// Its name.
  package var name: String
  /// Width and height, in points.
  package var size: [Double]
  /// In degrees clockwise.
  package var rotation: UInt32

  /// A screen.
  package init(name: String, size: [Double], rotation: UInt32) {
    self.name = name
    self.size = size
    self.rotation = rotation
  }
}

/// One report of a device, up to its frame mark: the touches that changed. Rule T2.
package struct RecordedFrame: Codable, Equatable {
  /// Which event it is.
  package var event = "frame"
  /// The touchscreen.
  package var device: UInt32
  /// An index of the layout's screens.
  package var screen: UInt32
  /// The daemon's number of it.
  package var sequence: UInt64
  /// When, in microseconds.
  package var time_us: UInt64
  /// The touches.
  package var touches: [RecordedTouch]

  /// A frame.
  package init(
    device: UInt32, screen: UInt32, sequence: UInt64, time_us: UInt64, touches: [RecordedTouch]
  ) {
    self.device = device
    self.screen = screen
    self.sequence = sequence
    self.time_us = time_us
    self.touches = touches
  }
}

/// A touch that changed. What is nil is not so, or did not change.
package struct RecordedTouch: Codable, Equatable {
  /// Its number.
  package var id: UInt64
  /// `began`, `moved`, `ended` or `cancelled`.
  package var phase: String
  /// x and y in points of the screen; nil on a secure view (F7).
  package var at: [Double]?
  /// With `began`: the path of what it hit.
  package var target: String?
  /// With `began`: how many taps; nil for one.
  package var taps: Int?
  /// With `cancelled`: why.
  package var cancel_reason: String?
  /// Why no program gets it.
  package var discard_reason: String?
  /// With `began`: what is special about it.
  package var flags: [String]?
  /// With `began`: the responders that were asked, from the target up.
  package var chain: [RecordedLink]?

  /// A touch in a phase.
  package init(id: UInt64, phase: String, at: [Double]?) {
    self.id = id
    self.phase = phase
    self.at = at
  }
}

/// What became of a touch at a responder of its chain.
package struct RecordedLink: Codable, Equatable {
  /// The path.
  package var path: String
  /// What became of it there.
  package var outcome: String
  /// The daemon's number of the attachment.
  package var attachment: UInt32?
  /// The process.
  package var pid: Int32?
  /// Those that its program gets.
  package var phases: [String]?

  /// What became of it at a responder.
  package init(
    path: String, outcome: String, attachment: UInt32?, pid: Int32?, phases: [String]
  ) {
    self.path = path
    self.outcome = outcome
    self.attachment = attachment
    self.pid = pid
    self.phases = phases.isEmpty ? nil : phases
  }
}

/// What a recognizer came to; all but its changes.
package struct RecordedGestureEvent: Codable, Equatable {
  /// Which event it is.
  package var event = "gesture"
  /// The path.
  package var path: String
  /// Which kind of gesture.
  package var kind: String?
  /// What it came to.
  package var state: String
  /// When, in microseconds.
  package var time_us: UInt64
  /// One of its touches.
  package var touch: UInt64?
  /// The process.
  package var pid: Int32?
  /// Why it was cancelled.
  package var cancel_reason: String?
  /// Why it failed, or takes no part.
  package var reason: String?

  /// Something that happened to a recognizer.
  package init(path: String, state: String, time_us: UInt64) {
    self.path = path
    self.state = state
    self.time_us = time_us
  }
}

/// A client holds a responder.
package struct RecordedAttachment: Codable, Equatable {
  /// Which event it is.
  package var event = "attached"
  /// When, in microseconds.
  package var time_us: UInt64
  /// The daemon's number of the attachment.
  package var attachment: UInt32
  /// The daemon's number of the client.
  package var client: UInt32
  /// The process.
  package var pid: Int32?
  /// Its name.
  package var name: String
  /// The path.
  package var path: String
  /// The phases that it handles.
  package var handles: [String]
  /// Those of them that go on up the chain too.
  package var passes: [String]
  /// Whether it gets gestures. Rule G13.
  package var gestures: Bool

  /// That a client holds it.
  package init(
    time_us: UInt64, attachment: UInt32, client: UInt32, name: String, path: String,
    handles: TouchPhases, passes: TouchPhases, gestures: Bool
  ) {
    self.time_us = time_us
    self.attachment = attachment
    self.client = client
    self.name = name
    self.path = path
    self.handles = handles.words
    self.passes = passes.words
    self.gestures = gestures
  }
}

/// What else happened: `detached`, `gone`, `unresponsive`, `responsive`, `accepted`, `declined`,
/// `lifted` or `lost`.
package struct RecordedEvent: Codable, Equatable {
  /// All words of ``event``.
  package static let words = [
    "detached", "gone", "unresponsive", "responsive", "accepted", "declined", "lifted",
    "lost",
  ]

  /// Which event it is.
  package var event: String
  /// When, in microseconds.
  package var time_us: UInt64
  /// The daemon's number of the attachment.
  package var attachment: UInt32?
  /// The daemon's number of the client.
  package var client: UInt32?
  /// The process.
  package var pid: Int32?
  /// The touch.
  package var touch: UInt64?
  /// With `detached`: why; nil where its program asked for it.
  package var reason: String?
  /// With `lost`: how many messages of the daemon the record does not have.
  package var count: UInt64?

  /// Something that happened.
  package init(event: String, time_us: UInt64) {
    self.event = event
    self.time_us = time_us
  }
}
