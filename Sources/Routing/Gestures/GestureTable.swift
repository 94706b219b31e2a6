package import Gestures
package import Layout
package import TouchModel

/// The recognisers of a layout: which views and screens they lie in, and to whom their events go.
/// Rules G1, G2 and G13.
///
/// One that comes or goes leaves the others where they are.
package struct GestureTable {
  /// Where the events of a recogniser go. Rule G13.
  enum Target {
    /// Up the chain of its view.
    case chain(ViewIndex)
    /// To one responder.
    case responder(ResponderID)
    /// The layout does not have the responder.
    case nobody
  }

  /// One recogniser.
  struct Member {
    let id: RecognizerID
    let spec: RecognizerSpec
    /// In the order of the configuration.
    fileprivate let order: Int
    /// Nil where the layout does not have its view or screen.
    fileprivate let owner: Owner?
    let target: Target
    /// Whether clients lose its touches once it recognises. Rule G9.
    let cancelsTouches: Bool
    /// Who gets its events: fixed when it gets its first touch. Rule G13.
    var recipient: AttachmentID?
    /// Whether it has had a touch in a secure view, since its first one. Rule F7.
    var isSecret = false

    /// Whether the layout has its view or screen.
    var hasOwner: Bool { owner != nil }

    fileprivate init(
      _ spec: RecognizerSpec, id: RecognizerID, order: Int, in layout: Layout, like other: Member?
    ) {
      self.id = id
      self.spec = spec
      self.order = order
      owner = Owner(spec.owner, in: layout)
      target = owner.map { GestureTable.target(of: spec, $0.view, in: layout) } ?? .nobody
      cancelsTouches = spec.description.cancelsTouches
      recipient = other?.recipient
      isSecret = other?.isSecret ?? false
    }
  }

  /// By index; what lies at a free index is no member.
  private(set) var members: [Member] = []
  private var freeIndices: [Int] = []
  private var indices: [RecognizerID: Int] = [:]
  private var ids: [String: RecognizerID] = [:]
  /// By index, those of views that are configured.
  private(set) var byView: [ViewIndex: [Int]] = [:]
  /// By index, those that clients have added, in the order of that.
  private(set) var addedByView: [ViewIndex: [Int]] = [:]
  private var byScreen: [ScreenIndex: [Int]] = [:]
  /// Those that name another one in `after`, and in `simultaneous`, by its path.
  private var waiting: [String: [RecognizerID]] = [:]
  private var joining: [String: [RecognizerID]] = [:]
  private var described = RecognizerOrder()
  private var nextOrder = 0

  /// Without recognisers.
  init() {}

  /// Those of a layout, in the order of the configuration. What another table knows of them is
  /// known of them here.
  init(
    _ recognizers: [(id: RecognizerID, spec: RecognizerSpec)], in layout: Layout,
    like other: GestureTable
  ) {
    for (id, spec) in recognizers {
      place(spec, id, in: layout, like: other.index(of: id).map { other.members[$0] })
    }
    described = RecognizerOrder(indices.values.compactMap(describedKey(at:)))
  }

  // MARK: Who there is

  /// Whether there is none.
  var isEmpty: Bool { indices.isEmpty }

  /// All, in the order of the configuration.
  var recognizers: [(id: RecognizerID, spec: RecognizerSpec)] {
    indices.values.map { members[$0] }.sorted { $0.order < $1.order }.map { ($0.id, $0.spec) }
  }

  /// Where the recogniser of that number is among ``members``.
  func index(of id: RecognizerID) -> Int? { indices[id] }

  /// The recognisers with the next numbers in place of these.
  func recognizers(
    leaving numbers: Set<RecognizerID>, for next: inout UInt32
  ) -> [(id: RecognizerID, spec: RecognizerSpec)] {
    var numbered = recognizers
    for index in numbered.indices where numbers.contains(numbered[index].id) {
      numbered[index].id = RecognizerID(next)
      next &+= 1
    }
    return numbered
  }

  /// The recogniser of that number.
  subscript(id: RecognizerID) -> Member? { indices[id].map { members[$0] } }

  /// The number of the recogniser of that path.
  package func id(of path: String) -> RecognizerID? { ids[path] }

  /// Whether a recogniser names that path in `after`.
  package func isAwaited(_ path: String) -> Bool { waiting[path] != nil }

  /// Recognisers in the order in which they are described: by their views, in the order of these,
  /// then by their screens; at one view in the order of the configuration, those that clients have
  /// added behind it.
  ///
  /// - Parameters:
  ///   - views: The numbers of the views whose they are; nil for those of all views and screens.
  ///   - first: How many of them are left out at the start.
  ///   - count: How many there are at most.
  package func page(of views: [Range<ViewIndex>]?, first: Int, count: Int) -> [InForce] {
    described.indices(in: views, first: first, count: count).map { index in
      let member = members[index]
      return InForce(
        id: member.id, spec: member.spec, view: member.owner?.view, screen: member.owner?.screen)
    }
  }

  /// A recogniser that a layout has.
  package struct InForce {
    /// Its number.
    package let id: RecognizerID
    /// What it is.
    package let spec: RecognizerSpec
    /// Its view; nil of a screen's.
    package let view: ViewIndex?
    /// Its screen; nil of a view's.
    package let screen: ScreenIndex?
  }

  /// The recognisers of a view that are configured, by index.
  func configuredRecognizers(in view: ViewIndex) -> [Int] { byView[view] ?? [] }

  /// Those of a view that clients have added, by index, in the order of that.
  func addedRecognizers(in view: ViewIndex) -> [Int] { addedByView[view] ?? [] }

  /// How many recognisers clients have added to a view and to those that it lies in.
  package func addedCount(upFrom view: ViewIndex, in layout: Layout) -> Int {
    var count = 0
    var next: ViewIndex? = view
    while let current = next, !addedByView.isEmpty {
      count += addedByView[current]?.count ?? 0
      next = layout[current].parent
    }
    return count
  }

  /// Whether at least so many that clients have added come before one: in the views that its view
  /// lies in, and in that view before it. Rule G2.
  func isCrowdedOut(_ id: RecognizerID, limit: Int, in layout: Layout) -> Bool {
    guard let index = indices[id], members[index].spec.adder != nil,
      let view = members[index].owner?.view
    else { return false }
    let here = addedRecognizers(in: view).prefix { $0 != index }.count
    let around = layout[view].parent.map { addedCount(upFrom: $0, in: layout) } ?? 0
    return here + around >= limit
  }

  /// The recognisers of a screen, by index.
  func recognizers(on screen: ScreenIndex) -> [Int] { byScreen[screen] ?? [] }

  /// Adds a recogniser behind all others, or puts it in the place of the one of its number.
  mutating func put(_ spec: RecognizerSpec, _ id: RecognizerID, in layout: Layout) {
    place(spec, id, in: layout, like: nil)
    if let key = indices[id].flatMap(describedKey(at:)) { described.insert(key) }
  }

  private mutating func place(
    _ spec: RecognizerSpec, _ id: RecognizerID, in layout: Layout, like other: Member?
  ) {
    var known = other
    var order = nextOrder
    if let old = self[id] {
      known = old
      order = old.order
      remove(id)
    }
    nextOrder = max(nextOrder, order + 1)
    let member = Member(spec, id: id, order: order, in: layout, like: known)
    let index = freeIndices.popLast() ?? members.count
    if index < members.count { members[index] = member } else { members.append(member) }
    indices[id] = index
    ids[spec.path] = id
    for path in spec.after { waiting[path, default: []].append(id) }
    for path in spec.simultaneous { joining[path, default: []].append(id) }
    switch member.owner {
    case .view(let view) where member.spec.adder == nil:
      byView[view, default: []].append(index)
    case .view(let view):
      let later = addedByView[view]?.firstIndex { members[$0].order > order }
      addedByView[view, default: []].insert(index, at: later ?? addedByView[view]?.count ?? 0)
    case .screen(let screen): byScreen[screen, default: []].append(index)
    case nil: break
    }
  }

  /// Takes a recogniser away.
  mutating func remove(_ id: RecognizerID) {
    guard let index = indices.removeValue(forKey: id) else { return }
    let member = members[index]
    if let key = describedKey(at: index) { described.remove(key) }
    freeIndices.append(index)
    ids[member.spec.path] = nil
    for path in member.spec.after { waiting.remove(id, from: path) }
    for path in member.spec.simultaneous { joining.remove(id, from: path) }
    switch member.owner {
    case .view(let view) where member.spec.adder == nil: byView.remove(index, from: view)
    case .view(let view): addedByView.remove(index, from: view)
    case .screen(let screen): byScreen.remove(index, from: screen)
    case nil: break
    }
  }

  /// Where a recogniser comes among those that are described.
  private func describedKey(at index: Int) -> RecognizerOrder.Key? {
    let behindViews = Int(Int32.max) + 1
    let owner =
      switch members[index].owner {
      case .view(let view): Int(view.rawValue)
      case .screen(let screen): behindViews + Int(screen.rawValue)
      case nil: Int?.none
      }
    return owner.map { .init(owner: $0, order: members[index].order, index: index) }
  }

  /// Takes note of who gets the events of a recogniser, which has no touch yet.
  mutating func setRecipient(_ recipient: AttachmentID?, at index: Int) {
    members[index].recipient = recipient
    members[index].isSecret = false
  }

  /// Takes note that a recogniser has a touch in a secure view.
  mutating func noteSecret(at index: Int) { members[index].isSecret = true }

  // MARK: What the engine wants to know

  /// The recognisers, in the order of the configuration.
  func entries(in layout: Layout) -> [RecognizerEntry] {
    recognizers.compactMap { entry(of: $0.id, in: layout) }
  }

  /// A recogniser; nil where the layout does not have its view or screen.
  func entry(of id: RecognizerID, in layout: Layout) -> RecognizerEntry? {
    guard let member = self[id], let owner = member.owner else { return nil }
    var entry = RecognizerEntry(
      member.spec.description, id: id, owner: owner.number, depth: owner.depth(in: layout),
      orientation: owner.orientation(in: layout))
    let path = member.spec.path
    entry.after = member.spec.after.compactMap { ids[$0] }
    entry.before = waiting[path] ?? []
    entry.simultaneous = member.spec.simultaneous.compactMap { ids[$0] } + (joining[path] ?? [])
    return entry
  }

  /// How a recogniser's view lies.
  func orientation(at index: Int, in layout: Layout) -> Orientation? {
    members[index].owner?.orientation(in: layout)
  }

  fileprivate static func target(
    of spec: RecognizerSpec, _ view: ViewIndex?, in layout: Layout
  ) -> Target {
    guard let path = spec.to else { return view.map { .chain($0) } ?? .nobody }
    return layout.responder(at: path).map { .responder($0) } ?? .nobody
  }
}

extension Dictionary {
  /// Takes an element out of the list of a key.
  fileprivate mutating func remove<Element: Equatable>(_ element: Element, from key: Key)
  where Value == [Element] {
    self[key]?.removeAll { $0 == element }
    if self[key]?.isEmpty == true { self[key] = nil }
  }
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

  var screen: ScreenIndex? { if case .screen(let screen) = self { screen } else { nil } }

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
