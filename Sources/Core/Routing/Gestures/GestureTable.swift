package import Gestures
package import Layout
package import TouchModel

/// The recognizers of a layout: which views and screens they lie in, and to whom their events go.
/// Rules G1, G2 and G13.
///
/// One that comes or goes leaves the others where they are.
package struct GestureTable {
  /// Where the events of a recognizer go. Rule G13.
  enum Target: BitwiseCopyable {
    /// Up the chain of its view.
    case chain(ViewIndex)
    /// To one responder.
    case responder(ResponderID)
    /// The layout does not have the responder.
    case nobody
  }

  /// One recognizer, in plain bytes: a touch that begins looks at many, and counts no references.
  struct Member: BitwiseCopyable {
    let id: RecognizerID
    /// In the order of the configuration.
    fileprivate let order: Int
    /// Nil where the layout does not have its view or screen.
    fileprivate var owner: Owner?
    fileprivate(set) var target: Target
    /// The attachment through which a client has added it. Rule G13.
    let adder: AttachmentID?
    /// Of a screen's: it takes no touch on a window of a higher level. Rule G2.
    let level: Int
    /// Of a screen's: whether it takes touches on secure views too. Rule F8.
    let seesSecure: Bool
    /// Whether it takes part. Rule G2.
    let isEnabled: Bool
    /// Whether clients lose its touches once it recognizes. Rule G9.
    let cancelsTouches: Bool
    /// Who gets its events: fixed when it gets its first touch. Rule G13.
    fileprivate(set) var recipient: AttachmentTable.Place?
    /// Whether it has had a touch in a secure view, since its first one. Rule F7.
    fileprivate(set) var isSecure = false

    /// Whether the layout has its view or screen.
    var hasOwner: Bool { owner != nil }

    /// Whether it is a screen's.
    var isOfScreen: Bool { owner?.screen != nil }

    fileprivate init(
      _ spec: RecognizerSpec, id: RecognizerID, order: Int, in layout: Layout, like other: Member?
    ) {
      self.id = id
      self.order = order
      owner = Owner(spec.owner, in: layout)
      target = owner.map { GestureTable.target(of: spec, $0.view, in: layout) } ?? .nobody
      adder = spec.adder.map { AttachmentID($0) }
      level = spec.level
      seesSecure = spec.seesSecure
      isEnabled = spec.description.isEnabled
      cancelsTouches = spec.description.cancelsTouches
      recipient = other?.recipient
      isSecure = other?.isSecure ?? false
    }

    /// Where it comes among those of views and screens, if it has one of these.
    fileprivate func key(at index: Int) -> RecognizerOrder.Key? {
      owner.map { .init(owner: $0.place, order: order, index: index) }
    }
  }

  /// By index; what lies at a free index is no member. The recognizers that have touches are found
  /// by the same.
  private(set) var members: ContiguousArray<Member> = []
  /// What they are, by index.
  private var specs: ContiguousArray<RecognizerSpec> = []
  private var freeIndices: [Int] = []
  private var indices: [RecognizerID: Int] = [:]
  private var ids: [String: RecognizerID] = [:]
  /// Those that name another one in `after`, and in `simultaneous`, by its path.
  private var waiting: [String: Set<RecognizerID>] = [:]
  private var joining: [String: Set<RecognizerID>] = [:]
  /// Those of each view and screen.
  private var order = RecognizerOrder()
  /// Those of which the layout does not have the view or screen.
  private(set) var withoutOwner: Set<RecognizerID> = []
  private var nextOrder = 0

  /// Without recognizers.
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
    order = RecognizerOrder(indices.values.compactMap(key(at:)))
  }

  // MARK: Another layout

  /// Goes over to another layout by where views are by now: no other is looked for by its path.
  /// Each recognizer must have its view or screen until then.
  ///
  /// - Parameter body: Is called with those that the layout has no view or screen for.
  mutating func move(by change: LayoutChange, losing body: (RecognizerID) -> Void) {
    for index in indices.values {
      let target = target(at: index, after: change)
      members[index].owner = members[index].owner?.counterpart(by: change)
      members[index].target = members[index].hasOwner ? target : .nobody
      if members[index].hasOwner { continue }
      withoutOwner.insert(members[index].id)
      body(members[index].id)
    }
    let members = members
    order.renew { members[$0].key(at: $0) }
  }

  /// Whether a recognizer has its view or screen in another layout, too.
  func isKept(_ id: RecognizerID, by change: LayoutChange) -> Bool {
    self[id]?.owner?.counterpart(by: change) != nil
  }

  private func target(at index: Int, after change: LayoutChange) -> Target {
    switch members[index].target {
    case .chain(let view): change.counterpart(of: view).map { .chain($0) } ?? .nobody
    case .responder(let responder):
      change.counterpart(of: responder).map { .responder($0) } ?? .nobody
    case .nobody: Self.target(of: specs[index], nil, in: change.new)
    }
  }

  /// Calls `body` with each recognizer whose view lies otherwise in another layout, and how.
  func forEachTurned(by change: LayoutChange, _ body: (_ index: Int, Orientation) -> Void) {
    var turned: Orientation?
    order.forEach(
      ofOwnersWhere: { index in
        guard let before = members[index].owner, before.view != nil,
          let now = before.counterpart(by: change)
        else { return false }
        turned = now.orientation(in: change.new)
        return turned != before.orientation(in: change.old)
      },
      { index in if let turned { body(index, turned) } })
  }

  // MARK: Who there is

  /// Whether there is none.
  var isEmpty: Bool { indices.isEmpty }

  /// All, in the order of the configuration.
  var recognizers: [(id: RecognizerID, spec: RecognizerSpec)] {
    indices.values.sorted { members[$0].order < members[$1].order }
      .map { (members[$0].id, specs[$0]) }
  }

  /// Where the recognizer of that number is among ``members``.
  func index(of id: RecognizerID) -> Int? { indices[id] }

  /// The recognizers with the next numbers in place of these.
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

  /// The recognizer of that number.
  subscript(id: RecognizerID) -> Member? { indices[id].map { members[$0] } }

  /// What the recognizer of that number is.
  func spec(of id: RecognizerID) -> RecognizerSpec? { indices[id].map { specs[$0] } }

  /// The kind and the path of an event's recognizer; nil if it is gone.
  func origin(of event: GestureEvent) -> GestureOrigin? {
    guard event.index < members.count, members[event.index].id == event.recognizer else {
      return nil
    }
    return GestureOrigin(specs[event.index])
  }

  /// The number of the recognizer of that path.
  package func id(of path: String) -> RecognizerID? { ids[path] }

  /// The paths of those of which the layout does not have the view or screen.
  package var pathsWithoutOwner: [String] { withoutOwner.compactMap { spec(of: $0)?.path } }

  /// Whether a recognizer names that path in `after`.
  package func isAwaited(_ path: String) -> Bool { waiting[path] != nil }

  /// Recognizers in the order in which they are described: by their views, in the order of these,
  /// then by their screens; at one view in the order of the configuration, those that clients have
  /// added behind it.
  ///
  /// - Parameters:
  ///   - views: The numbers of the views whose they are; nil for those of all views and screens.
  ///   - first: How many of them are left out at the start.
  ///   - count: How many there are at most.
  package func page(of views: [Range<ViewIndex>]?, first: Int, count: Int) -> [InForce] {
    order.indices(in: views, first: first, count: count).map { index in
      let member = members[index]
      return InForce(
        id: member.id, spec: specs[index], view: member.owner?.view, screen: member.owner?.screen)
    }
  }

  /// A recognizer that a layout has.
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

  /// The recognizers of a view, by index, in the order of the configuration: those that clients
  /// have added behind those that are configured.
  @inline(__always)
  func recognizers(in view: ViewIndex) -> RecognizerOrder.Indices {
    order.indices(of: Owner.view(view).place)
  }

  /// The recognizers of a screen, by index.
  @inline(__always)
  func recognizers(on screen: ScreenIndex) -> RecognizerOrder.Indices {
    order.indices(of: Owner.screen(screen).place)
  }

  /// The names of recognizers of the view of a path, or of a `screen:NAME`.
  package func names(at path: String, in layout: Layout) -> [String] {
    let screen = path.hasPrefix("screen:") ? path.dropFirst("screen:".count) : nil
    guard let owner = Owner(screen.map { .screen(String($0)) } ?? .view(path), in: layout) else {
      return []
    }
    return order.indices(of: owner.place).map { specs[$0].name }
  }

  /// How many recognizers clients have added to a view and to those that it lies in.
  package func addedCount(upFrom view: ViewIndex, in layout: Layout) -> Int {
    var count = 0
    var next: ViewIndex? = isEmpty ? nil : view
    while let current = next {
      count += recognizers(in: current).count { members[$0].adder != nil }
      next = layout[current].parent
    }
    return count
  }

  /// Whether at least so many that clients have added come before one: in the views that its view
  /// lies in, and in that view before it. Rule G2.
  func isCrowdedOut(_ id: RecognizerID, limit: Int, in layout: Layout) -> Bool {
    guard let index = indices[id], members[index].adder != nil,
      let view = members[index].owner?.view
    else { return false }
    let here = recognizers(in: view).prefix { $0 != index }.count { members[$0].adder != nil }
    let around = layout[view].parent.map { addedCount(upFrom: $0, in: layout) } ?? 0
    return here + around >= limit
  }

  /// Calls `body` with the index of each recognizer whose view fulfils the condition.
  func forEachRecognizer(ofViewsWhere isMeant: (ViewIndex) -> Bool, _ body: (Int) -> Void) {
    order.forEach(ofOwnersWhere: { members[$0].owner?.view.map(isMeant) ?? false }, body)
  }

  /// Adds a recognizer behind all others, or puts it in the place of the one of its number.
  mutating func put(_ spec: RecognizerSpec, _ id: RecognizerID, in layout: Layout) {
    place(spec, id, in: layout, like: nil)
    if let key = indices[id].flatMap(key(at:)) { order.insert(key) }
  }

  /// Puts a recognizer in the place of the one of its number, where both have the same path and
  /// name the same others: thousands may name it, and none of them is looked at. Rule F1.
  ///
  /// - Returns: Whether that is so.
  mutating func change(_ spec: RecognizerSpec, _ id: RecognizerID, in layout: Layout) -> Bool {
    guard let index = indices[id], members[index].hasOwner, specs[index].hasNames(of: spec)
    else { return false }
    let old = members[index]
    specs[index] = spec
    members[index] = Member(spec, id: id, order: old.order, in: layout, like: old)
    return true
  }

  private mutating func place(
    _ spec: RecognizerSpec, _ id: RecognizerID, in layout: Layout, like other: Member?
  ) {
    let old = self[id]
    if old != nil { remove(id) }
    let member = Member(
      spec, id: id, order: old?.order ?? nextOrder, in: layout, like: old ?? other)
    nextOrder = max(nextOrder, member.order + 1)
    let index = freeIndices.popLast() ?? members.count
    if index < members.count {
      (members[index], specs[index]) = (member, spec)
    } else {
      members.append(member)
      specs.append(spec)
    }
    indices[id] = index
    if !member.hasOwner { withoutOwner.insert(id) }
    ids[spec.path] = id
    for path in spec.after { waiting[path, default: []].insert(id) }
    for path in spec.simultaneous { joining[path, default: []].insert(id) }
  }

  /// Takes a recognizer away.
  mutating func remove(_ id: RecognizerID) {
    guard let index = indices.removeValue(forKey: id) else { return }
    withoutOwner.remove(id)
    let spec = specs[index]
    if let key = key(at: index) { order.remove(key) }
    freeIndices.append(index)
    ids[spec.path] = nil
    for path in spec.after { waiting.remove(id, from: path) }
    for path in spec.simultaneous { joining.remove(id, from: path) }
  }

  /// Where a recognizer comes among those of views and screens.
  private func key(at index: Int) -> RecognizerOrder.Key? { members[index].key(at: index) }

  /// Takes note of who gets the events of a recognizer, which has no touch yet.
  mutating func setRecipient(_ recipient: AttachmentTable.Place?, at index: Int) {
    if recipient == members[index].recipient, !members[index].isSecure { return }
    members[index].recipient = recipient
    members[index].isSecure = false
  }

  /// Takes note that a recognizer has a touch in a secure view.
  mutating func noteSecure(at index: Int) { members[index].isSecure = true }

  // MARK: What the engine wants to know

  /// The recognizers, in the order of the configuration.
  func entries(in layout: Layout) -> [RecognizerEntry] {
    recognizers.compactMap { entry(of: $0.id, in: layout) }
  }

  /// A recognizer; nil where the layout does not have its view or screen.
  ///
  /// - Parameter withNames: Whether with those that it names, and that name it.
  func entry(
    of id: RecognizerID, withNames: Bool = true, in layout: Layout
  ) -> RecognizerEntry? {
    guard let index = indices[id], let owner = members[index].owner else { return nil }
    let spec = specs[index]
    var entry = RecognizerEntry(
      spec.description, id: id, at: index, owner: owner.number, depth: owner.depth(in: layout),
      orientation: owner.orientation(in: layout))
    guard withNames else { return entry }
    let path = spec.path
    entry.after = spec.after.compactMap { ids[$0] }
    entry.before = Array(waiting[path] ?? [])
    entry.simultaneous = spec.simultaneous.compactMap { ids[$0] } + (joining[path] ?? [])
    return entry
  }

  /// How a recognizer's view lies.
  func orientation(at index: Int, in layout: Layout) -> Orientation? {
    members[index].owner?.orientation(in: layout)
  }

  /// The screen that a recognizer, or its view, is on.
  func screen(at index: Int, in layout: Layout) -> ScreenIndex? {
    guard let owner = members[index].owner else { return nil }
    return owner.screen ?? owner.view.map { layout.window(of: $0).screen }
  }

  fileprivate static func target(
    of spec: RecognizerSpec, _ view: ViewIndex?, in layout: Layout
  ) -> Target {
    guard let path = spec.to else { return view.map { .chain($0) } ?? .nobody }
    return layout.responder(at: path).map { .responder($0) } ?? .nobody
  }
}

extension RecognizerSpec {
  /// Whether it has the path of another one, and names the same others.
  fileprivate func hasNames(of other: RecognizerSpec) -> Bool {
    path == other.path && after == other.after && simultaneous == other.simultaneous
  }
}

extension Dictionary {
  /// Takes an element out of the set of a key.
  fileprivate mutating func remove<Element>(_ element: Element, from key: Key)
  where Value == Set<Element> {
    self[key]?.remove(element)
    if self[key]?.isEmpty == true { self[key] = nil }
  }
}

/// Where a recognizer lies.
private enum Owner: BitwiseCopyable {
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

  /// Where it lies in the layout that replaces another one with the same screens.
  func counterpart(by change: LayoutChange) -> Owner? {
    guard let view else { return self }
    return change.counterpart(of: view).map { .view($0) }
  }

  /// Views come in their order, then screens.
  var place: Int {
    switch self {
    case .view(let view): Int(view.rawValue)
    case .screen(let screen): Int(Int32.max) + 1 + Int(screen.rawValue)
    }
  }

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
