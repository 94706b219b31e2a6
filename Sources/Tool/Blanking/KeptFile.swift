import Glibc

/// A small file that says how bright a light was, from when it is dimmed or off until it is on
/// again. A process that is killed in between leaves it for the next one.
package struct KeptFile {
  private let path: String?
  private static let mostBytes = 64

  /// - Parameters:
  ///   - folder: A folder of this user's that the next boot finds empty; nil keeps nothing.
  ///   - name: Of what light.
  package init(in folder: String?, for name: String) {
    path = folder.map { "\($0)/touchroute-light-\(name)" }
  }

  /// The folder that the environment names: RUNTIME_DIRECTORY of systemd, else XDG_RUNTIME_DIR. It
  /// is one, and a colon is part of its name.
  package static var folder: String? {
    for name in ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"] {
      guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else {
        continue
      }
      return value
    }
    return nil
  }

  /// Takes the light for this process, until it ends: another one would take a light that this one
  /// has dimmed for one that was left so, and turn it full.
  ///
  /// - Throws: that another process has it.
  package func claim() throws(BlankingError) {
    guard let path else { return }
    let lock = path + ".lock"
    let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw BlankingError("\(lock) can't be written: \(String(cString: strerror(errno)))")
    }
    // It stays open: the kernel lets go of it as the process ends, however that ends.
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
    close(descriptor)
    throw BlankingError(
      "another touchroute idle turns that light off and on (\(lock)): end that one first")
  }

  /// What was kept; nil where nothing was.
  package var number: Int? {
    path.flatMap { Self.text(of: $0, atMost: Self.mostBytes) }.flatMap { Int($0) }
  }

  /// Keeps a number.
  package func keep(_ number: Int) throws(BlankingError) {
    guard let path else { return }
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let text = Array("\(number)\n".utf8)
    let isWritten = descriptor >= 0 && write(descriptor, text, text.count) == text.count
    if descriptor >= 0 { close(descriptor) }
    guard isWritten, rename(new, path) == 0 else {
      throw BlankingError("\(path) can't be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Keeps nothing any more.
  package func remove() {
    if let path { unlink(path) }
  }

  /// The first line of a file, without blanks around it; nil where it can't be read.
  static func text(of file: String, atMost size: Int) -> String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = read(descriptor, &bytes, size)
    guard count > 0 else { return nil }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self).split(separator: " ").joined()
  }
}
