import TestSupport
import TouchModel

@testable import Layout

/// A small layout with secure views in which programs set, add, remove and go at random: those that
/// may have the touches of a secure view, and those that may not. Rule F7.
///
/// Coordinates are multiples of 5, so that edges often meet; a height may be half of one. Points
/// are tried between them: a view that is mirrored has its other edge inside, and no more.
struct CoverWorld {
  /// What a secure view has lost, in words.
  struct Loss: Error, CustomStringConvertible {
    let description: String
  }

  private var random: SeededGenerator
  private var description: LayoutDescription
  private var editor: LayoutEditor
  private var claims = Claims()
  private var added = 0
  /// What was done, as a failure tells it.
  private var story: [String] = []
  /// How many changes of those who may not have some secure view were let pass, and were refused.
  private(set) var passed = 0
  private(set) var refused = 0
  /// How often something was taken back.
  private(set) var uncovered = 0

  private static let holder = LayoutSetter.attachment(99)
  private static let others: [LayoutSetter] =
    (1...3).map { .named($0, within: 0) } + [.attachment(11), .attachment(12)]

  init?(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    description = CoverScene.make(&random)
    guard let layout = try? Layout(description) else { return nil }
    editor = LayoutEditor(layout, of: description)
    for view in description.views where view.properties.secure { addClaim(view.path) }
  }

  private mutating func addClaim(_ path: String) {
    let isShared = random.chance(0.3)
    claims.others[path] = Set(Self.others.filter { _ in isShared && random.chance(0.4) })
  }

  /// Who may have the touches of which secure view.
  private struct Claims {
    /// Who may have each besides the holder of its window and the control socket.
    var others: [String: Set<LayoutSetter>] = [:]

    func mayHave(_ setter: LayoutSetter, _ path: String) -> Bool {
      setter == .administrator(0) || setter == holder || others[path]?.contains(setter) ?? false
    }

    /// Whether somebody may change what a path names: by the nearest secure view that it lies in.
    func reach(_ setter: LayoutSetter, _ path: String) -> Bool {
      let nearest = others.keys.filter { path.lies(in: $0[...]) }.max { $0.count < $1.count }
      return nearest.map { mayHave(setter, $0) } ?? true
    }
  }

  // MARK: - What happens

  /// Something happens, and no secure view loses anything.
  mutating func step() throws(Loss) {
    switch random.below(20) {
    case 0: end()
    case 1, 2: add()
    case 3: remove()
    case 4: reload()
    case 5...9: set(by: random.chance(0.5) ? Self.holder : .administrator(0))
    default: set(by: random.pick(Self.others))
    }
    let taken = editor.uncoverSecureViews(for: claims.mayHave)
    if !taken.isEmpty {
      uncovered += 1
      story.append("taken back: \(taken)")
    }
    try check()
  }

  private static func isKnown(_ setter: LayoutSetter) -> Bool {
    setter == .administrator(0) || setter == holder
  }

  private mutating func end() {
    let setter = random.pick(Self.others + [Self.holder])
    _ = editor.end { other, _ in other == setter }
    story.append("\(setter) ends")
  }

  private mutating func set(by setter: LayoutSetter) {
    var changes: [SetChange] = []
    for _ in 0..<(random.chance(0.3) ? 2 : 1) {
      guard let change = change(by: setter) else { return }
      changes.append(SetChange(change, by: setter))
    }
    let refusal = editor.apply([changes], sparing: claims.mayHave)[0]
    if !Self.isKnown(setter) {
      (passed, refused) = refusal == nil ? (passed + 1, refused) : (passed, refused + 1)
    }
    if refusal != nil { return }
    for set in changes
    where set.change.property == .secure(true) && claims.others[set.change.path] == nil {
      addClaim(set.change.path)
    }
    story.append("\(setter): " + changes.map { "\($0.change)" }.joined(separator: ", "))
  }

  private var paths: [String] {
    editor.layout.views.indices.map { editor.layout.path(of: ViewIndex(Int32($0))) }
  }

  private mutating func change(by setter: LayoutSetter) -> ViewChange? {
    let path = random.pick(paths)
    let isWindow = !path.contains("/")
    // What others have added goes with them: no rule of who may have secure views names it.
    let foreign = editor.added.filter { !Self.isKnown($0.setter) }.map(\.view.path)
    let below = paths.filter { below in
      below.hasPrefix(path + "/") && !foreign.contains { below.lies(in: $0[...]) }
    }.map { String($0.dropFirst(path.utf8.count + 1)) }
    let property = CoverScene.property(isWindow: isWindow, below, &random)
    if Self.isKnown(setter) { return ViewChange(path, property) }
    // Who holds a view has no say in which window is in front, and none in what is secure.
    let isAttachment = if case .attachment = setter { true } else { false }
    if isAttachment, isWindow, property.kind.mayReorder { return nil }
    if property.kind == .secure { return nil }
    // What lies in a secure view is for those for whom that is.
    if !claims.reach(setter, path) { return nil }
    return ViewChange(path, property)
  }

  private mutating func add() {
    let setter = random.pick(Self.others.filter { !$0.isNamed } + [Self.holder])
    let superview = random.pick(paths)
    if !claims.reach(setter, superview) { return }
    added += 1
    let view = LayoutDescription.View(
      path: superview + "/a\(added)", properties: CoverScene.properties(&random))
    apply(.add(view), by: setter)
  }

  private mutating func remove() {
    guard let view = editor.added.randomElement(using: &random) else { return }
    apply(.remove(view.view.path), by: view.setter)
  }

  private mutating func apply(_ edit: ViewEdit, by setter: LayoutSetter) {
    let refusal = editor.apply([edit], by: setter, sparing: claims.mayHave)
    if refusal == nil { story.append("\(setter): \(edit)") }
  }

  private mutating func reload() {
    var next = description
    CoverScene.change(&next, &random)
    guard let layout = try? Layout(next) else { return }
    description = next
    for view in next.views where view.properties.secure && claims.others[view.path] == nil {
      addClaim(view.path)
    }
    _ = editor.move(to: layout, of: next, limits: .default)
    story.append("reload")
  }

  // MARK: - What must hold

  private func check() throws(Loss) {
    let layout = editor.layout
    for index in layout.views.indices where layout.views[index].isSecure {
      try check(ViewIndex(Int32(index)))
    }
  }

  private func check(_ secure: ViewIndex) throws(Loss) {
    let (after, path) = (editor.layout, editor.layout.path(of: secure))
    let own = editor.layout(without: { !claims.mayHave($0, path) }, around: path)
    guard let before = own.view(at: path), !isForeign(within: path) else { return }
    try checkExclusive(secure, own)
    let testers = (before: HitTester(own), after: HitTester(after))
    let screen = after.window(of: secure).screen
    let size = after.screens[Int(screen.rawValue)].size
    for column in 0..<Int(size.width / 5) {
      for row in 0..<Int(size.height / 5) {
        let point = Point(x: Double(column) * 5 + 2.3, y: Double(row) * 5 + 2.3)
        guard let hit = testers.before.hitTest(point, on: screen),
          Self.nearestSecure(of: hit, in: own) == before
        else { continue }
        let found = testers.after.hitTest(point, on: screen)
        if let found, secure <= found && found < after[secure].end { continue }
        if let found, isConfigured(found, secure, at: point) { continue }
        throw loss(
          path, "\(point) hits \(found.map { after.path(of: $0) } ?? "nothing")")
      }
    }
  }

  /// Whether others have set something in a secure view, which was there before that was secure.
  private func isForeign(within secure: String) -> Bool {
    editor.changes.contains { set in
      !claims.mayHave(set.setter, secure) && set.change.path != secure
        && set.change.path.lies(in: secure[...])
    }
  }

  /// The innermost secure view that a view lies in, or is.
  private static func nearestSecure(of view: ViewIndex, in layout: Layout) -> ViewIndex? {
    sequence(first: view) { layout[$0].parent }.first { layout[$0].isSecure }
  }

  /// Whether the configuration, with every view shown, has what was hit in front of a secure view,
  /// or another view in what has come in front.
  private func isConfigured(_ found: ViewIndex, _ secure: ViewIndex, at point: Point) -> Bool {
    let after = editor.layout
    var branch = found
    while let superview = after[branch].parent,
      !(superview <= secure && secure < after[superview].end)
    {
      branch = superview
    }
    let paths = (branch: after.path(of: branch), secure: after.path(of: secure))
    func isAbout(_ path: String) -> Bool {
      path.lies(in: paths.branch[...]) || path.lies(in: paths.secure[...])
        || paths.branch.lies(in: path[...]) || paths.secure.lies(in: path[...])
    }
    var shown = description
    for index in shown.windows.indices where isAbout(shown.windows[index].name) {
      shown.windows[index].properties.show()
    }
    for index in shown.views.indices {
      if isAbout(shown.views[index].path) {
        shown.views[index].properties.show()
      } else {
        shown.views[index].properties.hidden = true
      }
    }
    for index in shown.windows.indices where !isAbout(shown.windows[index].name) {
      shown.windows[index].properties.hidden = true
    }
    guard let layout = try? Layout(shown),
      let hit = HitTester(layout).hitTest(point, on: after.window(of: secure).screen)
    else { return false }
    return layout.path(of: hit).lies(in: paths.branch[...])
  }

  /// No view of the window keeps touches out of a secure one, but as configured. Rule T13.
  private func checkExclusive(_ secure: ViewIndex, _ own: Layout) throws(Loss) {
    let after = editor.layout
    for index in after.views.indices {
      let view = ViewIndex(Int32(index))
      guard after[view].exclusiveTouch, after[view].windowIndex == after[secure].windowIndex,
        !(secure <= view && view < after[secure].end)
      else { continue }
      let path = after.path(of: view)
      // One that may have the touches has added it in a view of others.
      if editor.added.contains(where: {
        $0.view.path == path && claims.mayHave($0.setter, after.path(of: secure))
      }) {
        continue
      }
      let isOwn = own.view(at: path).map { own[$0].exclusiveTouch } ?? false
      let isConfigured =
        description.views.contains { $0.path == path && $0.properties.exclusiveTouch }
        || description.windows.contains { $0.name == path && $0.properties.exclusiveTouch }
      if !isOwn, !isConfigured { throw loss(after.path(of: secure), "\(path) is exclusive") }
    }
  }

  private func loss(_ path: String, _ what: String) -> Loss {
    let views =
      description.windows.map { "\($0.name) \($0.level) \($0.properties.words)" }
      + description.views.map { "\($0.path) \($0.properties.words)" }
    return Loss(
      description: "\(path) for \(claims.others[path] ?? []): \(what)\n"
        + (views + story).joined(separator: "\n"))
  }
}

extension ViewProperties {
  fileprivate mutating func show() { (hidden, alpha, interaction) = (false, 1, true) }

  fileprivate var words: String {
    given.map { "\($0)" }.joined(separator: " ")
  }
}
