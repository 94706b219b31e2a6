import Gestures
import LayoutDrawing
import TouchClient
import TouchModel

extension LayoutTree {
  /// The layout in force, with who holds what.
  init(_ described: DescribedLayout) {
    let notes = described.gestureRemarks
    self.init(
      screens: described.screens.map { screen in
        let text = Self.text(screen.name, screen.size, rotation: screen.rotation)
        return ([text] + notes["screen:\(screen.name)", default: []]).joined(separator: "  ")
      },
      nodes: described.views.map {
        Node($0, described.programs, notes: notes[$0.path, default: []])
      })
  }
}

extension LayoutTree.Node {
  fileprivate init(_ view: DescribedView, _ names: [Int32: String], notes: [String]) {
    func name(_ pid: Int32) -> String { "pid \(pid)" + (names[pid].map { " (\($0))" } ?? "") }
    var remarks: [String] = []
    if view.flags.contains(.hidden) { remarks.append("hidden") }
    if view.flags.contains(.noInteraction) { remarks.append("no interaction") }
    if view.alpha != 1 { remarks.append("alpha \(Text.number(view.alpha))") }
    if view.boundsOrigin != .zero { remarks.append("origin \(Text.point(view.boundsOrigin))") }
    if view.transform != .identity { remarks.append(Text.transform(view.transform)) }
    if view.flags.contains(.singleTouch) { remarks.append("single touch") }
    if view.flags.contains(.exclusiveTouch) { remarks.append("exclusive touch") }
    if view.flags.contains(.secure) { remarks.append("secure") }
    if let holder = view.holder { remarks.append("held by \(name(holder))") }
    if let holder = view.controllerHolder {
      remarks.append("@\(view.controller) held by \(name(holder))")
    }
    self.init(
      path: view.path, parent: view.parent.map(Int.init),
      controller: view.controller.isEmpty ? nil : view.controller, frame: view.frame,
      remarks: remarks + notes)
  }
}

extension DescribedLayout {
  /// What is said of recognisers, by the paths of their views, and by `screen:NAME`.
  fileprivate var gestureRemarks: [String: [String]] {
    gestures.reduce(into: [:]) { remarks, gesture in
      let owner = String(gesture.path.prefix { $0 != "#" })
      let words = "#\(gesture.recognizer.name) \(RecognizerSpec(gesture).words)"
      let who = gesture.program.map { pid in
        ", added by pid \(pid)" + (programs[pid].map { " (\($0))" } ?? "")
      }
      remarks[owner, default: []].append(words + (who ?? ""))
    }
  }
}
