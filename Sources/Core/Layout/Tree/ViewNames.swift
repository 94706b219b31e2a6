/// The names of a layout's views, both ways: the path of a view, and the view of a path. Rule L5.
struct ViewNames: Sendable {
  /// ``Layout/View/path`` leads here.
  private let paths: ViewPaths
  /// Subviews by their superview and name; shared by layouts that have the same tree.
  private let children: ChildTable

  init(_ parts: LayoutParts) {
    paths = parts.paths
    children = ChildTable(parts.views, parts.paths)
  }

  /// Whether both were made for the same tree.
  func hasSameTree(as other: ViewNames) -> Bool { children === other.children }

  /// The path of a view.
  func path(of view: Layout.View) -> String { paths.path(at: view.path) }

  /// The last part of a view's path.
  func name(of view: Layout.View) -> String { paths.name(at: view.path) }

  /// Writes the path of a view to memory of exactly its length.
  func writePath(of view: Layout.View, to bytes: UnsafeMutableRawBufferPointer) {
    paths.withPath(at: view.path) { bytes.copyMemory(from: $0) }
  }

  /// The bytes of a view's own name, for the call.
  func withName<Result>(
    of view: Layout.View, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    paths.withName(at: view.path, body)
  }

  /// Whether a view has the same name as another layout's. Makes no text of it.
  func isSameName(_ view: Layout.View, as other: Layout.View, of names: ViewNames) -> Bool {
    paths.isSameName(at: view.path, as: other.path, of: names.paths)
  }

  /// The index of a view by its superview, or -1 for a window, and its name.
  func child(of view: Int32, named name: Substring, in tree: ViewTree) -> Int32? {
    var name = name
    return name.withUTF8 {
      children.find(parent: view, name: UnsafeRawBufferPointer($0), in: tree.views, paths)
    }
  }

  /// The view of a path.
  func view(at path: Substring, in tree: ViewTree) -> ViewIndex? {
    var path = path
    return path.withUTF8 { view(at: UnsafeRawBufferPointer($0), in: tree) }
  }

  private func view(at path: UnsafeRawBufferPointer, in tree: ViewTree) -> ViewIndex? {
    var view = Int32(-1)
    var start = 0
    while true {
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
      let name = UnsafeRawBufferPointer(rebasing: path[start..<end])
      guard let child = children.find(parent: view, name: name, in: tree.views, paths) else {
        return nil
      }
      if end == path.count { return ViewIndex(child) }
      (view, start) = (child, end + 1)
    }
  }
}
