import LayoutDrawing
import TouchClient
import TouchModel

extension LayoutTree {
  /// The layout in force, with who holds what.
  init(_ daemon: Daemon) throws {
    // Who is who: describe gives processes only.
    let status = try StatusReport(daemon)
    let names = Dictionary(
      status.clients.map { ($0.pid, "pid \($0.pid) (\($0.name))") }, uniquingKeysWith: { a, _ in a }
    )
    var nodes: [Node] = []
    var generation: UInt32?
    while true {
      let page = try daemon.ask({ connection throws(TouchClientError) in
        try connection.describe(first: UInt32(nodes.count))
      }) { event in
        if case .view(_, let view) = event { nodes.append(Node(view, names)) }
      }
      // A layout that changes between two pages begins anew.
      if let generation, generation != page.generation { nodes = [] }
      generation = page.generation
      if nodes.count >= Int(page.total) { break }
    }
    let screens = daemon.screens.map { Self.text($0.name, $0.size, rotation: $0.rotation) }
    self.init(screens: screens, nodes: nodes)
  }
}

extension LayoutTree.Node {
  fileprivate init(_ view: DescribedView, _ names: [Int32: String]) {
    func name(_ pid: Int32) -> String { names[pid] ?? "pid \(pid)" }
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
      remarks: remarks)
  }
}
