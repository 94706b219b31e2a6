import TouchModel

extension HitCompiler {
  /// Compiles an ungated view by its hit rule; `context` is in its own coordinates. Rule H6.
  mutating func compileOverrides(of view: Int32, _ context: Context, _ space: inout Space) {
    switch extras(of: view).hit {
    case .none:
      break
    case .itself:
      emit(view, context, &space)
    case .redirect(let target):
      emitInside(of: view, target: target.rawValue, context, &space)
    case .passThrough:
      compileStandard(view, context, &space, findsItself: false)
    case .standard:
      compileStandard(view, context, &space, findsItself: true)
    case .first(let descendant):
      askingFirst { compiler in
        if !compiler.isAsked(descendant.rawValue) {
          compiler.compileFirst(descendant.rawValue, of: view, context, &space)
        }
        compiler.without(descendant.rawValue) {
          $0.compileStandard(view, context, &space, findsItself: true)
        }
      }
    }
  }

  /// Steps 2 to 4 of rule H2.
  private mutating func compileStandard(
    _ view: Int32, _ context: Context, _ space: inout Space, findsItself: Bool
  ) {
    switch extras(of: view).inside {
    case .never:
      break
    case .always:
      compileSubviews(of: view, context, &space)
      if findsItself { emit(view, context, &space) }
    case .bounds:
      withinRegion(of: view, context, &space) { compiler, context, space in
        compiler.compileSubviews(of: view, context, &space)
        if findsItself { compiler.emit(view, context, &space) }
      }
    case .anyChild, .children:
      compileUnion(view, context, &space, findsItself: findsItself)
    }
  }

  /// Steps 2 to 4 of rule H2 for a view whose inside is `children`.
  private mutating func compileUnion(
    _ view: Int32, _ context: Context, _ space: inout Space, findsItself: Bool
  ) {
    let named = namedSubviews(of: view)
    for subview in subviews(of: view).reversed() {
      // What such a subview finds lies in its own inside, which makes the view's true.
      if named?.contains(subview) ?? true, extras(of: subview).isCutByItsInside {
        compile(subview, context, &space)
        continue
      }
      var condition = context
      add(.inside(view), to: &condition)
      guard condition.conditionCount > HitCompiler.conditionLimit else {
        compile(subview, condition, &space)
        continue
      }
      openSpace(view, condition, &space, isTight: false) { compiler, context, space in
        compiler.compile(subview, context, &space)
      }
    }
    guard findsItself else { return }
    withinRegion(of: view, context, &space) { compiler, context, space in
      compiler.emit(view, context, &space)
    }
    for subview in subviews(of: view) where named?.contains(subview) ?? true {
      emitUnfound(in: subview, target: view, context, &space)
    }
  }

  /// Leads the parts of a subview's inside where its hitTest may find nothing to the superview,
  /// whose inside they make true. `outer` is in the superview's coordinates.
  private mutating func emitUnfound(
    in view: Int32, target: Int32, _ outer: Context, _ space: inout Space
  ) {
    let hit = extras(of: view).hit
    if nodes[Int(view)].isGated || hit == .none {
      enter(view, outer, &space) { compiler, context, space in
        compiler.emitInside(of: view, target: target, context, &space)
      }
    } else if hit == .passThrough {
      enter(view, outer, &space) { compiler, context, space in
        compiler.emitInside(of: view, target: target, context, &space, subviewsToo: false)
        for subview in compiler.contributors(of: view) {
          compiler.emitUnfound(in: subview, target: target, context, &space)
        }
      }
    }
  }

  /// Leads a view's inside (rule H5) to a target; `context` is in its own coordinates.
  private mutating func emitInside(
    of view: Int32, target: Int32, _ context: Context, _ space: inout Space,
    subviewsToo: Bool = true
  ) {
    switch extras(of: view).inside {
    case .never:
      break
    case .always:
      emit(target, context, &space)
    case .bounds, .anyChild, .children:
      withinRegion(of: view, context, &space) { compiler, context, space in
        compiler.emit(target, context, &space)
      }
    }
    guard subviewsToo else { return }
    for subview in contributors(of: view) {
      enter(subview, context, &space) { compiler, context, space in
        compiler.emitInside(of: subview, target: target, context, &space)
      }
    }
  }

  /// A descendant's hitTest, asked at a view of which `context` has the coordinates: nothing
  /// between them cuts.
  private mutating func compileFirst(
    _ descendant: Int32, of view: Int32, _ context: Context, _ space: inout Space
  ) {
    guard mayCopy else { return emit(.walk(descendant), context, &space) }
    var path: [Int32] = []
    var ancestor = nodes[Int(descendant)].parent
    while ancestor != view {
      path.append(ancestor)
      ancestor = nodes[Int(ancestor)].parent
    }
    descend(path[...], to: descendant, context, &space)
  }

  private mutating func descend(
    _ path: ArraySlice<Int32>, to descendant: Int32, _ context: Context, _ space: inout Space
  ) {
    guard let view = path.last else { return compile(descendant, context, &space) }
    enter(view, context, &space) { compiler, context, space in
      compiler.descend(path.dropLast(), to: descendant, context, &space)
    }
  }
}

extension HitCompiler {
  func extras(of view: Int32) -> Layout.ViewExtras {
    layout.tree.extras(at: nodes[Int(view)].extras)
  }

  private func subviews(of view: Int32) -> [Int32] {
    layout.tree.subviews(of: ViewIndex(view)).map(\.rawValue)
  }

  /// The subviews that `children` names; nil where it means all.
  private func namedSubviews(of view: Int32) -> Set<Int32>? {
    guard case .children(let named) = extras(of: view).inside else { return nil }
    return Set(named.map(\.rawValue))
  }

  /// The subviews whose inside makes the view's true.
  private func contributors(of view: Int32) -> [Int32] {
    switch extras(of: view).inside {
    case .anyChild: subviews(of: view)
    case .children(let named): named.map(\.rawValue)
    case .bounds, .always, .never: []
    }
  }
}

extension Layout.ViewExtras {
  /// Whether whatever the view's hitTest finds lies in its inside.
  fileprivate var isCutByItsInside: Bool {
    switch hit {
    case .itself, .first: false
    case .standard, .none, .passThrough, .redirect: true
    }
  }
}
