import TouchModel

/// A program's part in a touch of a gesture world. Rules R3 to R5.
struct GesturePart {
  enum Standing {
    /// It may decline until then.
    case undecided(until: Timestamp)
    case accepted
    /// It gets nothing unless others decline.
    case waiting
    /// It waited, and is gone.
    case absent
    case declined
    case gone
  }

  let program: Int
  private let handles: TouchPhases
  /// What stops at it.
  private let stopped: TouchPhases
  /// What it gets.
  private(set) var phases: TouchPhases = []
  var standing = Standing.waiting

  /// The parts of the programs of a chain, from the target up; none where nobody handles `began`.
  static func parts(of chain: [(Int, GestureWorld.Program)]) -> [GesturePart] {
    var parts = chain.map {
      GesturePart(
        program: $0.0, handles: $0.1.handles, stopped: $0.1.handles.subtracting($0.1.passes))
    }
    let never = Timestamp(microseconds: 0)
    return grant(&parts, isFinished: false, at: never).isEmpty ? [] : parts
  }

  /// Gives what is free to who handles it first, and returns what each is to have of what there was
  /// of the touch.
  static func grant(
    _ parts: inout [GesturePart], isFinished: Bool, at time: Timestamp
  ) -> [(program: Int, phases: TouchPhases)] {
    var left = TouchPhases.all
    var gained = parts.map { part in
      guard !part.isOut else { return TouchPhases() }
      defer { left.subtract(part.stopped) }
      return part.isGone ? [] : left.intersection(part.handles).subtracting(part.phases)
    }
    let isHandled = zip(parts, gained).contains { part, gained in
      !part.isOut && !part.isGone && part.phases.union(gained).contains(.began)
    }
    for index in parts.indices {
      let hasEnd = isFinished && parts[index].phases.contains(.ended)
      if !isHandled || hasEnd && !gained[index].contains(.began) { gained[index] = [] }
      if gained[index].isEmpty { continue }
      parts[index].phases.formUnion(gained[index])
      // What begins is had from its beginning.
      if gained[index].contains(.began) { gained[index] = parts[index].phases }
      if case .waiting = parts[index].standing {
        parts[index].standing = .undecided(until: time.adding(milliseconds: 250))
      }
    }
    return zip(parts, gained).filter { !$1.isEmpty }.map { ($0.program, $1) }
  }

  /// Lets programs decide from then on, as they have got the first of the touch.
  static func open(_ parts: inout [GesturePart], at time: Timestamp) {
    for index in parts.indices where parts[index].isActive {
      parts[index].standing = .undecided(until: time.adding(milliseconds: 250))
    }
  }

  /// Whether it gets something of the touch.
  var isActive: Bool {
    switch standing {
    case .undecided, .accepted: true
    case .waiting, .absent, .declined, .gone: false
    }
  }

  /// Whether the chain goes on as if it were not there.
  private var isOut: Bool {
    switch standing {
    case .declined, .absent: true
    case .undecided, .accepted, .waiting, .gone: false
    }
  }

  private var isGone: Bool { if case .gone = standing { true } else { false } }

  /// Ends its part.
  mutating func drop() {
    if isActive { standing = .gone } else if case .waiting = standing { standing = .absent }
  }
}
