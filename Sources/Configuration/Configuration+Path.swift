import Glibc

extension Configuration {
  /// A path from the root on, without `.` and `..`, by which two processes in different directories
  /// know that they mean one file; links stay what they are.
  package static func absolutePath(of path: String) -> String {
    var parts: [Substring] = []
    var whole = path
    if !path.hasPrefix("/"), let directory = getcwd(nil, 0) {
      whole = "\(String(cString: directory))/\(path)"
      free(directory)
    }
    for part in whole.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
