import Glibc

/// The names of the machine's own users, from a copy of /etc/passwd that is read again once that
/// has changed. No name service is asked, which could keep the loop waiting.
struct UserNames {
  /// By what a file is told from the one that was read.
  private struct Identity: Equatable {
    var device: UInt
    var inode: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    init(_ status: stat) {
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  private let path: String
  private var names: [UInt32: String] = [:]
  private var known: Identity?
  /// From when on the file is looked at again before a name is told, in microseconds.
  private var nextLook: UInt64 = 0
  /// How many times the file was read.
  private(set) var readCount = 0

  /// How long a name may be out of date, in microseconds.
  static let interval: UInt64 = 10_000_000
  /// The users that are known by name; those behind them in the file are known by their number.
  static let limit = 1024
  /// In bytes; those behind a longer line are known by their number too.
  private static let lineLimit = 65_536

  /// Nothing is read before a name is asked for.
  init(path: String = "/etc/passwd") { self.path = path }

  /// `user kiosk`, or `uid 1000` where the file has none of that number.
  ///
  /// - Parameter now: The present, in microseconds.
  mutating func name(of uid: UInt32, at now: UInt64) -> String {
    if now >= nextLook { look(at: now) }
    return names[uid].map { "user \($0)" } ?? "uid \(uid)"
  }

  /// The file is looked at again before the next name is told.
  mutating func lookAgain() { nextLook = 0 }

  private mutating func look(at now: UInt64) {
    nextLook = now + Self.interval
    var status = stat()
    let identity = stat(path, &status) == 0 ? Identity(status) : nil
    guard identity != known else { return }
    known = identity
    names = [:]
    if identity != nil { read() }
  }

  private mutating func read() {
    readCount += 1
    guard let file = fopen(path, "re") else { return }
    defer { fclose(file) }
    // Not fgetpwent, whose entry is the process's: several threads of one may read.
    var text = [CChar](repeating: 0, count: 1024)
    var entry = passwd()
    while names.count < Self.limit {
      var found: UnsafeMutablePointer<passwd>?
      let code = fgetpwent_r(file, &entry, &text, text.count, &found)
      if code == ERANGE, text.count < Self.lineLimit {
        text = [CChar](repeating: 0, count: 2 * text.count)
        continue
      }
      guard code == 0, found != nil else { return }
      if names[entry.pw_uid] == nil { names[entry.pw_uid] = String(cString: entry.pw_name) }
    }
  }
}
