import CLinux
import Glibc

/// A listening Unix stream socket: made here, or taken over from the service manager.
public final class Listener {
  /// Which socket it is.
  public let kind: SocketKind
  /// Where it is; as the kernel says where it was taken over.
  public let path: String
  /// Owned.
  let descriptor: Int32
  /// The file that was made; nil where the service manager made it.
  private let file: SocketFile.Identity?

  /// Connections that may lie in the kernel. Whoever connects waits behind them, whosever they are,
  /// so they are few: who blocks waits for room, in turn, and who does not tries again. Rule F1.
  private static let backlog: Int32 = 128

  /// Makes the socket, with mode 0660. A socket file that nobody answers on is replaced.
  ///
  /// Deliberately no lock file beside it: two daemons started on one path within the same
  /// millisecond could both find it dead, and the service manager starts one.
  ///
  /// - Parameter group: The file's group; nil leaves that of the process.
  /// - Throws: a sentence that names the path, and what to do.
  public init(_ kind: SocketKind, path: String, group: UInt32? = nil) throws(ServerError) {
    let address = try SocketAddress(path)
    try address.clear()
    let descriptor = try Self.makeSocket(path)
    do throws(ServerError) {
      file = try address.bind(descriptor, group: group)
      guard listen(descriptor, Self.backlog) == 0 else {
        throw ServerError("can't listen on", path, code: errno)
      }
    } catch {
      ConnectionCloser.closeAlone(descriptor)
      throw error
    }
    self.kind = kind
    self.path = path
    self.descriptor = descriptor
  }

  /// Takes over a listening socket, whose file stays the service manager's.
  ///
  /// - Throws: a sentence, where the descriptor is no listening Unix stream socket; it is closed.
  public init(_ kind: SocketKind, adopting descriptor: Int32) throws(ServerError) {
    guard Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX,
      Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
      Self.option(SO_ACCEPTCONN, of: descriptor) == 1
    else {
      Glibc.close(descriptor)
      throw ServerError(
        "the \(kind) socket that the service manager passed is no listening Unix stream socket: "
          + "its unit needs ListenStream= with a path")
    }
    let flags = fcntl(descriptor, F_GETFL)
    Self.refuseDescriptors(descriptor)
    // The service manager lets as many wait as the kernel does.
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      listen(descriptor, Self.backlog) == 0
    else {
      let code = errno
      Glibc.close(descriptor)
      throw ServerError("the \(kind) socket can't be set up: \(errorText(code))")
    }
    self.kind = kind
    self.descriptor = descriptor
    path = SocketAddress.path(of: descriptor)
    file = nil
  }

  deinit { close() }

  private var isClosed = false

  /// Stops to listen, and removes the socket's file where it was made here and is still the same.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    // With it go those who wait to be accepted, and what they have sent.
    ConnectionCloser.closeAlone(descriptor)
    if let file { try? SocketFile(path).remove(file) }
  }

  /// The next connection, non-blocking and close-on-exec, or the errno for which there is none.
  ///
  /// What its client sends is read in its order, out of band or not (SO_OOBINLINE), for as long as
  /// the connection lives, in this daemon or the next: so reading on drops none of it, nor a
  /// descriptor that was passed with it.
  func accept() -> Result<Int32, Errno> {
    while true {
      let connection = clinux_accept(descriptor)
      guard connection >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return .failure(Errno(code: errno))
      }
      guard clinux_out_of_band_inline(connection) == 0 else {
        let code = errno
        ConnectionCloser.closeAlone(connection)
        return .failure(Errno(code: code))
      }
      return .success(connection)
    }
  }

  /// The number of a failure of a system call.
  struct Errno: Error, Equatable {
    var code: Int32
    /// Whether it is the lack of descriptors or memory, which passes.
    var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
  }

  private static func makeSocket(_ path: String) throws(ServerError) -> Int32 {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_UNIX, Int32(type), 0)
    guard descriptor >= 0 else { throw ServerError("can't make a socket for", path, code: errno) }
    refuseDescriptors(descriptor)
    return descriptor
  }

  /// Where the kernel can, from Linux 6.16 on, passing a descriptor fails with EPERM. Connections
  /// have this of the socket that they were made to, from their making on, so it is not all that
  /// keeps descriptors away: see ``RequestDecoder/receive(from:)``.
  private static func refuseDescriptors(_ descriptor: Int32) {
    _ = clinux_refuse_descriptors(descriptor)
  }

  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}
