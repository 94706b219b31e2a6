package import TouchModel

extension Layout.ResolvedInsideRule {
  /// The rule as a configuration has it. Rule H5.
  package func rule(in layout: Layout) -> InsideRule {
    switch self {
    case .bounds: .bounds
    case .always: .always
    case .never: .never
    case .anyChild: .children([])
    case .children(let views): .children(views.map(layout.name(of:)))
    }
  }

  /// How many views it names.
  package var nameCount: Int { if case .children(let views) = self { views.count } else { 0 } }
}

extension Layout.ResolvedHitRule {
  /// The rule as a configuration has it for a view: paths from that on. Rule H6.
  package func rule(of view: ViewIndex, in layout: Layout) -> HitRule {
    func relative(_ descendant: ViewIndex) -> String {
      String(layout.path(of: descendant).utf8.dropFirst(layout.pathLength(of: view) + 1)) ?? ""
    }
    return switch self {
    case .standard: .standard
    case .itself: .itself
    case .none: .none
    case .passThrough: .passThrough
    case .redirect(let descendant): .redirect(relative(descendant))
    case .first(let descendant): .first(relative(descendant))
    }
  }
}
