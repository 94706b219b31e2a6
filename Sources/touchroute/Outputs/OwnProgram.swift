import Glibc

/// Programs that come with touchroute and that nobody runs by hand.
enum OwnProgram {
  /// Where such a program may be: beside this one, where that was built, or where it is installed.
  static func places(of name: String) -> [String] {
    guard let folder = folder() else { return [] }
    return ["\(folder)/\(name)", "\(folder)/../libexec/touchroute/\(name)"]
  }

  /// The folder of the program that runs.
  private static func folder() -> String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0 else { return nil }
    let text = String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }
}
