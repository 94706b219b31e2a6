import Glibc

extension Configuration {
  /// The folder of the program that runs.
  package static func programFolder() -> String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0 else { return nil }
    let text = String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }

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
