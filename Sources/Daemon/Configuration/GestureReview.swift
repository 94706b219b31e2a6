import Gestures
import Layout
import TouchModel

/// Looks for recognizers to which another one leaves nothing. Rules G5 and G6.
struct GestureReview {
  private let layout: Layout
  private let warnings: ProblemList
  private let gestures: [Written<GestureReader.Gesture>]
  /// Those that are enabled, as indices in the order of the configuration, by what they lie in: the
  /// path of a view, or `screen:` and the name of a screen.
  private let owned: [String: [Int]]

  private let descriptions: [RecognizerDescription]
  /// How many superviews the view of each has; -1 for a screen's.
  private let depths: [Int]

  /// Two of which the one comes first.
  private struct Pair {
    let winner: Int
    let loser: Int
  }

  init(
    _ layout: Layout, _ gestures: [Written<GestureReader.Gesture>], _ warnings: ProblemList
  ) {
    self.layout = layout
    self.gestures = gestures
    self.warnings = warnings
    let enabled = gestures.indices.filter { gestures[$0].element.spec.description.isEnabled }
    descriptions = gestures.map(\.element.spec.description)
    depths = gestures.map { gesture in
      guard case .view(let path) = gesture.element.spec.owner else { return -1 }
      return path.utf8.count { $0 == UInt8(ascii: "/") }
    }
    owned = Dictionary(grouping: enabled) { Self.owner(of: gestures[$0].element.spec) }
  }

  /// Warns of each that never recognizes, and of edge gestures that come behind a pan.
  func look() {
    var seen: Set<Int> = []
    for index in gestures.indices where gestures[index].element.spec.description.isEnabled {
      for pair in pairs(of: index) {
        if warnings.hasMore { return }
        if let sentence = sentence(pair), seen.insert(pair.loser).inserted {
          let loser = gestures[pair.loser]
          let text = "gesture \(quoted(loser.element.spec.path)): \(sentence)"
          warnings.add(loser.table.location, text)
        }
      }
    }
  }

  // MARK: - Who meets whom

  /// Those that one may leave nothing to: of its view and all around it.
  private func pairs(of winner: Int) -> [Pair] {
    owners(around: gestures[winner].element.spec).flatMap { owner in
      (owned[owner] ?? []).flatMap { other in
        other == winner
          ? [] : [Pair(winner: winner, loser: other), Pair(winner: other, loser: winner)]
      }
    }
  }

  private static func owner(of spec: RecognizerSpec) -> String {
    switch spec.owner {
    case .view(let path): path
    case .screen(let name): "screen:" + name
    }
  }

  /// What a recognizer lies in, from the inside out: its view, the superviews and the screen.
  private func owners(around spec: RecognizerSpec) -> [String] {
    guard var view = view(of: spec) else { return [Self.owner(of: spec)] }
    var owners = [layout.path(of: view)]
    while let parent = layout[view].parent {
      view = parent
      owners.append(layout.path(of: view))
    }
    let screen = layout.screens[Int(layout.window(of: view).screen.rawValue)]
    return owners + ["screen:" + screen.name]
  }

  private func view(of spec: RecognizerSpec) -> ViewIndex? {
    guard case .view(let path) = spec.owner else { return nil }
    return layout.view(at: path)
  }

  /// Whether one comes before another one that would recognize in the same frame. Rule G5.
  private func isFirst(_ pair: Pair) -> Bool {
    let (winner, loser) = (descriptions[pair.winner], descriptions[pair.loser])
    if winner.hasPriority != loser.hasPriority { return winner.hasPriority }
    let (own, other) = (depths[pair.winner], depths[pair.loser])
    return own == other ? pair.winner < pair.loser : (own > other) != winner.hasPriority
  }

  // MARK: - What is wrong

  /// What is to be said of the one that loses; nil where nothing is.
  private func sentence(_ pair: Pair) -> String? {
    guard isFirst(pair), descriptions[pair.winner].mayLeaveNothing(to: descriptions[pair.loser])
    else { return nil }
    let (winner, loser) = (gestures[pair.winner].element.spec, gestures[pair.loser].element.spec)
    guard !winner.simultaneous.contains(loser.path),
      !loser.simultaneous.contains(winner.path),
      winner.after.allSatisfy({ loser.after.contains($0) })
    else { return nil }
    let name = "\(quoted(winner.path)) at \(warnings.name(gestures[pair.winner].table.location))"
    if case .edgePan(let edge) = loser.description.kind,
      !winner.description.kind.isEdgePan
    {
      guard reaches(winner, edge, of: loser) else { return nil }
      return "\(name), a pan, begins before it does from the edge; give that one "
        + "after = [\(quoted(loser.path))]"
    }
    if Self.owner(of: winner) == Self.owner(of: loser) {
      guard winner.to == loser.to else { return nil }
      return "it never recognizes: \(name) asks for no more and comes first; remove one, or say "
        + "simultaneous = [\(quoted(winner.path))]"
    }
    if winner.description.hasPriority, depths[pair.winner] < depths[pair.loser] {
      return "it never recognizes: \(name) asks for no more and has priority; give that one "
        + "after = [\(quoted(loser.path))]"
    }
    guard let inner = view(of: winner), let outer = view(of: loser), isCovered(outer, by: inner)
    else { return nil }
    return "it never recognizes: \(name) asks for no more, is nearer, and covers all of "
      + "\(quoted(layout.path(of: outer))); give that one after = [\(quoted(loser.path))]"
  }

  /// Whether a view's own touches are all another view's, which lies in it: each view on the way
  /// covers the one it lies in, in front of all its siblings.
  private func isCovered(_ outer: ViewIndex, by inner: ViewIndex) -> Bool {
    var view = inner
    while view != outer {
      guard let parent = layout[view].parent, layout.subviews(of: parent).last == view,
        !layout[view].isGated, layout.transform(of: view) == .identity,
        layout.shape(of: view) == .rect, layout.outset(of: view) == .zero,
        layout.outset(of: parent) == .zero, layout.hitRule(of: view) == .standard,
        layout.insideRule(of: view) == .bounds, layout.insideRule(of: parent) == .bounds,
        layout[view].frame.contains(layout.bounds(of: parent))
      else { return false }
      view = parent
    }
    return true
  }

  /// Whether a pan's view has some of the margin in which an edge gesture begins.
  private func reaches(
    _ pan: RecognizerSpec, _ edge: GestureKind.EdgePan, of spec: RecognizerSpec
  ) -> Bool {
    // A screen's pan has all of it.
    guard let inner = view(of: pan) else { return true }
    let onScreen = layout.frameOnScreen(of: inner)
    var bounds: Rect
    var toOwner = AffineTransform.identity
    if let outer = view(of: spec) {
      bounds = layout.bounds(of: outer)
      toOwner = layout.screenTransform(of: outer)
    } else {
      bounds = layout.bounds(of: layout.window(of: inner).screen)
    }
    let corners = [
      Point(x: onScreen.x, y: onScreen.y), Point(x: onScreen.maxX, y: onScreen.y),
      Point(x: onScreen.x, y: onScreen.maxY), Point(x: onScreen.maxX, y: onScreen.maxY),
    ].map { toOwner.apply($0) }
    let (x, y) = (corners.map(\.x), corners.map(\.y))
    let (left, right) = (x.min() ?? 0, x.max() ?? 0)
    let (top, bottom) = (y.min() ?? 0, y.max() ?? 0)
    switch edge.edge {
    case .left: bounds.width = min(bounds.width, edge.margin)
    case .right: bounds.x = max(bounds.x, bounds.maxX - edge.margin)
    case .top: bounds.height = min(bounds.height, edge.margin)
    case .bottom: bounds.y = max(bounds.y, bounds.maxY - edge.margin)
    }
    return left < bounds.maxX && right > bounds.x && top < bounds.maxY && bottom > bounds.y
  }
}

extension GestureKind.Pan {
  /// Whether it begins no later than an edge gesture that goes the same way.
  fileprivate func comesBefore(_ edge: GestureKind.EdgePan) -> Bool {
    let isSideways = edge.edge == .left || edge.edge == .right
    return slop <= edge.slop && (axis == nil || axis == (isSideways ? .horizontal : .vertical))
  }
}

extension RecognizerDescription {
  /// Whether it recognizes whenever another one of the same fingers would, or before that.
  fileprivate func mayLeaveNothing(to other: RecognizerDescription) -> Bool {
    switch (kind, other.kind) {
    case (.pan(let own), .edgePan(let theirs)):
      own.comesBefore(theirs) && touches.fewest <= other.touches.fewest
        && touches.most >= other.touches.fewest
    case (.pan(let own), .pan(let theirs)):
      own.slop <= theirs.slop && (own.axis == nil || own.axis == theirs.axis)
        && touches.fewest == other.touches.fewest && touches.most >= other.touches.most
    default: kind == other.kind && touches == other.touches
    }
  }
}

extension GestureKind {
  fileprivate var isEdgePan: Bool { if case .edgePan = self { true } else { false } }
}

extension Rect {
  fileprivate func contains(_ other: Rect) -> Bool {
    x <= other.x && y <= other.y && maxX >= other.maxX && maxY >= other.maxY
  }
}
