import Gestures
import Layout
import TouchModel

/// Looks through a valid configuration for what can't be meant.
final class ConfigurationReview {
  private let layout: Layout
  private let source: LayoutSource
  private let warnings: ProblemList
  /// The tables of all views by their paths: made once there is something to warn of.
  private lazy var tables = source.tables()

  private init(_ layout: Layout, _ source: LayoutSource, _ warnings: ProblemList) {
    self.layout = layout
    self.source = source
    self.warnings = warnings
  }

  /// What there is to warn of.
  static func warnings(
    layout: Layout, source: LayoutSource, devices: [Written<DeviceRule>], access: [AccessRule],
    gestures: [Written<GestureReader.Gesture>], files: [String]
  ) -> ConfigurationWarnings {
    let list = ProblemList(files: files)
    let review = ConfigurationReview(layout, source, list)
    review.lookForWindows()
    review.lookForUnreachableViews()
    review.lookForUnruledSecureViews(access)
    review.lookForFarReaching(gestures)
    review.lookForFingersKeptOut(of: gestures)
    GestureReview(layout, gestures, list).look()
    review.lookForUnusedRules(devices)
    review.lookForSlowFilters(devices)
    return list.warnings()
  }

  private func lookForWindows() {
    guard layout.windows.isEmpty else { return }
    warnings.add(
      SourceLocation(file: 0), "there is no window, so no program gets a touch: add [[window]]")
  }

  // MARK: - Views

  private func lookForUnreachableViews() {
    // One more than are listed, so that the list knows that there are more.
    let found = UnreachableView.all(in: layout, limit: ConfigurationError.limit + 1) { view in
      tables[layout.path(of: view)]?.find(ViewChange.Property.Kind.boundsOrigin.name) != nil
    }
    for unreachable in found {
      let key: ViewChange.Property.Kind = unreachable.reason == .outset ? .outset : .frame
      warn(unreachable.view, key, sentence(unreachable))
    }
  }

  private func sentence(_ unreachable: UnreachableView) -> String {
    let view = unreachable.view
    let frame = layout[view].frame
    switch unreachable.reason {
    case .noSize:
      return "it is \(points(frame.width, frame.height)) large, so no touch can hit it"
    case .outset:
      return "nothing is left to touch of \(points(frame.width, frame.height))"
    case .offScreen:
      let screen = layout.screens[Int(layout.window(of: view).screen.rawValue)]
      return "it lies outside screen \(quoted(screen.name)), which has "
        + "\(points(screen.size.width, screen.size.height)), so no touch can hit it"
    case .offSuperview:
      let superview = layout[view].parent ?? view
      let size = layout[superview].frame
      return "it lies outside its superview \(quoted(layout.path(of: superview))), which has "
        + "\(points(size.width, size.height)), so no touch can hit it" + escape
    case .clipped:
      return "no point of it lies on the screen and in all of its superviews, so no touch can hit "
        + "it" + escape
    }
  }

  /// How to say that it is meant.
  private var escape: String {
    "; if the superview scrolls, set its bounds_origin; if the view is placed later, set hidden"
  }

  private func points(_ width: Double, _ height: Double) -> String {
    "\(plain(width)) by \(plain(height)) points"
  }

  /// Warns of secure views that no rule is about, nor about what they lie in. Rule F6.
  private func lookForUnruledSecureViews(_ access: [AccessRule]) {
    let ruled = Set(access.map { $0.path[...] })
    var index = 0
    while index < layout.viewCount, !warnings.hasMore {
      let view = ViewIndex(Int32(index))
      index += 1
      guard layout[view].isSecure else { continue }
      index = Int(layout[view].end.rawValue)
      let path = layout.path(of: view)
      if AccessRule.enclosing(path).contains(where: ruled.contains) { continue }
      let window = layout.window(of: view).name
      warn(
        view, .secure,
        layout[view].parent == nil
          ? "no [[access]] rule is about it, so root alone may attach to it"
          : "no [[access]] rule is about it or about \(quoted(window)), so whoever holds the "
            + "window gets its touches")
    }
  }

  /// Warns of gestures of screens that go past a lock, and of those that see what is secret. Rules
  /// G2 and F8.
  private func lookForFarReaching(_ gestures: [Written<GestureReader.Gesture>]) {
    for gesture in gestures {
      if warnings.hasMore { return }
      let spec = gesture.element.spec
      guard case .screen(let screen) = spec.owner else { continue }
      func warn(_ key: GestureKey, _ sentence: String) {
        let entry = gesture.table.find(key.rawValue)
        warnings.add(
          entry?.location ?? gesture.table.location,
          "gesture \(quoted(spec.path)): \(key.rawValue): \(sentence)")
      }
      if spec.seesSecure {
        warn(
          .secure,
          "whoever holds \(quoted(spec.to ?? "")) is told where secure views are touched; it "
            + "should be root's")
      }
      for window in layout.windows where layout.isLock(window) && window.level <= spec.level {
        guard layout.screens[Int(window.screen.rawValue)].name == screen else { continue }
        warn(
          .level,
          "\(spec.level) is not below \(quoted(window.name)), at level \(window.level): it "
            + "recognizes although that is shown; give that a higher level")
      }
    }
  }

  /// Warns of gestures that ask for more fingers than their view takes. Rule T13.
  private func lookForFingersKeptOut(of gestures: [Written<GestureReader.Gesture>]) {
    for gesture in gestures {
      if warnings.hasMore { return }
      let fewest = gesture.element.spec.description.touches.fewest
      guard case .view(let path) = gesture.element.spec.owner, fewest > 1,
        let view = layout.responder(at: path).flatMap({ layout.view(of: $0) }),
        !layout[view].multipleTouch, layout[view].end.rawValue == view.rawValue + 1
      else { continue }
      let entry = gesture.table.find(GestureKey.touches.rawValue)
      warnings.add(
        entry?.location ?? gesture.table.location,
        "gesture \(quoted(gesture.element.spec.path)): touches: \(fewest) fingers never come: "
          + "\(quoted(path)) says multiple_touch = false")
    }
  }

  private func warn(_ view: ViewIndex, _ key: ViewChange.Property.Kind, _ sentence: String) {
    let path = layout.path(of: view)
    let kind = layout[view].parent == nil ? "window" : "view"
    guard let table = tables[path] else { preconditionFailure("every view has a table") }
    warnings.add(
      source.location(of: key.name, in: table),
      "\(kind) \(quoted(path)): \(key.name): \(sentence)")
  }

  // MARK: - Devices

  /// Warns of filters that would take taps of a quick finger: such a tap lasts some 80 ms, and the
  /// next one comes 120 ms later. Rules N2 and N3.
  private func lookForSlowFilters(_ devices: [Written<DeviceRule>]) {
    for device in devices {
      if warnings.hasMore { return }
      let signal = device.element.signal
      func warn(_ key: DeviceKey, _ sentence: String) {
        let entry = device.table.find(key.rawValue)
        warnings.add(
          entry?.location ?? device.table.location, "device: \(key.rawValue): \(sentence)")
      }
      if signal.minimumContactMilliseconds >= 80 {
        warn(
          .minimumContact,
          "quick taps are shorter than \(signal.minimumContactMilliseconds) ms, and are lost")
      }
      if let bridge = signal.bridge, bridge.milliseconds >= 100 {
        warn(
          .bridge,
          "two quick taps within \(bridge.milliseconds) ms become one touch, and every touch ends "
            + "that much later")
      }
    }
  }

  private func lookForUnusedRules(_ devices: [Written<DeviceRule>]) {
    guard let first = devices.firstIndex(where: { $0.element.match.isEverything }) else { return }
    let location = warnings.name(devices[first].table.location)
    for device in devices[(first + 1)...] {
      if warnings.hasMore { return }
      warnings.add(
        device.table.location,
        "this [[device]] is never used: the one at \(location) comes first and matches every "
          + "touchscreen; put it last")
    }
  }
}

extension Layout {
  /// Whether a window is a touch lock by its looks: hidden until a program shows it, and then it
  /// takes every touch.
  fileprivate func isLock(_ window: Window) -> Bool {
    guard case .itself = hitRule(of: window.root) else { return false }
    return self[window.root].isHidden
  }
}

extension DeviceRule.Match {
  /// Whether it asks nothing of a device: patterns of stars alone, of what every device has.
  fileprivate var isEverything: Bool {
    guard properties.isEmpty else { return false }
    return [name, id, path, phys].allSatisfy { pattern in
      pattern?.allSatisfy { $0 == "*" || $0 == ":" } ?? true
    }
  }
}
