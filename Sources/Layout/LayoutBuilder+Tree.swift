extension LayoutBuilder {
  /// Names, duplicates and superviews of all nodes; fills `paths` and `parents`.
  mutating func checkPaths() {
    parents = Array(repeating: -1, count: nodeCount)
    for node in 0..<Int32(nodeCount) {
      if !paths.insert(node) {
        let path = path(of: node)
        let isWindow = Int(node) < windowCount
        report(
          subject(of: node), isWindow ? "name" : "path",
          isWindow ? "there is another window \"\(path)\"" : "there is another view \"\(path)\"")
      }
    }
    for node in Int32(windowCount)..<Int32(nodeCount) {
      if hasMoreProblems { return }
      parents[Int(node)] = superview(of: node)
    }
  }

  private mutating func superview(of node: Int32) -> Int32 {
    let path = path(of: node)
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      report(
        subject(of: node), "path",
        "\"\(path)\" names no superview: the path of a view is WINDOW/NAME or longer")
      return -2
    }
    checkName(String(path[path.index(after: slash)...]), "view", subject(of: node), "path")
    if let parent = paths.find(path[..<slash]) { return parent }
    let superview = path[..<slash]
    report(
      subject(of: node), "path",
      superview.utf8.contains(UInt8(ascii: "/"))
        ? "there is no view \"\(superview)\" that could be its superview"
        : "there is no window \"\(superview)\"",
      unknown: .path(String(superview)))
    return -2
  }

  /// The paths that `hit` and the names that `inside` refer to.
  mutating func checkReferences(of node: Int32) {
    let view = properties(of: node)
    switch view.hit {
    case .redirect(let path), .first(let path):
      if find(path, from: node) == nil {
        report(
          subject(of: node), "hit", "\"\(self.path(of: node))\" has no descendant \"\(path)\"",
          unknown: .path(self.path(of: node) + "/" + path))
      }
    case .standard, .itself, .none, .passThrough:
      break
    }
    guard case .children(let names) = view.inside else { return }
    for name in names where name.utf8.contains(UInt8(ascii: "/")) || find(name, from: node) == nil {
      report(
        subject(of: node), "inside", "\"\(path(of: node))\" has no subview \"\(name)\"",
        unknown: .path(path(of: node) + "/" + name))
    }
  }

  /// The node at a path relative to another.
  func find(_ path: String, from node: Int32) -> Int32? {
    paths.find((self.path(of: node) + "/" + path)[...])
  }

  /// The nodes in pre-order, windows from back to front; a description beyond the limit of depth is
  /// a problem. Asks for `parents` without problems.
  mutating func preorder() -> [Int32] {
    var firstChild = Array(repeating: Int32(-1), count: nodeCount)
    var lastChild = firstChild
    var nextSibling = firstChild
    for node in siblingOrder() {
      let parent = Int(parents[Int(node)])
      if lastChild[parent] < 0 {
        firstChild[parent] = node
      } else {
        nextSibling[Int(lastChild[parent])] = node
      }
      lastChild[parent] = node
    }
    var order: [Int32] = []
    order.reserveCapacity(nodeCount)
    for window in windowOrder() {
      var node = window
      var depth = 1
      descent: while true {
        order.append(node)
        if depth == limits.depth + 1 {
          report(
            subject(of: node), "path",
            "the view is \(depth) deep, beyond the limit `depth` of \(limits.depth)")
        }
        if firstChild[Int(node)] >= 0 {
          node = firstChild[Int(node)]
          depth += 1
          continue
        }
        while nextSibling[Int(node)] < 0 {
          if parents[Int(node)] < 0 { break descent }
          node = parents[Int(node)]
          depth -= 1
        }
        node = nextSibling[Int(node)]
      }
    }
    return order
  }
}
