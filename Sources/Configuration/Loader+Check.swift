import Layout
import TouchModel

extension Loader {
  /// What was read, if nothing is wrong with it.
  func configuration() throws(ConfigurationError) -> Configuration {
    guard !problems.hasMore else { throw problems.error() }
    let description = LayoutDescription(screens: screens, windows: windows, views: views)
    guard let layout = compile(description), problems.isEmpty else {
      reportDuplicates()
      throw problems.error()
    }
    checkAccess(layout)
    guard problems.isEmpty else { throw problems.error() }
    return Configuration(
      files: problems.files, layoutDescription: description, layout: layout, devices: devices,
      access: access, limits: limits, touch: touch)
  }

  /// The layout in force; nil once its problems are reported.
  private func compile(_ description: LayoutDescription) -> Layout? {
    do throws(LayoutError) {
      return try Layout(description, limits: limits.layout)
    } catch {
      // Where something was wrong before, stand-ins made some of the frames.
      let framesAreReal = problems.isEmpty
      reportDuplicates()
      for problem in error.problems
      where framesAreReal || problem.key != PropertyKey.frame.rawValue {
        report(problem)
      }
      if error.hasMore, framesAreReal { problems.addMore() }
      return nil
    }
  }

  /// Reports what the layout refuses, unless something was said of that place before.
  private func report(_ problem: LayoutError.Problem) {
    let prefix: String
    let place: Place
    switch problem.subject {
    case .screen(let index):
      prefix = "screen \(quoted(screens[index].name)): "
      place = screenPlaces[index]
    case .window(let index):
      prefix = "window \(quoted(windows[index].name)): "
      place = self.place(of: problem.key ?? "", in: windowTables[index])
    case .view(let index):
      prefix = "view \(quoted(views[index].path)): "
      place = self.place(of: problem.key ?? "", in: viewTables[index])
    case .layout:
      prefix = ""
      place = Place(file: 0)
    }
    guard place.line == 0 || !problems.contains(place) else { return }
    let naming = [WindowKey.name.rawValue, ViewKey.path.rawValue]
    let key = problem.key.map { naming.contains($0) ? "" : "\($0): " } ?? ""
    problems.add(place, prefix + key + problem.message)
  }

  /// Reports windows of one name and views of one path, naming both places.
  ///
  /// The layout finds them too, but knows no places.
  private func reportDuplicates() {
    guard !hasReportedDuplicates else { return }
    hasReportedDuplicates = true
    report(duplicatesIn: windows.map(\.name), tables: windowTables, key: "name", kind: "window")
    report(duplicatesIn: views.map(\.path), tables: viewTables, key: "path", kind: "view")
  }

  private func report(
    duplicatesIn names: [String], tables: [Value], key: String, kind: String
  ) {
    var first: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      if problems.hasMore { return }
      guard let earlier = first[name] else {
        first[name] = index
        continue
      }
      problems.add(
        place(of: key, in: tables[index]),
        "\(kind) \(quoted(name)): there is a \(kind) of that \(key) already, at "
          + problems.name(place(of: key, in: tables[earlier])))
    }
  }

  /// Where a table says a key; the table itself where it does not.
  private func place(of key: String, in table: Value) -> Place { (table.find(key) ?? table).place }

  /// Reports rules about responders that are not there.
  private func checkAccess(_ layout: Layout) {
    for (rule, place) in zip(access, accessPlaces) where layout.responder(at: rule.path) == nil {
      if problems.hasMore { return }
      let nearest = layout.nearestPath(to: rule.path).map { "; did you mean \"\($0)\"?" } ?? ""
      problems.add(place, "access \(quoted(rule.path)): there is no such responder\(nearest)")
    }
  }
}
