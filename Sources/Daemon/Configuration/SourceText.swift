import Glibc

/// The bytes of a configuration file.
enum SourceText {
  /// Files beyond that are refused: room for the largest layout several times over.
  static let maximumBytes = 512 << 20

  /// Why a file can't be read, as a sentence without its path.
  struct Failure: Error {
    var message: String
    /// errno of the call that failed, or 0.
    var code: Int32 = 0

    var isMissing: Bool { code == ENOENT }
  }

  /// Reads a regular file whole.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    // Not blocking, or a FIFO without a writer would hold the daemon up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw failure(opening: path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(opening: path, errno) }
    if let other = kind(status) {
      throw Failure(message: "is \(other); a configuration must be a regular file")
    }
    guard status.st_size <= maximumBytes else { throw tooLarge }
    return try readAll(descriptor, expecting: Int(status.st_size))
  }

  private static var tooLarge: Failure {
    Failure(message: "is larger than \(maximumBytes >> 20) MiB, the most that is read")
  }

  private static func readAll(
    _ descriptor: Int32, expecting size: Int
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 1)
    var chunk = [UInt8](repeating: 0, count: min(max(size + 1, 4096), 1 << 20))
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(message: "can't be read: \(text(errno))", code: errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= maximumBytes else { throw tooLarge }
    }
  }

  private static func kind(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a directory"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "no file"
    }
  }

  private static func failure(opening path: String, _ code: Int32) -> Failure {
    switch code {
    case ENOENT: Failure(message: missing(path), code: code)
    case EACCES: Failure(message: denied(path), code: code)
    // What opening a socket answers.
    case ENXIO:
      Failure(
        message: "is a socket or a device; a configuration must be a regular file", code: code)
    default: Failure(message: "can't be opened: \(text(code))", code: code)
    }
  }

  /// Says what is missing: the file, or what a link to it leads to.
  private static func missing(_ path: String) -> String {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count >= 0 else { return "there is no such file" }
    let name = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "is a symbolic link to \(name), which is not there; remove the link, or make the file"
  }

  /// Says who was refused and whose file it is.
  private static func denied(_ path: String) -> String {
    let user = "user \(userName(geteuid()))"
    var status = stat()
    guard stat(path, &status) == 0 else {
      return "\(user) may not enter its directory; allow it with chmod o+x, or by group"
    }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    let owner = "\(userName(status.st_uid)):\(groupName(status.st_gid))"
    return
      "\(user) may not read it: it belongs to \(owner) with mode \(mode); "
      + "allow it with chmod or chgrp"
  }

  private static func userName(_ id: uid_t) -> String {
    getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "\(id)"
  }

  private static func groupName(_ id: gid_t) -> String {
    getgrgid(id).map { String(cString: $0.pointee.gr_name) } ?? "\(id)"
  }

  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
