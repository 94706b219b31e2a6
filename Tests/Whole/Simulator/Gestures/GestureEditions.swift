import TestSupport

/// What later configurations make of a world's recognizers: some are not there, some are others of
/// the same path, some name others. Rules G1 and G12.
struct GestureEditions {
  /// How many there are beside the one that the world begins with.
  static let count = 3

  private var editions: [[SimulatedGesture]]

  /// None but the first.
  init() { editions = [] }

  /// At random, of those recognizers.
  init(of gestures: [SimulatedGesture], using generator: inout SeededGenerator) {
    // What is held back is told apart from the frame at hand by times: a story whose world does not
    // hold back has several frames of one time.
    let mayHoldBack = gestures.contains(where: \.delaysBegan)
    editions = (0..<Self.count).map { _ in
      var edition = gestures.indices.compactMap { index -> SimulatedGesture? in
        if generator.oneIn(5) { return nil }
        var varied = Self.varied(gestures[index], of: gestures[..<index], using: &generator)
        if !mayHoldBack { varied.delaysBegan = false }
        return varied
      }
      if generator.oneIn(4) { edition.reverse() }
      return edition
    }
  }

  /// The recognizers of an edition; those of the world itself where it has no such one.
  func gestures(of number: Int, or first: [SimulatedGesture]) -> [SimulatedGesture] {
    editions.indices.contains(number - 1) ? editions[number - 1] : first
  }

  /// The same without a recognizer.
  func without(_ path: String) -> GestureEditions {
    var others = self
    others.editions = editions.map { $0.without(path) }
    return others
  }

  private static func varied(
    _ gesture: SimulatedGesture, of earlier: ArraySlice<SimulatedGesture>,
    using generator: inout SeededGenerator
  ) -> SimulatedGesture {
    var varied = gesture
    switch generator.below(4) {
    case 0:
      varied = .random(view: gesture.view, name: gesture.name, using: &generator)
      (varied.after, varied.simultaneous, varied.to) = (
        gesture.after, gesture.simultaneous, gesture.to
      )
    case 1:
      varied.isEnabled = generator.oneIn(2)
      varied.delaysEnded = generator.oneIn(2)
    default: break
    }
    // Earlier ones alone, so that it never runs in a circle.
    if generator.oneIn(4) { varied.after = earlier.filter { _ in generator.oneIn(4) }.map(\.path) }
    if generator.oneIn(6) {
      varied.simultaneous = earlier.filter { _ in generator.oneIn(3) }.map(\.path)
    }
    return varied
  }
}

extension [SimulatedGesture] {
  /// The same without a recognizer, which nobody names then.
  func without(_ path: String) -> [SimulatedGesture] {
    compactMap { gesture in
      guard gesture.path != path else { return nil }
      var gesture = gesture
      gesture.after.removeAll { $0 == path }
      gesture.simultaneous.removeAll { $0 == path }
      return gesture
    }
  }
}

extension SimulatedGesture {
  /// Whether another one of its path asks for the same and does the same, whomever it names.
  func isSame(as other: SimulatedGesture) -> Bool { unnaming.toml == other.unnaming.toml }

  /// It, naming nobody.
  private var unnaming: SimulatedGesture {
    var gesture = self
    (gesture.after, gesture.simultaneous, gesture.to) = ([], [], nil)
    return gesture
  }
}

extension GestureStep {
  /// Some reloads, and changes of single recognizers, amid a story. Mostly none.
  static func addReloads(
    to steps: inout [GestureStep], of world: GestureWorld, using generator: inout SeededGenerator
  ) {
    guard let end = steps.last?.time, generator.oneIn(2) else { return }
    for _ in 0..<(1 + generator.below(4)) {
      let time = generator.below(end + 1)
      let edition = generator.below(GestureEditions.count + 1)
      let arrangement = generator.oneIn(3) ? generator.below(GestureWorld.arrangementCount) : 0
      let happening: Happening =
        generator.oneIn(3)
        ? .change(generator.pick(world.gestures).path, edition) : .reload(arrangement, edition)
      let place = steps.firstIndex { $0.time > time } ?? steps.count
      steps.insert(GestureStep(time: time, happening: happening), at: place)
    }
  }

  /// Some decisions of programs, on touches that have just begun.
  static func addDecisions(
    to steps: inout [GestureStep], of world: GestureWorld, using generator: inout SeededGenerator
  ) {
    let began = steps.flatMap { step in
      step.contacts.filter { $0.change == .began }.map { (step.time, $0.slot) }
    }
    for (start, slot) in began where generator.oneIn(2) {
      for _ in 0..<(1 + generator.below(3)) {
        let time = start + generator.below(300)
        let program = generator.below(world.programs.count)
        let happening: Happening =
          generator.oneIn(4) ? .accept(program, slot) : .decline(program, slot)
        let place = steps.firstIndex { $0.time > time } ?? steps.count
        steps.insert(GestureStep(time: time, happening: happening), at: place)
      }
    }
  }
}
