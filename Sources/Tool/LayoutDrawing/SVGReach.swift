import Layout
import TouchModel

/// Where the views of a screen are touchable, each by itself: by H3 to H6, and cut by its
/// superviews as H2 does. What lies in front of a view is not taken off.
struct SVGReach {
  /// What cuts a view: its superview's area, cut in its turn.
  struct Clip {
    var parent: Int?
    var paths: [SVGPath]
    var pieces: SVGPieces
  }

  /// Outlines, on the screen, of which the part within a clip takes touches.
  struct Part {
    var paths: [SVGPath]
    var clip: Int
    /// Whether the clip cuts nothing off.
    var isWhole: Bool
  }

  /// A view.
  struct Node {
    let view: ViewIndex
    let depth: Int
    /// Its bounds in its shape, without outset; nil where they have no extent.
    let bounds: SVGPath?
    /// The bounds grown by its outset, in its shape.
    let region: SVGPath?
    /// Where touches are its own.
    var parts: [Part] = []
    /// Why it takes no touch itself; nil where it does.
    var obstacle: String?
    /// Whether it only lets its subviews, or another view, take touches.
    var isPassing = false
    /// Whether it is not to be seen: it or a view that it is in is hidden, or as good as that.
    var isHidden = false
    /// Whether a view that it is in is hidden.
    var isWithinHidden = false
  }

  /// A view that gives its touches to another one, or asks that one first. Rule H6.
  struct Link {
    let from: ViewIndex
    let to: ViewIndex
    /// `redirect` or `first`.
    let rule: String
  }

  /// From back to front.
  private(set) var nodes: [Node] = []
  /// The first is the screen, beyond which no touch begins (rule T8).
  private(set) var clips: [Clip] = []
  /// In the order of their bearers.
  private(set) var links: [Link] = []

  private let layout: Layout
  private let screenPath: SVGPath
  private var toScreen: [Int32: AffineTransform] = [:]
  /// The clip within which a view is asked; views that are never asked have none.
  private var routes: [Int32: Int] = [:]
  /// What a view is given by another's `redirect`.
  private var redirected: [Int32: [Part]] = [:]

  init(_ layout: Layout, screen: ScreenIndex) {
    self.layout = layout
    screenPath = SVGPath(layout.bounds(of: screen))
    clips = [Clip(parent: nil, paths: [screenPath], pieces: SVGPieces([screenPath]))]
    for window in layout.windows where window.screen == screen {
      routes[window.root.rawValue] = 0
      for index in window.root.rawValue..<layout[window.root].end.rawValue {
        visit(ViewIndex(index))
      }
    }
    // A redirect may lead to a view before others are known to lead there too.
    for (index, node) in nodes.enumerated() {
      guard let parts = redirected[node.view.rawValue] else { continue }
      nodes[index].parts += parts
      nodes[index].obstacle = nil
      nodes[index].isPassing = false
    }
  }

  /// From a view's coordinates to those of the screen.
  func transform(of view: ViewIndex) -> AffineTransform { toScreen[view.rawValue] ?? .identity }

  private mutating func visit(_ view: ViewIndex) {
    let parent = layout[view].parent
    let outer = parent.flatMap { toScreen[$0.rawValue] } ?? .identity
    toScreen[view.rawValue] = layout.superviewTransform(of: view).concatenating(outer)
    let superview = parent.flatMap { parent in nodes.last { $0.view == parent } }
    let depth = superview.map { $0.depth + 1 } ?? 0
    var node = Node(
      view: view, depth: depth, bounds: path(of: view, outset: .zero), region: path(of: view))
    node.obstacle = gate(of: view)
    node.isWithinHidden = superview?.isHidden ?? false
    node.isHidden =
      node.isWithinHidden || layout[view].isHidden
      || layout[view].alpha <= 0.01
    if node.isWithinHidden, node.obstacle == nil { node.obstacle = "in a hidden view" }
    if !node.isHidden { link(from: view) }
    if let clip = routes[view.rawValue] {
      if node.obstacle == nil { ask(&node, within: clip) }
    } else if node.obstacle == nil {
      node.obstacle = "never asked: a superview takes or stops every touch"
    }
    nodes.append(node)
  }

  private mutating func link(from view: ViewIndex) {
    switch layout.hitRule(of: view) {
    case .redirect(let target): links.append(Link(from: view, to: target, rule: "redirect"))
    case .first(let target): links.append(Link(from: view, to: target, rule: "first"))
    case .standard, .itself, .none, .passThrough: break
    }
  }

  /// What stops every touch at a view. Rules H2.1, H5 and H6.
  private func gate(of view: ViewIndex) -> String? {
    if layout[view].isHidden { return "hidden" }
    if !layout[view].interaction { return "no interaction" }
    if layout[view].isGated { return "alpha \(Text.number(layout[view].alpha))" }
    return layout.hitRule(of: view) == .none ? "hit none" : nil
  }

  /// Has a view asked as its rule says, and whom that leads to. Rule H6.
  private mutating func ask(_ node: inout Node, within clip: Int) {
    let view = node.view
    switch layout.hitRule(of: view) {
    case .none:
      return
    case .itself:
      node.parts = [part([screenPath], within: clip)]
      return
    case .first(let descendant):
      // The clips of the superviews between are not asked. The outermost bearer's is the widest.
      routes[descendant.rawValue] = routes[descendant.rawValue] ?? clip
    case .standard, .passThrough, .redirect:
      break
    }
    guard let area = area(of: view) else {
      node.obstacle = "inside never"
      return
    }
    let inner = add(area, to: clip)
    guard !clips[inner].pieces.isEmpty else {
      node.obstacle = area.isEmpty ? "without extent" : "outside its superviews"
      return
    }
    switch layout.hitRule(of: view) {
    case .redirect(let target):
      redirected[target.rawValue, default: []].append(part(area, within: clip))
      node.isPassing = true
      return
    case .passThrough: node.isPassing = true
    default: node.parts = [part(area, within: clip)]
    }
    for subview in layout.subviews(of: view) {
      routes[subview.rawValue] = routes[subview.rawValue] ?? inner
    }
  }

  private func path(of view: ViewIndex, outset: Outset? = nil) -> SVGPath? {
    let path = SVGPath(
      layout.shape(of: view), bounds: layout.bounds(of: view),
      outset: outset ?? layout.outset(of: view))
    return path?.applying(toScreen[view.rawValue] ?? .identity)
  }

  /// What pointInside says yes to, on the screen; nil where it always says no. Rule H5.
  private mutating func area(of view: ViewIndex) -> [SVGPath]? {
    let own = path(of: view).map { [$0] } ?? []
    switch layout.insideRule(of: view) {
    case .bounds: return own
    case .always: return [screenPath]
    case .never: return nil
    case .anyChild: return own + areas(of: layout.subviews(of: view), in: view)
    case .children(let views): return own + areas(of: views, in: view)
    }
  }

  private mutating func areas(of subviews: [ViewIndex], in view: ViewIndex) -> [SVGPath] {
    let outer = toScreen[view.rawValue] ?? .identity
    var paths: [SVGPath] = []
    for subview in subviews {
      toScreen[subview.rawValue] = layout.superviewTransform(of: subview).concatenating(outer)
      paths += area(of: subview) ?? []
    }
    return paths
  }

  private mutating func add(_ paths: [SVGPath], to clip: Int) -> Int {
    let pieces = SVGPieces(paths).intersection(clips[clip].pieces)
    clips.append(Clip(parent: clip, paths: paths, pieces: pieces))
    return clips.count - 1
  }

  private func part(_ paths: [SVGPath], within clip: Int) -> Part {
    Part(
      paths: paths, clip: clip, isWhole: SVGPieces(paths).isWithin(clips[clip].pieces))
  }
}
