import Glibc

/// A folder for the sockets and files of one input; what is left in it goes with the value.
final class TemporaryFolder {
  let path: String
  private var files: [String] = []

  init() throws {
    var template = Array("/tmp/touchroute-fuzz-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Finding("no folder in /tmp: \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  /// Writes a file; its path.
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Finding("\(file) can't be made: \(errno)") }
    defer { close(descriptor) }
    files.append(file)
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count else { throw Finding("\(file) can't be written: \(errno)") }
    return file
  }
}
