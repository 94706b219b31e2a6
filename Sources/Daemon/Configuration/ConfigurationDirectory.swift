import Glibc

/// The directories `conf.d`, where each program's package can put its own window, and where the
/// administrator has the last word.
struct ConfigurationDirectory {
  /// A file of a directory that is not read, since one of the same name takes its place.
  struct Override {
    var path: String
    var other: String
    /// Whether the other one says nothing, and so only drops it.
    var isDropped: Bool
  }

  /// The paths of the `*.toml` that are read, in the order of their names.
  private(set) var fragments: [String] = []
  private(set) var overrides: [Override] = []
  /// The directories that are there but can't be read, with why.
  private(set) var failures: [(path: String, message: String)] = []

  /// The files of directories: a later one's replace an earlier one's of the same name; one that is
  /// empty, or a link to /dev/null, drops it. A directory need not be there.
  init(_ directories: [String]) {
    var paths: [String: String] = [:]
    for directory in directories {
      for name in names(in: directory) {
        let path = "\(directory)/\(name)"
        if let earlier = paths.updateValue(path, forKey: name) {
          overrides.append(
            Override(path: earlier, other: path, isDropped: Self.isDropping(path)))
        }
      }
    }
    // By bytes, as `ls` in the C locale: the order must not depend on the locale.
    let names = paths.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    fragments = names.compactMap { paths[$0] }.filter { !Self.isDropping($0) }
    overrides.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// The files of the conf.d beside a main file, and of the packages' directory.
  ///
  /// - Parameter vendorDirectory: The packages'; where it is nil, that of the default file.
  init(beside path: String, vendorDirectory: String? = nil) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let isDefault = path == Configuration.defaultPath
    let vendor = vendorDirectory ?? (isDefault ? Configuration.defaultVendorDirectory : nil)
    self.init([vendor, parent + "conf.d"].compactMap(\.self))
  }

  private mutating func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else {
      if errno != ENOENT {
        failures.append((directory, "can't be read: \(SourceText.text(errno))"))
      }
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".toml"), !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// Whether a file only drops what has its name, as systemd's do: it is empty, or /dev/null.
  private static func isDropping(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    if status.st_mode & S_IFMT == S_IFREG { return status.st_size == 0 }
    var null = stat()
    return status.st_mode & S_IFMT == S_IFCHR && stat("/dev/null", &null) == 0
      && status.st_rdev == null.st_rdev
  }
}
