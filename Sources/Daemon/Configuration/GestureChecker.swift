import Gestures
import Layout
import TouchModel

/// Checks the recognizers of all files against the layout and each other. Rules G1, G7 and G13.
struct GestureChecker {
  let layout: Layout
  let limits: Limits
  let problems: ProblemList

  /// Reports what is wrong with them.
  func check(_ gestures: [GestureReader.Gesture]) {
    var locations: [String: SourceLocation] = [:]
    for gesture in gestures {
      if let first = locations[gesture.spec.path] {
        report(gesture, gesture.location, "is there already, at \(problems.name(first))")
      } else {
        locations[gesture.spec.path] = gesture.location
      }
    }
    if gestures.count > limits.gestures {
      report(
        gestures[limits.gestures], gestures[limits.gestures].location,
        "\(gestures.count) gestures: the limit is \(limits.gestures) (limits.gestures)")
    }
    for gesture in gestures {
      if problems.hasMore { return }
      if let problem = limits.layout.problem(withName: gesture.spec.name, of: "gesture") {
        report(gesture, gesture.location, problem)
      }
      checkOwner(of: gesture)
      checkTo(of: gesture)
      checkNames(gesture.spec.after, gesture.afterLocations, of: gesture, locations)
      checkNames(gesture.spec.simultaneous, gesture.simultaneousLocations, of: gesture, locations)
    }
    checkCircles(of: gestures)
  }

  private func checkOwner(of gesture: GestureReader.Gesture) {
    switch gesture.spec.owner {
    case .view(let path):
      if let responder = layout.responder(at: path), case .view = layout.kind(of: responder) {
        return
      }
      report(
        gesture, gesture.ownerLocation, "there is no view \(quoted(path))\(hint(path))")
    case .screen(let name):
      if layout.screens.contains(where: { $0.name == name }) { return }
      let nearest = nearestKey(to: name, among: layout.screens.map(\.name))
      let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
      report(gesture, gesture.ownerLocation, "there is no screen \(quoted(name))\(hint)")
    }
  }

  private func checkTo(of gesture: GestureReader.Gesture) {
    guard let path = gesture.spec.to, let location = gesture.toLocation,
      layout.responder(at: path) == nil
    else { return }
    report(gesture, location, "to: there is no responder \(quoted(path))\(hint(path))")
  }

  private func checkNames(
    _ paths: [String], _ sources: [SourceLocation], of gesture: GestureReader.Gesture,
    _ locations: [String: SourceLocation]
  ) {
    for (path, location) in zip(paths, sources) where locations[path] == nil {
      let nearest = nearestKey(to: path, among: Array(locations.keys).sorted())
      let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
      report(gesture, location, "there is no gesture \(quoted(path))\(hint)")
    }
  }

  /// Reports the gestures that wait, over others or at once, for themselves.
  private func checkCircles(of gestures: [GestureReader.Gesture]) {
    let circular = WaitingCircles.paths(of: gestures.map { ($0.spec.path, $0.spec.after) })
    for gesture in gestures where circular.contains(gesture.spec.path) {
      let index = gesture.spec.after.firstIndex { circular.contains($0) }
      let location = index.map { gesture.afterLocations[$0] } ?? gesture.location
      report(gesture, location, "after runs in a circle: it would wait for itself")
    }
  }

  private func hint(_ path: String) -> String {
    layout.nearestPath(to: path).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  private func report(
    _ gesture: GestureReader.Gesture, _ location: SourceLocation, _ message: String
  ) {
    problems.add(location, "gesture \(quoted(gesture.spec.path)): \(message)")
  }
}
