import Configuration
import Gestures
import Layout
import LayoutDrawing
import TouchClient
import TouchModel
import TouchScripts

/// A layout that a command shows: that of a configuration, or the one in force.
struct ListedLayout {
  /// A program that holds, has added or has set something.
  struct Program: Encodable {
    var name: String?
    var pid: Int32

    /// `pid 812 (nav)`.
    var words: String { "pid \(pid)" + (name.map { " (\($0))" } ?? "") }
  }

  /// A recognizer.
  struct Gesture {
    let spec: RecognizerSpec
    /// The program that has added it.
    let adder: Program?
    /// Why it takes no part, as where no program would hear of it. Rule G2.
    var lack: String?

    /// For people: what it is, and who has added it.
    var words: String { spec.words + (adder.map { ", added by \($0.words)" } ?? "") }
  }

  /// Who has to do with a view, as the daemon knows it.
  struct Standing {
    var holder: Program?
    var controllerHolder: Program?
    var adder: Program?
    /// What is set of it, by the names of properties.
    var settings: [(property: String, setter: DescribedProperty.Setter, program: Program?)] = []
  }

  let layout: Layout
  /// What its views are, in the layout's order.
  let properties: [ViewProperties]
  /// Of a configuration in its order, of the daemon by their views and screens.
  let gestures: [Gesture]
  /// Of the layout in force: who has to do with each view, in the layout's order.
  let standings: [Standing]?
  /// The windows that their holders may have take more of the screen. Rule L6.
  let resizable: Set<String>

  /// A configuration's layout.
  init(_ configuration: Configuration) {
    layout = configuration.layout
    properties = configuration.layoutDescription.properties(in: layout)
    gestures = configuration.gestures.map { Gesture(spec: $0, adder: nil) }
    standings = nil
    resizable = Set(
      configuration.layoutDescription.windows.filter(\.isResizable).map(\.name))
  }

  /// The layout in force.
  init(_ described: DescribedLayout) {
    func program(_ pid: Int32?) -> Program? {
      pid.map { Program(name: described.programs[$0], pid: $0) }
    }
    layout = described.layout
    properties = described.description.properties(in: layout)
    gestures = described.gestures.map {
      let spec = RecognizerSpec($0)
      let adder = program($0.program)
      let crowded =
        $0.isCrowdedOut
        ? "as many gestures of programs as a touch is offered to come before it "
          + "(limits.gestures_per_touch)" : nil
      let lack =
        $0.isHeard ? crowded : described.layout.lackOfHearers(of: spec, isAdded: adder != nil)
      return Gesture(spec: spec, adder: adder, lack: lack)
    }
    standings = described.views.map { view in
      Standing(
        holder: program(view.holder), controllerHolder: program(view.controllerHolder),
        adder: program(view.details?.program),
        settings: view.properties.filter { $0.setter != .none }.map {
          ($0.property.name, $0.setter, program($0.program))
        })
    }
    resizable = Set(
      described.views.filter { $0.details?.flags.contains(.resizable) == true }.map(\.path))
  }

  /// A layout of a record. Who has to do with its views the record's other lines say.
  init(_ pictured: PicturedLayout) {
    layout = pictured.layout
    properties = pictured.description.properties(in: layout)
    gestures = pictured.gestures.map { Gesture(spec: $0, adder: nil) }
    standings = layout.views.indices.map { _ in Standing() }
    resizable = Set(pictured.description.windows.filter(\.isResizable).map(\.name))
  }

  /// Those that would take a touch that hits a view, the nearest to it first. Rule G2.
  func gestures(at target: ViewIndex?, on screen: ScreenIndex) -> [Gesture] {
    var owners: [RecognizerSpec.Owner] = []
    var view = target
    while let index = view {
      owners.append(.view(layout.path(of: index)))
      view = layout[index].parent
    }
    owners.append(.screen(layout.screens[Int(screen.rawValue)].name))
    return owners.flatMap { owner in gestures.filter { $0.spec.owner == owner } }.map {
      var gesture = $0
      gesture.lack = obstacle(of: $0.spec, at: target) ?? $0.lack
      return gesture
    }
  }

  /// Why a recognizer would not take a touch that hits a view, whoever hears of it. Rules G2 and
  /// F8. The daemon does not describe the level of a screen's, nor whether it takes secure touches.
  private func obstacle(of spec: RecognizerSpec, at target: ViewIndex?) -> String? {
    if !spec.description.isEnabled { return "it is disabled" }
    guard standings == nil, case .screen = spec.owner, let target else { return nil }
    let window = layout.window(of: target)
    if window.level > spec.level {
      let name = layout.path(of: window.root)
      return "the window \(name) has the level \(window.level), above the gesture's \(spec.level)"
    }
    guard let secure = layout.secureRoot(of: target), !spec.seesSecure else { return nil }
    return "\(layout.path(of: secure)) is secure, and the gesture has not secure = true"
  }

  /// What is to be said of views beside what the layout says, by their paths, and of screens, by
  /// `screen:NAME`.
  var notes: [String: [String]] {
    var notes: [String: [String]] = [:]
    for name in resizable { notes[name, default: []].append("resizable") }
    for (index, standing) in (standings ?? []).enumerated() {
      let view = ViewIndex(Int32(index))
      let words = standing.words(controller: layout.controller(of: view).map(layout.name(of:)))
      if !words.isEmpty { notes[layout.path(of: view), default: []] += words }
    }
    for gesture in gestures {
      let owner = gesture.spec.path.prefix { $0 != "#" }
      notes[String(owner), default: []].append("#\(gesture.spec.name) \(gesture.words)")
    }
    return notes
  }

  /// The same with the texts of the views, for a picture: it shows no other property in words.
  var titles: [String: [String]] {
    var titles = notes
    for (index, properties) in properties.enumerated() where !properties.texts.isEmpty {
      let texts = properties.texts.map { "\($0.name) \"\($0.words)\"" }
      titles[layout.path(of: ViewIndex(Int32(index))), default: []].insert(
        contentsOf: texts, at: 0)
    }
    return titles
  }
}

extension LayoutDescription {
  /// What the views are of the layout that is made of it.
  fileprivate func properties(in layout: Layout) -> [ViewProperties] {
    layout.views.indices.map { properties(of: ViewIndex(Int32($0)), in: layout) }
  }
}

extension ListedLayout {
  /// Where pans from an edge begin. Rule G16.
  var zones: [GestureZone] {
    gestures.compactMap { gesture in
      guard case .edgePan(let pan) = gesture.spec.description.kind else { return nil }
      let path = gesture.spec.path
      switch gesture.spec.owner {
      case .view(let owner):
        guard let view = layout.responder(at: owner).flatMap({ layout.view(of: $0) }) else {
          return nil
        }
        return GestureZone(
          path: path, view: view, screen: layout.window(of: view).screen,
          area: pan.zone(in: layout.bounds(of: view)))
      case .screen(let name):
        guard let index = layout.screens.firstIndex(where: { $0.name == name }) else { return nil }
        let screen = ScreenIndex(Int32(index))
        return GestureZone(
          path: path, view: nil, screen: screen, area: pan.zone(in: layout.bounds(of: screen)))
      }
    }
  }
}

extension GestureKind.EdgePan {
  /// The part of bounds in which its fingers come down.
  fileprivate func zone(in bounds: Rect) -> Rect {
    let (width, height) = (min(margin, bounds.width), min(margin, bounds.height))
    switch edge {
    case .left: return Rect(x: bounds.x, y: bounds.y, width: width, height: bounds.height)
    case .right:
      return Rect(x: bounds.maxX - width, y: bounds.y, width: width, height: bounds.height)
    case .top: return Rect(x: bounds.x, y: bounds.y, width: bounds.width, height: height)
    case .bottom:
      return Rect(x: bounds.x, y: bounds.maxY - height, width: bounds.width, height: height)
    }
  }
}

extension ListedLayout.Standing {
  fileprivate func words(controller: String?) -> [String] {
    var words: [String] = []
    if let holder { words.append("held by \(holder.words)") }
    if let controllerHolder, let controller {
      words.append("@\(controller) held by \(controllerHolder.words)")
    }
    if let adder { words.append("added by \(adder.words)") }
    var said: [(who: String, what: [String])] = []
    for item in settings {
      let who = item.setter.words(item.program)
      if let index = said.firstIndex(where: { $0.who == who }) {
        said[index].what.append(item.property)
      } else {
        said.append((who, [item.property]))
      }
    }
    return words + said.map { "\($0.what.joined(separator: ", ")) set \($0.who)" }
  }
}

extension DescribedProperty.Setter {
  /// `by pid 812 (nav)`, and by what right where that is not a program's attachment.
  fileprivate func words(_ program: ListedLayout.Program?) -> String {
    switch self {
    case .none: ""
    case .attachment: "by \(program?.words ?? "a program")"
    case .rule: "by an access rule's right"
    case .control: "on the control socket"
    }
  }
}

extension Layout {
  /// Why no program would hear of a recognizer that none does.
  fileprivate func lackOfHearers(of spec: RecognizerSpec, isAdded: Bool) -> String {
    var owner: ViewIndex?
    if case .view(let path) = spec.owner { owner = responder(at: path).flatMap(view(of:)) }
    return lackOfHearers(from: owner, to: spec.to, isAdded: isAdded)
  }
}
