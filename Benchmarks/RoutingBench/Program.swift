import CTouchroute
import Glibc

/// The processes that a world needs beside the daemon.
enum Program {
  /// What such a process does.
  enum Kind: String {
    /// Attaches to a window and counts the records that it is shown.
    case program
    /// Reads all that recorders are told.
    case recorder
    /// Writes bytes into a pipe, at a pace.
    case pacer
  }

  /// Runs one until it is over.
  static func run(_ kind: Kind, _ arguments: [String]) {
    switch kind {
    case .program: runProgram(arguments)
    case .recorder: runRecorder(arguments)
    case .pacer: runPacer(arguments)
    }
  }

  /// Is given the descriptor, the hertz, and how many bytes.
  private static func runPacer(_ arguments: [String]) {
    let numbers = arguments.compactMap { Int($0) }
    guard numbers.count == 3 else { exit(64) }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    for _ in 0..<numbers[2] {
      time.tv_nsec += 1_000_000_000 / numbers[1]
      if time.tv_nsec >= 1_000_000_000 {
        (time.tv_sec, time.tv_nsec) = (time.tv_sec + 1, time.tv_nsec - 1_000_000_000)
      }
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
      write(Int32(numbers[0]), "x", 1)
    }
  }

  /// Is given the control socket.
  private static func runRecorder(_ arguments: [String]) {
    var listener = touchroute_listener()
    listener.size = MemoryLayout<touchroute_listener>.size
    guard let connection = touchroute_connect(arguments.first, "recorder", 0, &listener, nil)
    else { exit(1) }
    touchroute_observe(connection, CInt(TOUCHROUTE_OBSERVE_CHANGES.rawValue))
    while touchroute_dispatch(connection, -1) >= 0 {}
    touchroute_disconnect(connection)
  }

  /// Is given the socket, the file of the counts, its place in it, and the window.
  private static func runProgram(_ arguments: [String]) {
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
  static func start(_ kind: Kind, _ arguments: [String]) -> pid_t {
    var words: [UnsafeMutablePointer<CChar>?] =
      (["/proc/self/exe", kind.rawValue] + arguments).map { strdup($0) }
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
