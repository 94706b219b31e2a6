import Glibc

/// The file of a record, which gets whole entries: what could be written of it can always be read.
final class RecordFile {
  private let path: String
  private let descriptor: CInt
  private var bytes: [UInt8] = []
  /// Where each entry of `bytes` ends.
  private var ends: [Int] = []
  /// How long it is, by what was written.
  private var length: off_t = 0
  private let isRegular: Bool
  private static let piece = 1 << 18

  /// Makes a file that only its owner may read: it says where people touch.
  init(_ path: String) throws(Failure) {
    self.path = path
    descriptor = path == "-" ? dup(STDOUT_FILENO) : try Self.new(path)
    guard descriptor >= 0 else { throw Self.failure(path, "can't be written") }
    isRegular = Self.kind(of: descriptor) == S_IFREG
  }

  /// Makes a file, or opens a device. Another program may have put a file, a pipe or a link in that
  /// place, to read the record or to have it written elsewhere.
  private static func new(_ path: String) throws(Failure) -> CInt {
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC
    let file = open(path, flags | O_CREAT | O_EXCL, 0o600)
    guard file < 0, errno == EEXIST else { return file }
    let device = open(path, flags | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK)
    if device >= 0, kind(of: device) == S_IFCHR, fcntl(device, F_SETFL, O_APPEND) == 0 {
      return device
    }
    if device >= 0 { close(device) }
    throw Failure("\(path) is there already: name another file, or remove it")
  }

  /// Whether something is there already that is not written to.
  static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFCHR
  }

  /// What the kernel says that a descriptor is.
  private static func kind(of descriptor: CInt) -> mode_t? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  deinit { close(descriptor) }

  /// Adds an entry, which is a line or several; it is written with the next ``flush()`` at the
  /// latest.
  func line(_ text: String) throws(Failure) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
    ends.append(bytes.count)
    if bytes.count >= Self.piece { try flush() }
  }

  /// Writes what was added. Where that fails, the file ends with its last whole entry.
  func flush() throws(Failure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      if count > 0 {
        start += count
      } else if count == 0 || errno != EINTR {
        let code = errno
        cut(after: start)
        throw Self.failure(path, "can't be written any further; it is good up to here", code)
      }
    }
    length += off_t(bytes.count)
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Leaves out the beginning of an entry that was not written whole.
  private func cut(after written: Int) {
    guard isRegular else { return }
    let whole = ends.last { $0 <= written } ?? 0
    bytes.removeAll()
    // If that fails too, readers leave the line out.
    _ = ftruncate(descriptor, length + off_t(whole))
  }

  private static func failure(_ path: String, _ what: String, _ code: CInt = errno) -> Failure {
    Failure("\(path) \(what): \(String(cString: strerror(code)))")
  }
}
