import Gestures
import Layout
import TouchModel

/// A recogniser with the number that it keeps as long as it is there.
struct NumberedRecognizer {
  let id: RecognizerID
  let spec: RecognizerSpec
}

/// The recognisers of a layout: which views and screens they lie in, and to whom their events go.
/// Rules G1, G2 and G13.
struct GestureTable {
  /// Where the events of a recogniser go. Rule G13.
  enum Target {
    /// Up the chain of its view.
    case chain(ViewIndex)
    /// To one responder.
    case responder(ResponderID)
    /// The layout does not have the responder.
    case nobody
  }

  /// One recogniser in the layout in force.
  struct Member {
    let id: RecognizerID
    let spec: RecognizerSpec
    let target: Target
    /// Whether clients lose its touches once it recognises. Rule G9.
    let cancelsTouches: Bool
  }

  /// Those whose view or screen the layout has.
  private(set) var members: [Member] = []
  private var indices: [RecognizerID: Int] = [:]
  private var byView: [ViewIndex: [Int]] = [:]
  private var byScreen: [ScreenIndex: [Int]] = [:]
  /// The recognisers, as the engine wants them.
  private(set) var entries: [RecognizerEntry] = []

  /// Those of a layout, in the order of the configuration.
  init(_ recognizers: [NumberedRecognizer], in layout: Layout) {
    let ids = Dictionary(recognizers.map { ($0.spec.path, $0.id) }) { first, _ in first }
    for recognizer in recognizers {
      let spec = recognizer.spec
      guard let owner = Owner(spec.owner, in: layout) else { continue }
      indices[recognizer.id] = members.count
      switch owner {
      case .view(let view): byView[view, default: []].append(members.count)
      case .screen(let screen): byScreen[screen, default: []].append(members.count)
      }
      members.append(
        Member(
          id: recognizer.id, spec: spec, target: Self.target(of: spec, owner.view, in: layout),
          cancelsTouches: spec.description.cancelsTouches))
      var entry = RecognizerEntry(
        spec.description, id: recognizer.id, owner: owner.number, depth: owner.depth(in: layout),
        orientation: owner.orientation(in: layout))
      entry.after = spec.after.compactMap { ids[$0] }
      entry.simultaneous = spec.simultaneous.compactMap { ids[$0] }
      entries.append(entry)
    }
  }

  private static func target(
    of spec: RecognizerSpec, _ view: ViewIndex?, in layout: Layout
  ) -> Target {
    guard let path = spec.to else { return view.map { .chain($0) } ?? .nobody }
    return layout.responder(at: path).map { .responder($0) } ?? .nobody
  }

  /// Whether there is none.
  var isEmpty: Bool { entries.isEmpty }

  /// Where the recogniser of that number is among ``members``.
  func index(of id: RecognizerID) -> Int? { indices[id] }

  /// The recognisers of a view, by index.
  func recognizers(in view: ViewIndex) -> [Int] { byView[view] ?? [] }

  /// The recognisers of a screen, by index.
  func recognizers(on screen: ScreenIndex) -> [Int] { byScreen[screen] ?? [] }
}

/// Where a recogniser lies.
private enum Owner {
  case view(ViewIndex)
  case screen(ScreenIndex)

  init?(_ owner: RecognizerSpec.Owner, in layout: Layout) {
    switch owner {
    case .view(let path):
      guard let view = layout.responder(at: path).flatMap({ layout.view(of: $0) }) else {
        return nil
      }
      self = .view(view)
    case .screen(let name):
      guard let index = layout.screens.firstIndex(where: { $0.name == name }) else { return nil }
      self = .screen(ScreenIndex(Int32(index)))
    }
  }

  var view: ViewIndex? { if case .view(let view) = self { view } else { nil } }

  /// Tells views and screens from each other.
  var number: Int {
    switch self {
    case .view(let view): Int(view.rawValue)
    case .screen(let screen): -1 - Int(screen.rawValue)
    }
  }

  func depth(in layout: Layout) -> Int {
    guard let view else { return -1 }
    var depth = 0
    var superview = layout[view].parent
    while let current = superview {
      depth += 1
      superview = layout[current].parent
    }
    return depth
  }

  func orientation(in layout: Layout) -> Orientation {
    switch self {
    case .view(let view):
      Orientation(toView: layout.placement(of: view).toView, bounds: layout.bounds(of: view))
    case .screen(let screen):
      Orientation(screenOf: layout.screens[Int(screen.rawValue)].size)
    }
  }
}
