import CTouchroute
import Glibc

/// A program that attaches to a window and counts the records that it is shown.
enum Program {
  /// What it is started with: the socket, the file of the counts, its place in it, the window.
  static func run(_ arguments: [String]) {
    guard arguments.count == 4, let index = Int(arguments[2]),
      let counts = Counts(path: arguments[1])
    else { exit(64) }
    var listener = touchroute_listener()
    listener.size = MemoryLayout<touchroute_listener>.size
    listener.touches = { data, _, frame in
      guard let data, let frame else { return }
      data.assumingMemoryBound(to: UInt64.self).pointee += UInt64(frame.pointee.record_count)
    }
    let connection = touchroute_connect(
      arguments[0], "program", 0, &listener, counts.place(of: index))
    guard let connection else { exit(1) }
    touchroute_attach(
      connection, arguments[3], UInt32(TOUCHROUTE_HANDLES_ALL.rawValue), 0, 0)
    while touchroute_dispatch(connection, -1) >= 0 {}
    touchroute_disconnect(connection)
  }

  /// Starts one, as a process of its own.
  static func start(_ arguments: [String]) -> pid_t {
    var words: [UnsafeMutablePointer<CChar>?] =
      (["/proc/self/exe", "program"] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, "/proc/self/exe", nil, nil, words, environ)
    precondition(failure == 0, "a program can't be started: \(failure)")
    return pid
  }
}

/// How many records each program was shown: memory that the processes share.
struct Counts {
  static let most = 1024
  /// A cache line each.
  private static let stride = 8
  private let values: UnsafeMutablePointer<UInt64>

  /// Those of a file; created where it is not there.
  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    let size = Self.most * Self.stride * MemoryLayout<UInt64>.stride
    guard descriptor >= 0, ftruncate(descriptor, size) == 0,
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { return nil }
    close(descriptor)
    values = memory.bindMemory(to: UInt64.self, capacity: Self.most * Self.stride)
  }

  func place(of index: Int) -> UnsafeMutablePointer<UInt64> { values + index * Self.stride }

  /// Of all together.
  func sum(_ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 + values[$1 * Self.stride] }
  }
}
