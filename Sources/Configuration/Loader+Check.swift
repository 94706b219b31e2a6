import Layout
import TouchModel

extension Loader {
  /// What was read, if nothing is wrong with it.
  func configuration() throws(ConfigurationError) -> Configuration {
    let description = LayoutDescription(screens: screens, windows: windows, views: views)
    reportDuplicates()
    guard problems.isEmpty else { throw problems.error() }
    return Configuration(
      files: problems.files, layout: description, devices: devices, access: access, limits: limits,
      touch: touch)
  }

  /// Reports windows of one name and views of one path, naming both places.
  ///
  /// The layout finds them too, but knows no places.
  func reportDuplicates() {
    report(duplicatesIn: windows.map(\.name), tables: windowTables, key: .name, kind: "window")
    report(duplicatesIn: views.map(\.path), tables: viewTables, key: .path, kind: "view")
  }

  private enum NamingKey: String {
    case name, path
  }

  private func report(
    duplicatesIn names: [String], tables: [Value], key: NamingKey, kind: String
  ) {
    var first: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      guard let earlier = first[name] else {
        first[name] = index
        continue
      }
      problems.add(
        place(of: key.rawValue, in: tables[index]),
        "\(kind) \(quoted(name)): there is a \(kind) of that \(key.rawValue) already, at "
          + problems.name(place(of: key.rawValue, in: tables[earlier])))
    }
  }

  /// Where a table says a key; the table itself where it does not.
  func place(of key: String, in table: Value) -> Place { (table.find(key) ?? table).place }
}
