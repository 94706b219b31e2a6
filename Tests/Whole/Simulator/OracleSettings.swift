import CTouchroute
import Configuration
import Layout
import Routing
import TestSupport
import TouchModel
import Server

/// What is configured, and what programs have set over it: a list, in the order in which they did.
/// Rule L6.
struct OracleSettings {
  /// By what a program has set something.
  enum Right: Equatable {
    case attachment(AttachmentID)
    /// A rule names a client, nil where that is gone, for the view and for what it lies in up to
    /// the one of so many names; 0: for the window.
    case rule(ClientID?, PeerCredentials, within: Int)

    var isOfRule: Bool { if case .rule = self { true } else { false } }

    /// So many of the first names of a path are what it may not exceed the area of; 0: none.
    var names: Int { if case .rule(_, _, let names) = self { names } else { 1 } }
  }

  private struct Setting {
    var change: ViewChange
    var right: Right
  }

  private(set) var configured: SimulatedConfiguration { didSet { made = Made() } }
  private var settings: [Setting] = [] { didSet { made = Made() } }
  /// The views that programs have added, in the order in which they did.
  private var added: [Added] = [] { didSet { made = Made() } }
  /// The layout of all of these, once it is made: copies share it until they change.
  private var made = Made()

  private final class Made {
    var layout: OracleLayout?
  }

  private struct Added {
    var view: LayoutDescription.View
    var attachment: AttachmentID
  }

  init(_ configured: SimulatedConfiguration) { self.configured = configured }

  /// The layout to be in force.
  func layout() throws -> OracleLayout {
    if settings.isEmpty && added.isEmpty { return configured.layout }
    if let layout = made.layout { return layout }
    let layout = try OracleLayout(description())
    made.layout = layout
    return layout
  }

  private func description() -> LayoutDescription {
    var description = configured.description
    description.views += added.map(\.view)
    for index in description.windows.indices {
      description.windows[index].properties = properties(
        of: description.windows[index].name, description.windows[index].properties)
      let level = description.windows[index].level
      for setting in settings where setting.change.path == description.windows[index].name {
        if case .level(let level) = setting.change.property {
          description.windows[index].level = level
        }
        if setting.change.property == .configured, setting.right.isOfRule {
          description.windows[index].level = level
        }
      }
    }
    for index in description.views.indices {
      description.views[index].properties = properties(
        of: description.views[index].path, description.views[index].properties)
    }
    arrange(&description)
    return description
  }

  // MARK: - Order

  /// Puts siblings in the order that was set of them. Windows have one within their level.
  private func arrange(_ description: inout LayoutDescription) {
    let groups = Dictionary(grouping: description.views) { Self.superview(of: $0.path) }
    description.views = groups.keys.sorted().flatMap { arranged(groups[$0] ?? [], by: \.path) }
    let levels = Set(description.windows.map(\.level)).sorted()
    description.windows = levels.flatMap { level in
      arranged(description.windows.filter { $0.level == level }, by: \.name)
    }
  }

  /// Each that has an index at its own, of two at one the later; then those that lost theirs, the
  /// latest first, at the nearest that is free, above before below; then the others as they are.
  private func arranged<Item>(_ items: [Item], by path: (Item) -> String) -> [Item] {
    let placed = items.compactMap { item in
      place(of: path(item)).map { (item: item, index: $0.index, setting: $0.setting) }
    }
    var slots: [Int: Item] = [:]
    var losers: [(item: Item, slot: Int)] = []
    for next in placed.sorted(by: { ($0.index, $0.setting) > ($1.index, $1.setting) }) {
      let slot = min(next.index, items.count - 1)
      if slots[slot] == nil { slots[slot] = next.item } else { losers.append((next.item, slot)) }
    }
    for loser in losers {
      let free = items.indices.filter { slots[$0] == nil }
      slots[free.first { $0 > loser.slot } ?? free.last { $0 < loser.slot } ?? 0] = loser.item
    }
    for item in items where place(of: path(item)) == nil {
      slots[items.indices.first { slots[$0] == nil } ?? 0] = item
    }
    return items.indices.compactMap { slots[$0] }
  }

  /// The index that is set of a view or window, and by which setting; nil where none is.
  private func place(of path: String) -> (index: Int, setting: Int)? {
    var place: (index: Int, setting: Int)?
    for (number, setting) in settings.enumerated() where setting.change.path == path {
      if case .order(let index) = setting.change.property { place = (index, number) }
      if setting.change.property == .configured { place = nil }
    }
    return place
  }

  // MARK: - Properties

  private func properties(
    of path: String, _ configured: ViewProperties, byRightsUnder names: Int = .max
  ) -> ViewProperties {
    var properties = configured
    for setting in settings
    where setting.change.path == path && setting.right.names < names {
      let isSecure = properties.secure
      setting.change.property.apply(to: &properties, configured: configured)
      // Who only holds it takes nothing back that others keep secret.
      if setting.change.property == .configured, !setting.right.isOfRule {
        properties.secure = isSecure
      }
    }
    return properties
  }

  /// Takes a change in; where the window, or the view that a rule is about, would leave its area by
  /// it, nothing, and false.
  mutating func take(_ change: ViewChange, by right: Right) -> Bool {
    let before = settings
    // Whoever sets something again means what is said last.
    settings.removeAll {
      $0.right == right && $0.change.path == change.path
        && [$0.change.property.kind, .configured].contains(change.property.kind)
    }
    let isTakenBack = change.property == .secure(false) && !right.isOfRule
    if isTakenBack {
      guard let described = described(change.path),
        properties(of: change.path, described).secure
      else { return true }
      settings = before
      return false
    }
    settings.append(Setting(change: change, right: right))
    if right.names == 0 || isInArea(Self.names(right.names, of: change.path)) { return true }
    settings = before
    return false
  }

  /// A window's holder takes back what those have set of a view that a rule names.
  mutating func revoke(_ path: String) {
    settings.removeAll { $0.right.isOfRule && $0.change.path == path }
  }

  /// Clients have other names with the next daemon, or are gone.
  mutating func rename(_ names: [ClientID: ClientID]) {
    for index in settings.indices {
      if case .rule(let client, let user, let within) = settings[index].right {
        settings[index].right = .rule(client.flatMap { names[$0] }, user, within: within)
      }
    }
  }

  /// A window or view as it is configured, or was added.
  private func described(_ path: String) -> ViewProperties? {
    configured.properties(of: path)
      ?? added.first { $0.view.path == path }?.view.properties
  }

  /// The first names of a path.
  static func names(_ count: Int, of path: String) -> String {
    path.split(separator: "/").prefix(count).joined(separator: "/")
  }

  /// Takes back what was set by rights that are no more; whether there was something.
  mutating func takeBack(where isOver: (Right, String) -> Bool) -> Bool {
    let hasOver =
      settings.contains { isOver($0.right, $0.change.path) }
      || added.contains { isOver(.attachment($0.attachment), $0.view.path) }
    guard hasOver else { return false }
    settings.removeAll { isOver($0.right, $0.change.path) }
    removeAdded { isOver(.attachment($0.attachment), $0.view.path) }
    dropBeyondAreas()
    return true
  }

  // MARK: - Views of programs

  /// The path of a view's superview.
  static func superview(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// How many views were added through each attachment.
  var addedCounts: [AttachmentID: Int] {
    Dictionary(added.map { ($0.attachment, 1) }, uniquingKeysWith: +)
  }

  /// The views that were added through an attachment, in their order.
  func views(through attachment: AttachmentID) -> [LayoutDescription.View] {
    added.filter { $0.attachment == attachment }.map(\.view)
  }

  /// Through which attachment a view was added.
  func adder(of path: String) -> AttachmentID? {
    added.first { $0.view.path == path }?.attachment
  }

  /// What a step that changes a view does.
  enum Change {
    case change(by: Right)
    /// It takes back what rules' rights have set.
    case revocation
  }

  /// Takes the steps of a batch in that its program may make, all or none; why it can't be.
  mutating func take(
    _ steps: [ViewsRequest.Step], below base: String, through attachment: AttachmentID,
    in layout: OracleLayout, changingBy ways: [String: Change], within areas: Set<String>
  ) -> touchroute_error_code? {
    let before = self
    var code = addAndRemove(steps, below: base, through: attachment, in: layout)
    for (name, properties) in steps.compactMap(\.changes) {
      for property in properties where code == nil {
        let path = base + "/" + name
        guard has(path) else {
          code = TOUCHROUTE_ERROR_NO_RESPONDER
          continue
        }
        switch ways[path] {
        case nil, .revocation: revoke(path)
        case .change(let right):
          if !take(ViewChange(path, property), by: right) { code = TOUCHROUTE_ERROR_NOT_ALLOWED }
        }
      }
    }
    if code == nil, !areas.allSatisfy(isInArea) { code = TOUCHROUTE_ERROR_NOT_ALLOWED }
    if code != nil { self = before }
    return code
  }

  private mutating func addAndRemove(
    _ steps: [ViewsRequest.Step], below base: String, through attachment: AttachmentID,
    in layout: OracleLayout
  ) -> touchroute_error_code? {
    var views = added
    for step in steps {
      switch step {
      case .add(let name, let properties, _):
        views.append(
          Added(
            view: LayoutDescription.View(path: base + "/" + name, properties: properties),
            attachment: attachment))
      case .remove(let name):
        let path = base + "/" + name
        guard views.contains(where: { $0.view.path == path }) else {
          return layout.hasView(path)
            ? TOUCHROUTE_ERROR_NOT_ALLOWED : TOUCHROUTE_ERROR_NO_RESPONDER
        }
        func isGone(_ other: String) -> Bool { other == path || other.hasPrefix(path + "/") }
        views.removeAll { isGone($0.view.path) }
        settings.removeAll { isGone($0.change.path) }
      case .change: break
      }
    }
    var known = Set(configured.layout.viewPaths)
    for view in views where !known.insert(view.view.path).inserted {
      return TOUCHROUTE_ERROR_INVALID
    }
    for view in views where !known.contains(Self.superview(of: view.view.path)) {
      return TOUCHROUTE_ERROR_INVALID
    }
    added = views
    return nil
  }

  private func has(_ path: String) -> Bool {
    configured.layout.hasView(path) || added.contains { $0.view.path == path }
  }

  /// Removes views with all that lies in them, and what was set of those.
  private mutating func removeAdded(where isOver: (Added) -> Bool) {
    let gone = added.filter(isOver).map(\.view.path)
    func isGone(_ path: String) -> Bool {
      gone.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
    added.removeAll { isGone($0.view.path) }
    settings.removeAll { isGone($0.change.path) }
  }

  /// Goes over to another configuration.
  mutating func move(to other: SimulatedConfiguration) {
    configured = other
    var known = Set(other.layout.viewPaths)
    var kept: Set<String> = []
    for path in added.map(\.view.path).sorted(by: { $0.count < $1.count })
    where known.contains(Self.superview(of: path)) && known.insert(path).inserted {
      kept.insert(path)
    }
    added.removeAll { !kept.contains($0.view.path) }
    settings.removeAll { !known.contains($0.change.path) }
    dropBeyondAreas()
  }

  // MARK: - Secure views

  /// Whether what somebody has set or added is not for the secure view of a path.
  typealias Foreign = (Right, String) -> Bool

  /// Whether one of those views takes something from a secure view that is not for its setter, with
  /// what is set now; or one beside these, where an index or a level is among it. The geometry is
  /// the daemon's, of which its own tests know the rule. Rule F7.
  func takesFromSecure(
    _ paths: [(path: String, mayReorder: Bool)], by setter: Right, in now: OracleLayout,
    _ isForeign: @escaping Foreign
  ) -> Bool {
    now.layout.secureViews.contains { secure in
      let secret = now.layout.path(of: secure)
      guard isForeign(setter, secret) else { return false }
      let cover = cover(of: secure, in: now.layout, isForeign)
      let others = paths.contains(where: \.mayReorder) ? cover.othersInFront : []
      return !cover.losses(to: paths.compactMap { now.layout.view(at: $0.path) }).isEmpty
        || !cover.losses(to: others).isEmpty
    }
  }

  /// Takes back what takes touches from secure views, and was set or added by those for whom they
  /// are not; whether there was something. Rule F7.
  mutating func uncover(_ isForeign: @escaping Foreign) throws -> Bool {
    let before = settings.count + added.count
    while true {
      let count = settings.count + added.count
      let now = try layout().layout
      for secret in now.secureViews.map(now.path) where settings.count + added.count == count {
        try uncover(secret, isForeign)
      }
      if settings.count + added.count == count { return count != before }
    }
  }

  private mutating func uncover(_ secret: String, _ isForeign: @escaping Foreign) throws {
    for extent in 0..<3 {
      let now = try layout().layout
      guard let secure = now.view(at: secret) else { return }
      let cover = cover(of: secure, in: now, isForeign)
      let changed = changed(secret, isForeign)
      let mine = (changed + foreignAdded(secret, isForeign)).compactMap { now.view(at: $0) }
      let others = mayReorder(secret, isForeign) ? cover.othersInFront : []
      let losses = (cover.losses(to: mine) + cover.losses(to: others)).map {
        now.path(of: $0.view)
      }
      if losses.isEmpty { return }
      func isMeant(_ path: String) -> Bool {
        losses.contains { taker in
          switch extent {
          case 0:
            path == taker
              || path.hasPrefix(taker + "/") && !(secret + "/").hasPrefix(taker + "/")
          case 1: Self.names(1, of: path) == Self.names(1, of: taker)
          default: true
          }
        }
      }
      settings.removeAll {
        isForeign($0.right, secret) && $0.change.property.mayTakeTouches
          && isMeant($0.change.path)
      }
      removeAdded {
        isForeign(.attachment($0.attachment), secret) && isMeant($0.view.path)
          && !(secret + "/").hasPrefix($0.view.path + "/")
      }
      dropBeyondAreas()
    }
  }

  private func cover(
    of secure: ViewIndex, in now: Layout, _ isForeign: @escaping Foreign
  ) -> SecureCover {
    let secret = now.path(of: secure)
    return SecureCover(
      of: secure, in: now, configured: configured.layout.layout,
      changed: changed(secret, isForeign).compactMap { now.view(at: $0) },
      added: foreignAdded(secret, isForeign).compactMap { now.view(at: $0) }
    ) {
      var others = self
      others.settings.removeAll { isForeign($0.right, secret) }
      others.removeAdded {
        isForeign(.attachment($0.attachment), secret)
          && !(secret + "/").hasPrefix($0.view.path + "/")
      }
      return (try? others.layout().layout) ?? now
    }
  }

  private func foreignAdded(_ secret: String, _ isForeign: Foreign) -> [String] {
    added.filter { isForeign(.attachment($0.attachment), secret) }.map(\.view.path)
  }

  /// The views of which something is set that may take touches, by those for whom a secure view is
  /// not.
  private func changed(_ secret: String, _ isForeign: Foreign) -> [String] {
    let paths = settings.indices.filter { index in
      isForeign(settings[index].right, secret) && settings[index].change.property.mayTakeTouches
        && (settings[index].change.property != .configured
          || isLyingOver(settings[index], index, \.mayTakeTouches))
    }
    return Array(Set(paths.map { settings[$0].change.path }))
  }

  private func mayReorder(_ secret: String, _ isForeign: Foreign) -> Bool {
    let isOrdered = settings.indices.contains { index in
      let setting = settings[index]
      guard isForeign(setting.right, secret) else { return false }
      return setting.change.property.isOfOrder
        || setting.change.property == .configured && isLyingOver(setting, index, \.isOfOrder)
    }
    return isOrdered || hasOrders && !foreignAdded(secret, isForeign).isEmpty
  }

  /// Whether an index is set of a view or window.
  var hasOrders: Bool { settings.contains { place(of: $0.change.path) != nil } }

  /// Whether what is to be as configured is so over something that others have set.
  private func isLyingOver(
    _ setting: Setting, _ index: Int, _ isMeant: (ViewChange.Property) -> Bool
  ) -> Bool {
    settings[..<index].contains {
      $0.change.path == setting.change.path && $0.change.property != .configured
        && isMeant($0.change.property)
    }
  }

  // MARK: - Areas

  /// Forgets what is set in windows, and in views that a rule is about, that are not in their areas
  /// any more, by those who may not exceed these.
  private mutating func dropBeyondAreas() {
    for window in configured.description.windows.map(\.name) where !isInArea(window) {
      settings.removeAll {
        $0.right.names == 1 && Self.names(1, of: $0.change.path) == window
      }
      removeAdded { $0.view.path.hasPrefix(window + "/") }
    }
    let roots = settings.filter { $0.right.names > 1 }.map { setting in
      (setting.right.names, Self.names(setting.right.names, of: setting.change.path))
    }
    for (names, root) in roots.sorted(by: <) where !isInArea(root) {
      settings.removeAll {
        $0.right.names == names && Self.names(names, of: $0.change.path) == root
      }
    }
  }

  /// Whether a window is, on its screen, where it is configured or was set by a rule's right; and a
  /// view, in its superview, where it is configured or was set by a wider right.
  private func isInArea(_ path: String) -> Bool {
    let isWindow = !path.contains("/")
    if isWindow,
      configured.description.windows.first(where: { $0.name == path })?.isResizable
        ?? false
    {
      return true
    }
    guard let described = described(path) else { return true }
    let names = path.split(separator: "/").count
    let now = properties(of: path, described)
    let given = [described, properties(of: path, described, byRightsUnder: names)]
    let box = Box(now, isWindow: isWindow)
    guard box.isEmpty || given.contains(where: { Box($0, isWindow: isWindow).contains(box) })
    else { return false }
    // Subviews of these are clipped by them: only they themselves may take all.
    return now.hit != .itself
      || given.contains {
        $0.hit == .itself || isWindow && Box($0, isWindow: true).isScreen
      }
  }

  private struct Box {
    private var (left, top, right, bottom): (Double, Double, Double, Double)
    private let isEmptyInside: Bool

    /// The box of a window's root on its screen, or of a view in its superview.
    init(_ properties: ViewProperties, isWindow: Bool) {
      let (frame, map) = (properties.frame, properties.transform)
      let (width, height) = (frame.width.points, frame.height.points)
      let center = Point(x: frame.x.points + width / 2, y: frame.y.points + height / 2)
      let outset = properties.outset
      let sides = (-width / 2 - outset.left, width / 2 + outset.right)
      let edges = (-height / 2 - outset.top, height / 2 + outset.bottom)
      isEmptyInside = sides.0 >= sides.1 || edges.0 >= edges.1
      let corners = [
        (sides.0, edges.0), (sides.1, edges.0), (sides.0, edges.1), (sides.1, edges.1),
      ].map { map.apply(Point(x: $0, y: $1)) }
      let (xs, ys) = (corners.map { $0.x + center.x }, corners.map { $0.y + center.y })
      (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
      (right, bottom) = (xs.max() ?? 0, ys.max() ?? 0)
      guard isWindow else { return }
      (left, top) = (max(left, 0), max(top, 0))
      (right, bottom) = (min(right, 200), min(bottom, 100))
    }

    var isEmpty: Bool { isEmptyInside || left >= right || top >= bottom }

    /// Whether it is all of the screen.
    var isScreen: Bool { left <= 0 && top <= 0 && right >= 200 && bottom >= 100 }

    func contains(_ other: Box) -> Bool {
      other.left >= left && other.top >= top && other.right <= right && other.bottom <= bottom
    }
  }
}

extension SimulatedConfiguration {
  /// A view or window as it is configured.
  fileprivate func properties(of path: String) -> ViewProperties? {
    description.windows.first { $0.name == path }?.properties
      ?? description.views.first { $0.path == path }?.properties
  }
}

extension ViewsRequest.Step {
  /// What it sets: of a view that it adds, its index among its siblings.
  var changes: (name: String, properties: [ViewChange.Property])? {
    switch self {
    case .add(let name, _, let order): order.map { (name, [.order($0)]) }
    case .change(let name, let properties): (name, properties)
    case .remove: nil
    }
  }
}

extension ViewChange.Property {
  /// How many there are.
  static let kinds = 15

  /// A property by two numbers.
  init(_ which: Int, _ number: Int) {
    switch which % Self.kinds {
    case 0: self = .hidden(number % 2 == 1)
    case 1: self = .interaction(number % 2 == 1)
    case 2:
      self = .frame(
        Rect(
          x: Double(number % 60), y: Double(number % 40), width: Double(50 + number),
          height: Double(40 + number % 30)))
    case 3: self = .configured
    case 4: self = .alpha(number % 2 == 1 ? 1 : 0.005)
    case 6: self = .outset(Outset(Double(number % 12 - 4)))
    case 7: self = .shape(number % 2 == 1 ? .ellipse : .rect)
    case 8: self = .hit([.standard, .itself, HitRule.none, .passThrough][number % 4])
    case 9, 10: self = .secure(number % 3 > 0)
    case 11: self = number % 2 == 1 ? .exclusiveTouch(number % 4 == 1) : .multipleTouch(false)
    case 12: self = .level(number % 3)
    case 13: self = .order(number % 4)
    case 14: self = .transform(Self.transforms[number % Self.transforms.count])
    default: self = .boundsOrigin(Point(x: Double(number % 30), y: Double(-number % 20)))
    }
  }

  static let transforms = [
    AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 3, ty: 0),
    AffineTransform(a: 0.5, b: 0, c: 0, d: 2, tx: 0, ty: 0),
    AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: -12, ty: 5), .identity,
  ]

  /// Whether another view, or window, may be in front with it.
  var mayReorder: Bool { kind.mayReorder }

  /// Whether it says which view or window is before which.
  var isOfOrder: Bool { kind == .order || kind == .level }

  /// Whether a view can have it.
  var isPossible: Bool {
    switch self {
    case .alpha(let alpha): (0...1).contains(alpha)
    case .frame(let frame): frame.width.isFinite
    case .transform(let map): map.a * map.d != map.b * map.c
    default: true
    }
  }

  func apply(to properties: inout ViewProperties, configured: ViewProperties) {
    switch self {
    case .hidden(let isHidden): properties.hidden = isHidden
    case .interaction(let isOn): properties.interaction = isOn
    case .frame(let rect): properties.frame = FrameDescription(rect)
    case .alpha(let alpha): properties.alpha = alpha
    case .boundsOrigin(let origin): properties.boundsOrigin = origin
    case .outset(let outset): properties.outset = outset
    case .shape(let shape): properties.shape = shape
    case .hit(let rule): properties.hit = rule
    case .secure(let isSecure): properties.secure = isSecure
    case .exclusiveTouch(let isOn): properties.exclusiveTouch = isOn
    case .multipleTouch(let isOn): properties.multipleTouch = isOn
    case .transform(let map): properties.transform = map
    case .level, .order: break
    default: properties = configured
    }
  }
}
