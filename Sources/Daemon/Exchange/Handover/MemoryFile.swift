import CLinux
import Glibc

/// A file that is in memory alone, and goes with its last descriptor.
enum MemoryFile {
  /// Makes one of a text; its descriptor is the caller's. Nil where the kernel refuses.
  static func make(_ name: String, _ text: String) -> Int32? {
    let descriptor = clinux_memory_file(name)
    guard descriptor >= 0 else { return nil }
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      guard count > 0 || errno == EINTR else {
        close(descriptor)
        return nil
      }
      start += max(count, 0)
    }
    return descriptor
  }

  /// More than any daemon leaves: each byte that waits for a client is two digits.
  private static let mostBytes = 1 << 30

  /// All of the text; nil where it can't be read.
  static func text(of descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.mostBytes
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
