import Glibc

/// A file that is replaced as a whole: a reader sees the text before or the text after, never a
/// part, also if the machine stops meanwhile.
enum ReplacedFile {
  /// Writes a text beside the file, or beside what a link leads to, and then renames that to the
  /// file. What is there and is no regular file, such as /dev/stdout or a pipe, is written to.
  ///
  /// - Throws: an error that names the file. The file is then as it was.
  static func write(_ text: String, to path: String) throws(Failure) {
    var status = stat()
    // Files of /dev and /proc stand for what is open: it is written to, whatever it is.
    let isOpen = path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
    if stat(path, &status) == 0, isOpen || status.st_mode & S_IFMT != S_IFREG {
      return try writeInPlace(text, to: path)
    }
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let path = resolved.map { String(cString: $0) } ?? path
    // Not the file's own ending: who reads a folder of such files does not take it for one.
    var name = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten = write(Array(text.utf8), to: descriptor) && rename(name, path) == 0
    let code = errno
    close(descriptor)
    guard !isWritten else { return }
    unlink(name)
    errno = code
    throw failure(path)
  }

  private static func writeInPlace(_ text: String, to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten = writeAll(Array(text.utf8), to: descriptor)
    let code = errno
    close(descriptor)
    guard !isWritten else { return }
    errno = code
    throw failure(path)
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      if count >= 0 { start += count } else if errno != EINTR { return false }
    }
    return true
  }

  private static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    guard writeAll(bytes, to: descriptor) else { return false }
    // As a file that open makes: others may read it, unless the user's umask says no.
    let mask = umask(0)
    umask(mask)
    return fchmod(descriptor, 0o666 & ~mask) == 0 && fsync(descriptor) == 0
  }

  private static func failure(_ path: String) -> Failure {
    Failure("\(path) can't be written: \(String(cString: strerror(errno)))")
  }
}
