import Layout
import TouchModel

/// A screen as a drawing: its views from back to front, then their names, then marked points.
struct SVGScreen {
  private let layout: Layout
  private let screen: ScreenIndex
  /// The points marked.
  private let points: [Point]
  /// The font's size, in points.
  private let font: Double
  /// The width of a thin line, in points.
  private let line: Double
  private let reach: SVGReach
  /// What else is to be said of views, by their paths.
  private let notes: [String: [String]]
  /// Those of the screen and of its views.
  private let zones: [GestureZone]

  init(
    _ layout: Layout, screen: ScreenIndex, points: [Point], font: Double,
    notes: [String: [String]] = [:], zones: [GestureZone] = []
  ) {
    self.notes = notes
    self.zones = zones.filter { $0.screen == screen }
    self.layout = layout
    self.screen = screen
    self.points = points
    self.font = font
    line = font / 12
    reach = SVGReach(layout, screen: screen)
  }

  /// Draws it with its top left corner at the origin.
  func draw(_ writer: inout SVGWriter) {
    let bounds = layout.bounds(of: screen)
    drawClips(&writer)
    writer.element(
      "rect",
      [
        "width": Text.number(bounds.width), "height": Text.number(bounds.height),
        "fill": "#ffffff", "stroke": "#333333", "stroke-width": Text.number(line * 1.5),
      ])
    let arrows = reach.links.compactMap { SVGArrow($0, in: reach, of: bounds, font: font) }
    let labels = SVGLabels(
      reach.nodes, layout: layout, screen: screen, base: font, besides: arrows.map(\.box))
    writer.begin("g", ["class": "views", "clip-path": "url(#\(clipName(0)))"])
    drawViews(labels, &writer)
    for zone in zones where zone.view == nil { draw(zone, &writer) }
    writer.end()
    writer.begin("g", ["class": "arrows"])
    for arrow in arrows {
      let color = SVGColor(window: layout[arrow.link.from].windowIndex).stroke
      arrow.draw(
        from: layout.path(of: arrow.link.from), to: layout.path(of: arrow.link.to), color, &writer)
    }
    writer.end()
    writer.begin("g", ["class": "labels"])
    for (node, label) in zip(reach.nodes, labels.labels) where label?.liesInFront(of: node) == true
    {
      if let label { draw(label, of: node, &writer) }
    }
    writer.end()
    for point in points { mark(point, &writer) }
  }

  /// The views from back to front, each with its gestures' zones. The name of one lies over what is
  /// in it, and behind what lies in front of that.
  private func drawViews(_ labels: SVGLabels, _ writer: inout SVGWriter) {
    var open: [Int] = []
    func close(before view: ViewIndex?, _ writer: inout SVGWriter) {
      while let index = open.last, view.map({ layout[reach.nodes[index].view].end <= $0 }) ?? true {
        open.removeLast()
        let node = reach.nodes[index]
        for zone in zones where zone.view == node.view { draw(zone, &writer) }
        if let label = labels.labels[index], !label.liesInFront(of: node) {
          draw(label, of: node, &writer)
        }
      }
    }
    for (index, node) in reach.nodes.enumerated() {
      close(before: node.view, &writer)
      draw(node, &writer)
      open.append(index)
    }
    close(before: nil, &writer)
  }

  /// Where a pan from an edge begins. Rule G16.
  private func draw(_ zone: GestureZone, _ writer: inout SVGWriter) {
    let transform = zone.view.map { reach.transform(of: $0) } ?? .identity
    let node = zone.view.flatMap { view in reach.nodes.first { $0.view == view } }
    if node?.isHidden == true { return }
    writer.element(
      "path",
      [
        "class": "zone", "data-path": zone.path, "d": SVGPath(zone.area).applying(transform).data,
        "fill": SVGColor.zone, "fill-opacity": "0.18", "stroke": SVGColor.zone,
        "stroke-width": Text.number(line), "stroke-dasharray": "\(dash(6)) \(dash(2))",
      ])
  }

  /// Unique among the screens of a drawing.
  private func clipName(_ clip: Int) -> String { "clip-\(screen.rawValue)-\(clip)" }

  private func drawClips(_ writer: inout SVGWriter) {
    var used: Set<Int> = [0]
    for part in reach.nodes.lazy.flatMap(\.parts) where !part.isWhole {
      var next: Int? = part.clip
      while let clip = next, used.insert(clip).inserted { next = reach.clips[clip].parent }
    }
    for index in used.sorted() {
      let clip = reach.clips[index]
      if let parent = clip.parent {
        writer.begin(
          "clipPath", ["id": clipName(index), "clip-path": "url(#\(clipName(parent)))"])
      } else {
        writer.begin("clipPath", ["id": clipName(index)])
      }
      if clip.paths.count == 1 {
        writer.element("path", ["d": clip.paths[0].data, "clip-rule": "evenodd"])
      } else {
        // Some renderers take the outlines of a clip for one, and leave out what two share.
        writer.element("path", ["d": SVGPieces(clip.paths).data, "clip-rule": "nonzero"])
      }
      writer.end()
    }
  }

  private func draw(_ node: SVGReach.Node, _ writer: inout SVGWriter) {
    let color = SVGColor(window: layout[node.view].windowIndex)
    let path = layout.path(of: node.view)
    let state =
      node.isHidden
      ? "hidden"
      : node.obstacle != nil ? "untouchable" : node.isPassing ? "passing" : "touchable"
    writer.begin("g", ["class": "view", "data-path": path, "data-state": state])
    let remark = node.obstacle.map { ": untouchable, \($0)" } ?? (node.isPassing ? ": passes" : "")
    writer.element(
      "title", text: ([path + remark] + notes[path, default: []]).joined(separator: "; "))
    // What is not to be seen hides nothing of what lies behind it, here as on the screen.
    if node.isHidden {
      if !node.isWithinHidden { drawHidden(node, &writer) }
      return writer.end()
    }
    // What its superviews cut off shows under what they leave.
    let isCut = node.parts.contains { !$0.isWhole }
    if node.obstacle != nil || isCut, let region = node.region { drawHatched(region, &writer) }
    for part in node.parts {
      writer.begin("g", part.isWhole ? [:] : ["clip-path": "url(#\(clipName(part.clip)))"])
      for outline in part.paths {
        writer.element(
          "path",
          [
            "class": "region", "d": outline.data, "fill": color.fill(depth: node.depth),
            "fill-rule": "evenodd",
          ])
      }
      writer.end()
    }
    drawOutline(node, color, &writer)
    writer.end()
  }

  private func drawHatched(_ region: SVGPath, _ writer: inout SVGWriter) {
    // What lies behind a large one must show here too.
    let bounds = layout.bounds(of: screen)
    let isLarge = SVGPieces([region]).area > bounds.width * bounds.height / 8
    writer.element(
      "path",
      [
        "class": "hatched", "d": region.data, "fill": "url(#hatch)", "fill-rule": "evenodd",
        "fill-opacity": isLarge ? "0.35" : "1",
        "stroke": SVGColor.untouchable, "stroke-width": Text.number(line * 0.7),
      ])
  }

  private func drawHidden(_ node: SVGReach.Node, _ writer: inout SVGWriter) {
    guard let outline = node.bounds ?? node.region else { return }
    writer.element(
      "path",
      [
        "class": "hidden", "d": outline.data, "fill": "none", "stroke": SVGColor.untouchable,
        "stroke-width": Text.number(line * 0.9), "stroke-dasharray": "\(dash(1)) \(dash(2))",
      ])
  }

  /// The bounds, solid; the region where it is another, dashed.
  private func drawOutline(
    _ node: SVGReach.Node, _ color: SVGColor, _ writer: inout SVGWriter
  ) {
    let stroke = node.obstacle == nil ? color.stroke : SVGColor.untouchable
    if let bounds = node.bounds {
      let dots = node.isPassing ? "\(dash(4)) \(dash(2)) \(dash(1)) \(dash(2))" : "none"
      writer.element(
        "path",
        [
          "class": "bounds", "d": bounds.data, "fill": "none", "stroke": stroke,
          "stroke-width": Text.number(line), "stroke-dasharray": dots,
        ])
    }
    if layout.outset(of: node.view) != .zero, let region = node.region {
      writer.element(
        "path",
        [
          "class": "outset", "d": region.data, "fill": "none", "stroke": stroke,
          "stroke-width": Text.number(line), "stroke-dasharray": "\(dash(3)) \(dash(3))",
        ])
    }
  }

  private func dash(_ lines: Double) -> String { Text.number(lines * line * 1.2) }

  private func draw(
    _ label: SVGLabels.Label, of node: SVGReach.Node, _ writer: inout SVGWriter
  ) {
    let color = SVGColor(window: layout[node.view].windowIndex)
    if let (start, end) = label.leader {
      writer.element(
        "path",
        [
          "class": "leader", "data-path": layout.path(of: node.view),
          "d": "M\(Text.number(start.x)) \(Text.number(start.y))"
            + "L\(Text.number(end.x)) \(Text.number(end.y))",
          "stroke": color.text, "stroke-width": Text.number(line * 0.6),
        ])
    }
    writer.element(
      "text",
      [
        "x": Text.number(label.origin.x), "y": Text.number(label.origin.y),
        "font-size": Text.number(label.size), "data-path": layout.path(of: node.view),
        "fill": node.obstacle == nil ? color.text : "#555555",
        "font-style": node.obstacle == nil && !node.isPassing ? "normal" : "italic",
        "fill-opacity": label.isOwn ? "1" : "0.65",
        "stroke": "#ffffff", "stroke-width": Text.number(label.size / 6),
        "stroke-opacity": "0.8", "stroke-linejoin": "round", "paint-order": "stroke",
      ], text: label.text)
  }

  private func mark(_ point: Point, _ writer: inout SVGWriter) {
    writer.begin("g", ["class": "hit"])
    let bounds = layout.bounds(of: screen)
    let target = bounds.contains(point) ? HitTester(layout).hitTest(point, on: screen) : nil
    let views = target.map { target in
      sequence(first: target) { view in layout[view].parent }.reversed()
    }
    for view in views ?? [] {
      guard let node = reach.nodes.first(where: { $0.view == view }),
        let outline = node.region ?? node.bounds
      else { continue }
      writer.element(
        "path",
        [
          "class": view == target ? "target" : "superview", "data-path": layout.path(of: view),
          "d": outline.data, "fill": "none",
          "stroke": view == target ? SVGColor.target : SVGColor.superview,
          "stroke-width": Text.number(view == target ? line * 3 : line * 2),
        ])
    }
    if bounds.contains(point) { SVGMark(point: point, size: font).draw(&writer) }
    writer.end()
  }
}
