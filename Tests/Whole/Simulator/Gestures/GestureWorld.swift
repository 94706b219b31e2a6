import TestSupport
import TouchModel

/// A random layout with recognizers, and the programs in it.
struct GestureWorld {
  static let screen = "panel"

  struct View {
    var path: String
    var frame: [Int]
    var origin = [0, 0]
    /// Of a transform; nil for none.
    var matrix: [Int]?
    /// How it is in each arrangement.
    var arrangements: [Arrangement] = []
  }

  /// What an arrangement makes of a view.
  struct Arrangement {
    /// How far it is moved.
    var x = 0
    var y = 0
    var isHidden = false
    /// Whether it is not there, with all that lies in it.
    var isGone = false
    /// Its place among its siblings, and of a window its level.
    var order = 0
  }

  /// How many layouts there are, the first as it is.
  static let arrangementCount = 4

  struct Program {
    var path: String
    var handlesGestures: Bool
    var handles = TouchPhases.all
    var passes: TouchPhases = []
  }

  var views: [View] = []
  var gestures: [SimulatedGesture] = []
  var programs: [Program] = []
  /// The longest that a recognizer may hold back others' touches, in milliseconds. Rule G17.
  var holdLimit = 1000
  /// Whether programs handle some phases alone, and pass some of these on.
  private(set) var isPartial = false
  /// What reloads make of the recognizers.
  var editions = GestureEditions()

  /// The world of a seed.
  init(using generator: inout SeededGenerator) {
    views.append(View(path: "u", frame: [0, 0, 800, 480]))
    if generator.oneIn(2) { views.append(View(path: "v", frame: [0, 240, 400, 240])) }
    for index in 0..<(1 + generator.below(4)) { addView(index, using: &generator) }
    addPrograms(using: &generator)
    for index in 0..<(1 + generator.below(8)) {
      let isOfScreen = generator.oneIn(8)
      gestures.append(
        .random(
          view: isOfScreen ? nil : generator.pick(views).path, name: "g\(index)",
          using: &generator))
      if isOfScreen || generator.oneIn(10) {
        gestures[index].to = generator.pick(programs).path
      }
    }
    nameOthers(using: &generator)
    for index in views.indices {
      views[index].arrangements = (0..<Self.arrangementCount).map { number in
        var arrangement = Arrangement()
        guard number > 0 else { return arrangement }
        if generator.oneIn(2) {
          (arrangement.x, arrangement.y) = (generator.below(40) - 20, generator.below(40) - 20)
          arrangement.isHidden = generator.oneIn(6)
        }
        arrangement.isGone = index > 0 && generator.oneIn(3)
        arrangement.order = generator.oneIn(3) ? generator.below(5) : 0
        return arrangement
      }
    }
  }

  private mutating func addView(_ index: Int, using generator: inout SeededGenerator) {
    let path = generator.pick(views).path + "/\(index)"
    guard path.count <= 5 else { return }
    var view = View(
      path: path,
      frame: [
        generator.below(60), generator.below(40), 300 + generator.below(400),
        160 + generator.below(200),
      ])
    if generator.oneIn(4) { view.origin = [7, -3] }
    if generator.oneIn(4) {
      view.matrix = generator.pick([
        [0, 1, -1, 0, 3, 0], [-1, 0, 0, -1, 0, 0], [0, -1, 1, 0, 0, 0], [2, 0, 0, 2, 0, 0],
        [0, 2, -2, 0, 0, 5],
      ])
    }
    views.append(view)
  }

  private mutating func addPrograms(using generator: inout SeededGenerator) {
    for view in views where !generator.oneIn(4) {
      programs.append(Program(path: view.path, handlesGestures: !generator.oneIn(4)))
    }
    if programs.isEmpty { programs.append(Program(path: "u", handlesGestures: true)) }
  }

  /// `after` names earlier ones alone, so that it never runs in a circle.
  private mutating func nameOthers(using generator: inout SeededGenerator) {
    for index in gestures.indices {
      for other in 0..<index {
        if generator.oneIn(6) {
          gestures[index].after.append(gestures[other].path)
        } else if generator.oneIn(4) {
          let (one, two) = generator.oneIn(2) ? (index, other) : (other, index)
          gestures[one].simultaneous.append(gestures[two].path)
        }
      }
    }
  }

  /// The world where programs handle some phases alone, and pass some of these on.
  func partial(using generator: inout SeededGenerator) -> GestureWorld {
    var world = self
    world.isPartial = true
    for index in programs.indices {
      let handles = TouchPhases(rawValue: UInt16(1 + generator.below(15)))
      let passes = TouchPhases(rawValue: UInt16(generator.below(16)))
      world.programs[index].handles = handles
      world.programs[index].passes = generator.oneIn(2) ? [] : passes.intersection(handles)
    }
    return world
  }

  /// The program at a path.
  func program(at path: String) -> Int? { programs.firstIndex { $0.path == path } }

  /// The programs from a view upwards, of those that are there. Rule R1.
  func chain(of view: String, _ present: Set<Int>) -> [Int] {
    var names = view.split(separator: "/")
    var chain: [Int] = []
    while !names.isEmpty {
      if let program = program(at: names.joined(separator: "/")), present.contains(program) {
        chain.append(program)
      }
      names.removeLast()
    }
    return chain
  }

  /// Who gets the events of a recognizer, of those that are there. Rule G13.
  func receiver(of gesture: SimulatedGesture, _ present: Set<Int>) -> Int? {
    if let to = gesture.to {
      return program(at: to).flatMap {
        programs[$0].handlesGestures && present.contains($0) ? $0 : nil
      }
    }
    return gesture.view.flatMap { view in
      chain(of: view, present).first { programs[$0].handlesGestures }
    }
  }

  /// Its configuration.
  var toml: String { toml(0) }

  /// Its configuration in another arrangement, with another edition of the recognizers.
  func toml(_ number: Int, edition: Int = 0) -> String {
    var text = "[screen.\(Self.screen)]\nsize = [800, 480]\n"
    text += "[touch]\nhold_limit_ms = \(holdLimit)\n"
    for view in views(of: number) {
      let isWindow = !view.path.contains("/")
      text += isWindow ? "\n[[window]]\nname" : "\n[[view]]\npath"
      let arrangement = view.arrangements[number]
      var frame = view.frame
      (frame[0], frame[1]) = (frame[0] + arrangement.x, frame[1] + arrangement.y)
      text += " = \"\(view.path)\"\nframe = \(frame)\nbounds_origin = \(view.origin)\n"
      if arrangement.isHidden { text += "hidden = true\n" }
      if isWindow { text += "level = \(arrangement.order)\n" }
      if let matrix = view.matrix { text += "transform = { matrix = \(matrix) }\n" }
    }
    for gesture in gestures(of: number, edition: edition) { text += "\n" + gesture.toml }
    return text
  }

  /// The views that an arrangement has, in its order.
  private func views(of number: Int) -> [View] {
    let gone = views.filter { $0.arrangements[number].isGone }.map(\.path)
    let there = views.filter { view in
      !gone.contains { view.path == $0 || view.path.hasPrefix($0 + "/") }
    }
    return there.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      let depths = (first.path.count, second.path.count)
      if depths.0 != depths.1 { return depths.0 < depths.1 }
      let orders = (first.arrangements[number].order, second.arrangements[number].order)
      return orders.0 == orders.1 ? left.offset < right.offset : orders.0 < orders.1
    }.map(\.element)
  }

  /// The recognizers of an edition that an arrangement can have.
  func gestures(of number: Int, edition: Int) -> [SimulatedGesture] {
    let paths = Set(views(of: number).map(\.path))
    let there = editions.gestures(of: edition, or: gestures).filter { gesture in
      [gesture.view, gesture.to].allSatisfy { $0.map(paths.contains) ?? true }
    }
    let names = Set(there.map(\.path))
    return there.map { gesture in
      var gesture = gesture
      gesture.after.removeAll { !names.contains($0) }
      gesture.simultaneous.removeAll { !names.contains($0) }
      return gesture
    }
  }
}

extension GestureWorld {
  /// The same world without a recognizer.
  func without(_ path: String) -> GestureWorld {
    var world = self
    world.gestures = gestures.without(path)
    world.editions = editions.without(path)
    return world
  }
}
