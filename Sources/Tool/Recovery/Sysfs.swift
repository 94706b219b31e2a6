import Glibc

/// The kernel's tree of devices: what of it is read and written here.
package struct Sysfs: Sendable {
  /// Its folder; another one in tests.
  let root: String
  /// The most that a file of it has: a page.
  private static let mostBytes = 4096

  /// - Parameter root: The folder, such as `/sys`.
  package init(_ root: String = "/sys") {
    self.root = Self.resolved(root) ?? root
  }

  /// Where a path leads, without links; nil where it leads nowhere.
  static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The first line of a file, without blanks behind it; nil where it can't be read.
  static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: mostBytes)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    let text = String(decoding: line, as: UTF8.self)
    return String(text.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// Writes a file that is there, with one call: the kernel carries it out before that returns.
  ///
  /// - Returns: 0, or an error number.
  static func write(_ text: String, to path: String) -> CInt {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return Glibc.write(descriptor, bytes, bytes.count) == bytes.count ? 0 : errno
  }

  /// The folder that a path lies in.
  static func parent(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// The last part of a path.
  static func name(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// Where a link leads, by its last part; nil where it is none.
  static func linkName(_ path: String) -> String? { resolved(path).map(name(of:)) }

  /// What an error number means.
  static func words(_ code: CInt) -> String { String(cString: strerror(code)) }
}
