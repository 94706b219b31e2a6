import Gestures
import Layout
import TouchModel

/// The recognisers of a layout: which views and screens they lie in, and to whom their events go.
/// Rules G1, G2 and G13.
struct GestureTable {
  /// One recogniser in the layout in force.
  struct Member {
    let id: RecognizerID
    let path: String
    /// Its view; nil for a screen's.
    let view: ViewIndex?
    /// The only responder that its events go to; nil for the chain of its view.
    let target: ResponderID?
    /// Whether clients lose its touches once it recognises. Rule G9.
    let cancelsTouches: Bool
    private let owner: RecognizerSpec.Owner

    fileprivate init(
      _ spec: RecognizerSpec, id: RecognizerID, view: ViewIndex?, target: ResponderID?
    ) {
      self.id = id
      path = spec.path
      self.view = view
      self.target = target
      cancelsTouches = spec.description.cancelsTouches
      owner = spec.owner
    }

    /// Whether a layout has its view, or its screen.
    func isThere(in layout: Layout) -> Bool { Owner(owner, in: layout) != nil }
  }

  /// All, by number from 1 on; those that the layout does not have are left out.
  private(set) var members: [Member] = []
  private var indices: [RecognizerID: Int] = [:]
  private var byView: [ViewIndex: [RecognizerID]] = [:]
  private var byScreen: [ScreenIndex: [RecognizerID]] = [:]
  /// The recognisers, as the engine wants them.
  private(set) var entries: [RecognizerEntry] = []

  /// No recognisers.
  init() {}

  /// Those of a layout. Each is of a view or screen that it has: who says them has checked that.
  init(_ specs: [RecognizerSpec], in layout: Layout) {
    var ids: [String: RecognizerID] = [:]
    for (index, spec) in specs.enumerated() { ids[spec.path] = RecognizerID(UInt32(index + 1)) }
    for spec in specs {
      guard let id = ids[spec.path], let owner = Owner(spec.owner, in: layout) else { continue }
      indices[id] = members.count
      members.append(
        Member(
          spec, id: id, view: owner.view, target: spec.to.flatMap { layout.responder(at: $0) }))
      switch owner {
      case .view(let view): byView[view, default: []].append(id)
      case .screen(let screen): byScreen[screen, default: []].append(id)
      }
      var entry = RecognizerEntry(
        spec.description, id: id, owner: owner.number, depth: owner.depth(in: layout),
        orientation: owner.orientation(in: layout))
      entry.after = spec.after.compactMap { ids[$0] }
      entry.simultaneous = spec.simultaneous.compactMap { ids[$0] }
      entries.append(entry)
    }
  }

  /// Whether there is none.
  var isEmpty: Bool { entries.isEmpty }

  /// The recogniser of that number.
  subscript(id: RecognizerID) -> Member? { indices[id].map { members[$0] } }

  /// The recognisers of a view.
  func recognizers(in view: ViewIndex) -> [RecognizerID] { byView[view] ?? [] }

  /// The recognisers of a screen.
  func recognizers(on screen: ScreenIndex) -> [RecognizerID] { byScreen[screen] ?? [] }
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
