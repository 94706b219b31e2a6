import CTouchroute
import Gestures
package import Layout
package import Routing
import TouchModel
import Wire

/// A recognizer in force, as `describe` tells it.
package struct DescribedGesture {
  let id: RecognizerID
  let spec: RecognizerSpec
  /// The index of its view among those described, or of its screen.
  let view: UInt32?
  let screen: UInt32?
  /// The client that has added it.
  let client: ClientID?
  /// Whether a client that handles gestures would hear of it.
  let isHeard: Bool
  /// Whether so many come before it that no touch is offered to it.
  let isCrowdedOut: Bool

  /// - Parameters:
  ///   - recognizer: A recognizer of one of the views of a responder, of any view or screen where
  ///     that is nil.
  ///   - client: The client that has added it.
  ///   - isHeard: Whether a client that handles gestures would hear of it.
  ///   - isCrowdedOut: Whether so many come before it that no touch is offered to it.
  package init(
    _ recognizer: GestureTable.InForce, in responder: ResponderID?, of layout: Layout,
    client: ClientID?, isHeard: Bool, isCrowdedOut: Bool
  ) {
    id = recognizer.id
    spec = recognizer.spec
    view = recognizer.view.flatMap { view in
      responder.map { layout.targetIndex(of: view, in: $0) } ?? UInt32(view.rawValue)
    }
    screen = recognizer.screen.map { UInt32($0.rawValue) }
    self.client = client
    self.isHeard = isHeard
    self.isCrowdedOut = isCrowdedOut
  }
}

/// Behind the views of a page of the answer to `describe`: recognizers, each as a message. It ends
/// early where the page has become long, after one item at least.
struct GesturePage {
  private(set) var messages: [FixedMessage<touchroute_described_gesture>] = []

  /// The bytes of paths that are told of those that one names: of more the rest is left out.
  private static let longestNames = 16_384

  /// - Parameters:
  ///   - views: The views of the page, with those wanted of all views and recognizers.
  ///   - pid: The process of a client.
  ///   - gestures: Recognizers of what is described, at most so many, from a number on.
  init(
    behind views: ViewPage, first: Int, count: Int, serial: UInt32, pid: (ClientID) -> Int32,
    gestures: (_ first: Int, _ count: Int) -> [DescribedGesture]
  ) {
    let rest = count - views.count
    var freeBytes = views.freeBytes
    guard first + views.count >= views.total, rest > 0, freeBytes > 0 else { return }
    let start = max(first - views.total, 0)
    for (offset, gesture) in gestures(start, rest).enumerated() where freeBytes > 0 {
      let message = Self.message(
        of: gesture, index: UInt32(clamping: views.total + start + offset), serial: serial,
        pid: gesture.client.map(pid) ?? 0)
      messages.append(message)
      freeBytes -= message.size
    }
  }

  private static func message(
    of gesture: DescribedGesture, index: UInt32, serial: UInt32, pid: Int32
  ) -> FixedMessage<touchroute_described_gesture> {
    let path = pathOnWire(gesture.spec.path)
    let target = pathOnWire(gesture.spec.to ?? "")
    let after = names(gesture.spec.after)
    let simultaneous = names(gesture.spec.simultaneous)
    var fixed = touchroute_described_gesture(gesture.spec.description)
    if gesture.isCrowdedOut { fixed.flags |= Wire.GestureFlags.crowdedOut.rawValue }
    if !gesture.isHeard { fixed.flags |= Wire.GestureFlags.unheard.rawValue }
    fixed.serial = serial
    fixed.recognizer = gesture.id.rawValue
    fixed.index = index
    fixed.view = gesture.view ?? TOUCHROUTE_NONE
    fixed.screen = gesture.screen ?? TOUCHROUTE_NONE
    fixed.pid = pid
    fixed.path_size = UInt32(path.utf8.count)
    fixed.to_size = UInt32(target.utf8.count)
    fixed.after_size = UInt32(after.utf8.count)
    fixed.simultaneous_size = UInt32(simultaneous.utf8.count)
    return FixedMessage(TOUCHROUTE_DESCRIBED_GESTURE, fixed, path, target, after, simultaneous)
  }

  private static func names(_ paths: [String]) -> String {
    var size = 0
    return paths.prefix { path in
      size += path.utf8.count + 1
      return size <= longestNames
    }
    .joined(separator: ",")
  }
}

extension touchroute_described_gesture {
  /// What a recognizer is; what its kind does not have is as in `add_gesture`.
  fileprivate init(_ description: RecognizerDescription) {
    self.init()
    kind = Wire.GestureKind(description.kind).rawValue
    fewest = UInt8(clamping: description.touches.fewest)
    most = UInt8(clamping: description.touches.most)
    flags = Wire.GestureFlags(description).rawValue
    let settings = description.kind.settings
    taps = UInt8(clamping: settings.taps ?? 0)
    duration_ms = settings.durationMilliseconds.map { UInt32(clamping: $0) } ?? TOUCHROUTE_NONE
    interval_ms = settings.intervalMilliseconds.map { UInt32(clamping: $0) } ?? TOUCHROUTE_NONE
    gather_ms = settings.gatherMilliseconds.map { UInt32(clamping: $0) } ?? TOUCHROUTE_NONE
    (slop, distance) = (settings.slop ?? -1, settings.distance ?? -1)
    (margin, slop_degrees) = (settings.margin ?? -1, settings.slopDegrees ?? -1)
    direction = settings.direction.map { Wire.Direction($0) }?.rawValue ?? 0
    edge = settings.edge.map { Wire.Edge($0) }?.rawValue ?? 0
  }
}

extension Wire.GestureFlags {
  fileprivate init(_ description: RecognizerDescription) {
    self = []
    if !description.isEnabled { insert(.disabled) }
    if !description.cancelsTouches { insert(.keepsTouches) }
    if !description.delaysEnded { insert(.passesEnded) }
    if description.delaysBegan { insert(.delaysBegan) }
    if description.hasPriority { insert(.hasPriority) }
  }
}

extension Wire.Direction {
  init(_ direction: GestureDirection) {
    switch direction {
    case .any: self = .any
    case .horizontal: self = .horizontal
    case .vertical: self = .vertical
    case .left: self = .left
    case .right: self = .right
    case .up: self = .up
    case .down: self = .down
    }
  }
}

extension Wire.Edge {
  init(_ edge: Edge) {
    switch edge {
    case .left: self = .left
    case .right: self = .right
    case .top: self = .top
    case .bottom: self = .bottom
    }
  }
}
