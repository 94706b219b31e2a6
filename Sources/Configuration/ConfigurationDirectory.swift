import Glibc

/// The directory `conf.d`, where each program's package can put its own window.
enum ConfigurationDirectory {
  /// The paths of the `*.toml` in `conf.d` beside a file, in the order of their names; none where
  /// there is no such directory. A failure where there is one that can't be read.
  static func fragments(beside path: String) -> (
    [String], failure: (path: String, message: String)?
  ) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let directory = parent + "conf.d"
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return ([], nil) }
      return ([], (directory, "can't be read: \(SourceText.text(errno))"))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".toml"), !name.hasPrefix(".") { names.append(name) }
    }
    // By bytes, as `ls` in the C locale: the order must not depend on the locale.
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return (names.map { "\(directory)/\($0)" }, nil)
  }
}
