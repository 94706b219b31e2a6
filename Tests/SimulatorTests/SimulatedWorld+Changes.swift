import CTouchroute
import Layout
import Routing
import TouchModel

@testable import Server

/// One property that a program has set, as the oracle keeps it, and through which attachment.
struct OracleSetting {
  var change: ViewChange
  var attachment: AttachmentID

  /// A property by two numbers.
  static func property(_ which: Int, _ number: Int) -> ViewChange.Property {
    switch which % 4 {
    case 0: .hidden(number % 2 == 1)
    case 1: .interaction(number % 2 == 1)
    case 2:
      .frame(
        Rect(
          x: Double(number % 60), y: Double(number % 40), width: Double(50 + number),
          height: Double(40 + number % 30)))
    default: .configured
    }
  }

  func apply(to properties: inout ViewProperties, configured: ViewProperties) {
    switch change.property {
    case .hidden(let isHidden): properties.hidden = isHidden
    case .interaction(let isOn): properties.interaction = isOn
    case .frame(let rect): properties.frame = FrameDescription(rect)
    default: properties = configured
    }
  }
}

extension SimulatedWorld {
  /// Has the oracle carry out what programs set, after the daemon.
  func change(_ batches: [(token: RequestToken, changes: [ViewChange])]) {
    var answers: [(program: Program, item: ProgramStream.Item)] = []
    var isChanged = false
    for (token, changes) in batches {
      guard let program = program(token.client) else { continue }
      guard let serial = program.isHeard(.changes(changes)) else {
        return found("\(token.client) is heard setting \(changes), and did not")
      }
      if let code = refusal(of: changes, by: token.client) {
        answers.append((program, .refused(serial: serial, code: code.rawValue)))
        continue
      }
      answers.append((program, .done(serial: serial, total: 0)))
      for change in changes {
        guard let holder = nearest(to: change.path, token.client) else { continue }
        settings.append(OracleSetting(change: change, attachment: holder.id))
      }
      isChanged = true
    }
    if isChanged { replaceLayout() }
    for (program, item) in answers { program.stream.expect(item) }
  }

  private func refusal(
    of changes: [ViewChange], by client: ClientID
  ) -> touchroute_error_code? {
    for change in changes where oracle.layout.viewPaths.contains(change.path) {
      if nearest(to: change.path, client) == nil { return TOUCHROUTE_ERROR_NOT_ALLOWED }
      if case .frame(let frame) = change.property, !isInArea(frame, change.path) {
        return TOUCHROUTE_ERROR_NOT_ALLOWED
      }
    }
    let isThere = changes.allSatisfy { oracle.layout.viewPaths.contains($0.path) }
    return isThere ? nil : TOUCHROUTE_ERROR_NO_RESPONDER
  }

  /// The attachment through which a client changes a view.
  private func nearest(to path: String, _ client: ClientID) -> OracleAttachment? {
    guard oracle.layout.viewPaths.contains(path) else { return nil }
    return oracle.layout.chain(of: path).lazy.compactMap { self.oracle.holders[$0] }
      .first { $0.client == client }
  }

  /// Whether a window of that frame stays, on its screen, where it is configured. Rule L6.
  private func isInArea(_ frame: Rect, _ path: String) -> Bool {
    guard let window = configuredWindow(path) else { return true }
    var set = window.properties
    set.frame = FrameDescription(frame)
    let (box, area) = (Self.box(set), Self.box(window.properties))
    let isEmpty = box.left >= box.right || box.top >= box.bottom
    return isEmpty
      || (box.left >= area.left && box.top >= area.top && box.right <= area.right
        && box.bottom <= area.bottom)
  }

  private static func box(
    _ properties: ViewProperties
  ) -> (left: Double, top: Double, right: Double, bottom: Double) {
    let (frame, map) = (properties.frame, properties.transform)
    let (width, height) = (frame.width.points, frame.height.points)
    let center = Point(x: frame.x.points + width / 2, y: frame.y.points + height / 2)
    let corners = [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].map { x, y in
      map.apply(Point(x: x * width / 2, y: y * height / 2))
    }
    let (xs, ys) = (corners.map { $0.x + center.x }, corners.map { $0.y + center.y })
    return (
      max(xs.min() ?? 0, 0), max(ys.min() ?? 0, 0), min(xs.max() ?? 0, 200),
      min(ys.max() ?? 0, 100)
    )
  }

  /// Forgets what was set in windows that are not in their areas any more. Rule L6.
  func dropBeyondAreas() {
    let windows = Set(settings.map { oracle.layout.window(of: $0.change.path) })
    for window in windows {
      let latest = settings.last { setting in
        setting.change.path == window
          && [.frame, .configured].contains(setting.change.property.kind)
      }
      guard case .frame(let frame) = latest?.change.property, !isInArea(frame, window) else {
        continue
      }
      settings.removeAll { oracle.layout.window(of: $0.change.path) == window }
    }
  }

  /// Takes back what was set through attachments that are no more. Rule L6.
  func takeBack() {
    let held = Set(oracle.holders.values.map(\.id))
    guard settings.contains(where: { !held.contains($0.attachment) }) else { return }
    settings.removeAll { !held.contains($0.attachment) }
    dropBeyondAreas()
    replaceLayout()
  }
}
