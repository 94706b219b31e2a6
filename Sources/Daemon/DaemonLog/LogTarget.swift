import Glibc

/// A descriptor that lines of the log are written to without waiting, whatever it is and whoever
/// shares it: nothing about it changes for the others that have it.
struct LogTarget {
  /// What came of an attempt to write.
  enum Outcome: Equatable {
    /// So many bytes were taken, of those that were offered.
    case took(Int)
    /// Nothing can be taken at present.
    case full
    /// Nobody will ever take them: the errno.
    case failed(Int32)
  }

  /// How it is written to without waiting.
  private enum Method {
    /// By send with MSG_DONTWAIT: the journal, for one.
    case socket
    /// A pipe or a terminal, opened anew for this process alone with O_NONBLOCK.
    case own
    /// A regular file, which takes whatever it is given at once.
    case file
    /// A pipe or a terminal that this user may not open: at most so many bytes at a time, and only
    /// while poll says that it takes some.
    case guarded(chunk: Int)
  }

  /// What is written to, and to be watched for being writable.
  let descriptor: Int32
  private let method: Method

  /// Finds out how a descriptor, such as standard error, can be written to without waiting.
  init(_ shared: Int32) {
    var status = stat()
    let kind = fstat(shared, &status) == 0 ? status.st_mode & S_IFMT : 0
    switch kind {
    case S_IFSOCK: (descriptor, method) = (shared, .socket)
    case S_IFIFO, S_IFCHR:
      let flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      let own = open("/proc/self/fd/\(shared)", flags)
      if own >= 0 {
        (descriptor, method) = (own, .own)
      } else {
        // A pipe that is writable takes PIPE_BUF bytes at once.
        (descriptor, method) = (shared, .guarded(chunk: kind == S_IFIFO ? 4096 : 256))
      }
    default: (descriptor, method) = (shared, .file)
    }
  }

  /// Lets go of what this process has opened for itself.
  func close() {
    if case .own = method { Glibc.close(descriptor) }
  }

  /// Writes what is taken at once. The corresponding C functions are send and write.
  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    while true {
      let count: Int
      switch method {
      case .socket:
        count = send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
      case .own, .file:
        count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      case .guarded(let chunk):
        guard isWritable(timeoutMilliseconds: 0) else { return .full }
        count = Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, chunk))
      }
      if count >= 0 { return .took(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .full
      default: return .failed(errno)
      }
    }
  }

  /// Waits until it takes something, or has failed.
  func isWritable(timeoutMilliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&watched, 1, timeoutMilliseconds) > 0
  }

  private static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
}
