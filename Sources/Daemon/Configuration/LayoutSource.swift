import Layout
import TouchModel

/// A layout as the files describe it, with where each part of it stands.
struct LayoutSource {
  private let screens: ScreenTable
  private let windows: [Written<LayoutDescription.Window>]
  private let views: [Written<LayoutDescription.View>]
  /// What a ``Layout`` is made from.
  let description: LayoutDescription

  init(
    screens: ScreenTable, windows: [Written<LayoutDescription.Window>],
    views: [Written<LayoutDescription.View>]
  ) {
    self.screens = screens
    self.windows = windows
    self.views = views
    description = LayoutDescription(
      screens: screens.screens, windows: windows.map(\.element), views: views.map(\.element))
  }

  /// The layout; nil where there are problems, which are reported.
  func layout(limits: LayoutLimits, _ problems: ProblemList) -> Layout? {
    do throws(LayoutError) {
      let layout = try Layout(description, limits: limits)
      return problems.isEmpty ? layout : nil
    } catch {
      // Where something was wrong before, stand-ins made some of the frames.
      let framesAreReal = problems.isEmpty
      reportDuplicates(problems)
      for problem in error.problems
      where framesAreReal || problem.key != ViewChange.Property.Kind.frame.name {
        report(problem, problems)
      }
      if error.hasMore, framesAreReal { problems.addMore() }
      return nil
    }
  }

  /// Reports what the layout refuses, unless something was said at that location before, or it may
  /// follow from that.
  private func report(_ problem: LayoutError.Problem, _ problems: ProblemList) {
    if problem.unknown != nil, problems.lacksDefinitions { return }
    let prefix: String
    let location: SourceLocation
    switch problem.subject {
    case .screen(let index):
      prefix = "screen \(quoted(screens.screens[index].name)): "
      location = screens.location(of: index)
    case .window(let index):
      prefix = "window \(quoted(windows[index].element.name)): "
      location = self.location(of: problem.key ?? "", in: windows[index].table)
    case .view(let index):
      prefix = "view \(quoted(views[index].element.path)): "
      location = self.location(of: problem.key ?? "", in: views[index].table)
    case .layout:
      prefix = ""
      location = SourceLocation(file: 0)
    }
    guard location.line == 0 || !problems.contains(location) else { return }
    let naming = [WindowKey.name.rawValue, ViewKey.path.rawValue]
    let key = problem.key.map { naming.contains($0) ? "" : "\($0): " } ?? ""
    problems.add(location, prefix + key + problem.message + hint(problem))
  }

  /// The window or view that is likely meant, as the subject would name it.
  private func hint(_ problem: LayoutError.Problem) -> String {
    guard case .path(let path) = problem.unknown else { return "" }
    let slash = path.lastIndex(of: "/")
    let superview = slash.map { path[...$0] } ?? ""
    // As many as can be looked through for each of a hundred problems.
    let paths =
      slash == nil
      ? windows.prefix(1000).map(\.element.name) : views.prefix(10_000).map(\.element.path)
    let siblings = paths.filter { $0.hasPrefix(superview) }.map { $0.dropFirst(superview.count) }
      .filter { !$0.contains("/") }.prefix(1000).map(String.init)
    guard let nearest = nearestKey(to: String(path.dropFirst(superview.count)), among: siblings)
    else { return "" }
    let isRelative = problem.key != ViewKey.path.rawValue
    return "; did you mean \"\(isRelative ? relative(superview, problem) : superview)\(nearest)\"?"
  }

  /// A path from the window on, as one from the subject on.
  private func relative(
    _ path: Substring, _ problem: LayoutError.Problem
  ) -> Substring {
    switch problem.subject {
    case .window(let index): path.dropFirst(windows[index].element.name.count + 1)
    case .view(let index): path.dropFirst(views[index].element.path.count + 1)
    case .screen, .layout: path
    }
  }

  /// Reports windows of one name and views of one path, naming both locations.
  ///
  /// The layout finds them too, but knows no locations.
  private func reportDuplicates(_ problems: ProblemList) {
    report(
      duplicatesIn: windows.lazy.map { ($0.element.name, $0.table) }, key: "name", kind: "window",
      problems)
    report(
      duplicatesIn: views.lazy.map { ($0.element.path, $0.table) }, key: "path", kind: "view",
      problems)
  }

  private func report(
    duplicatesIn named: some Sequence<(name: String, table: Value)>, key: String, kind: String,
    _ problems: ProblemList
  ) {
    var first: [String: Value] = [:]
    for (name, table) in named {
      if problems.hasMore { return }
      guard let earlier = first[name] else {
        first[name] = table
        continue
      }
      problems.add(
        location(of: key, in: table),
        "\(kind) \(quoted(name)): there is a \(kind) of that \(key) already, at "
          + problems.name(location(of: key, in: earlier)))
    }
  }

  /// The tables of all windows and views by their paths.
  func tables() -> [String: Value] {
    let named =
      windows.map { ($0.element.name, $0.table) } + views.map { ($0.element.path, $0.table) }
    return Dictionary(named) { first, _ in first }
  }

  /// Where a table says a key; the table itself where it does not.
  func location(of key: String, in table: Value) -> SourceLocation {
    (table.find(key) ?? table).location
  }
}
