/// A view that is not configured, and who has added it.
public struct AddedView: Equatable, Sendable {
  /// The view as it was added.
  public var view: LayoutDescription.View
  /// Who has added it.
  public var setter: LayoutSetter

  /// A view that somebody adds.
  public init(_ view: LayoutDescription.View, by setter: LayoutSetter) {
    self.view = view
    self.setter = setter
  }

  /// The path of its superview; empty where its own names none.
  var superview: Substring {
    let path = view.path[...]
    return path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
  }
}

extension [AddedView] {
  /// Without those that fulfil the condition, and those that lie in them.
  func removing(where isGone: (AddedView) -> Bool) -> [AddedView] {
    var gone: Set<Substring> = []
    for view in superviewsFirst where isGone(view) || gone.contains(view.superview) {
      gone.insert(view.view.path[...])
    }
    return gone.isEmpty ? self : filter { !gone.contains($0.view.path[...]) }
  }

  /// Those that can be in another layout: that has no view at the path, and has the superview.
  func fitting(_ layout: Layout) -> [AddedView] {
    var kept: Set<Substring> = []
    for view in superviewsFirst
    where layout.view(at: view.view.path) == nil
      && (kept.contains(view.superview) || layout.view(at: String(view.superview)) != nil)
    {
      kept.insert(view.view.path[...])
    }
    return filter { kept.contains($0.view.path[...]) }
  }

  private var superviewsFirst: [AddedView] {
    map { ($0, $0.view.path.utf8.count { $0 == UInt8(ascii: "/") }) }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }
}
