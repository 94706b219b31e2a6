import CTouchroute
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Server

@Suite("Listeners")
struct ListenerTests {
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  /// What making a listener fails with.
  private static func failure(_ path: String) -> String? {
    do {
      _ = try Listener(.client, path: path)
      return nil
    } catch { return error.description }
  }

  @Test("the socket's file has mode 0660, and goes with its listener")
  func modeAndEnd() throws {
    let folder = try TemporaryDirectory()
    let listener = try Listener(.client, path: folder.socket)
    #expect(Self.mode(of: folder.socket) == S_IFSOCK | 0o660)
    listener.close()
    #expect(Self.mode(of: folder.socket) == nil)
  }

  @Test("the socket's file gets the group that it is made with")
  func group() throws {
    let folder = try TemporaryDirectory()
    let group = getgid()
    let listener = try Listener(.client, path: folder.socket, group: group)
    var status = stat()
    #expect(stat(folder.socket, &status) == 0)
    #expect(status.st_gid == group)
    listener.close()
  }

  @Test("a hundred programs that connect before the daemon looks are all let wait (F1)")
  func backlog() throws {
    let folder = try TemporaryDirectory()
    let listener = try Listener(.client, path: folder.socket)
    defer { listener.close() }
    let address = try SocketAddress(folder.socket)
    var refused: [Int32] = []
    var sockets: [Int32] = []
    for _ in 0..<100 {
      let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      sockets.append(socket(AF_UNIX, Int32(flags), 0))
      let result = address.withAddress { Glibc.connect(sockets[sockets.count - 1], $0, $1) }
      if result != 0 { refused.append(errno) }
    }
    #expect(refused == [])
    for socket in sockets { close(socket) }
  }

  @Test("a file that another process has put in its place stays")
  func notOurs() throws {
    let folder = try TemporaryDirectory()
    let listener = try Listener(.client, path: folder.socket)
    unlink(folder.socket)
    let successor = try Listener(.client, path: folder.socket)
    listener.close()
    #expect(Self.mode(of: folder.socket) != nil)
    successor.close()
    #expect(Self.mode(of: folder.socket) == nil)
  }

  @Test("a dead socket is replaced; one that somebody answers on is refused")
  func stale() throws {
    let folder = try TemporaryDirectory()
    do {
      let dead = try SocketAddress(folder.socket)
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      try dead.bind(descriptor, group: nil)
      close(descriptor)
    }
    #expect(Self.mode(of: folder.socket) != nil)
    let listener = try Listener(.client, path: folder.socket)
    let text = try #require(Self.failure(folder.socket))
    #expect(text.hasPrefix("another process answers on \(folder.socket): stop it first"))
    #expect(Self.mode(of: folder.socket) != nil)
    listener.close()
  }

  @Test("what lies there and is no socket is refused and left alone")
  func noSocket() throws {
    let folder = try TemporaryDirectory()
    let file = "\(folder.path)/file"
    close(open(file, O_CREAT | O_WRONLY, 0o600))
    #expect(
      Self.failure(file)
        == "\(file) exists and is no socket: remove it, or choose another path")
    #expect(Self.mode(of: file) == S_IFREG | 0o600)
    #expect(Self.failure(folder.path)?.contains("is no socket") == true)
  }

  @Test("a link, a file or another socket in the place of the one that was made is left alone")
  func swapped() throws {
    let folder = try TemporaryDirectory()
    let file = "\(folder.path)/file"
    close(open(file, O_CREAT | O_WRONLY, 0o600))
    // What another process does between the making of the socket and its opening.
    let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try SocketAddress("\(folder.path)/other").bind(made, group: nil)
    close(made)
    chmod("\(folder.path)/other", 0o600)
    let other = "\(folder.path)/other"
    for (target, isSymbolic) in [(file, true), (file, false), (other, true), (other, false)] {
      let result = isSymbolic ? symlink(target, folder.socket) : Glibc.link(target, folder.socket)
      try #require(result == 0)
      let before = Self.mode(of: target)
      do {
        _ = try SocketFile(folder.socket).open(to: nil)
        Issue.record("\(target) was opened")
      } catch {
        #expect(error.description.hasPrefix("\(folder.socket) is no longer the socket"))
      }
      #expect(Self.mode(of: target) == before)
      unlink(folder.socket)
    }
  }

  @Test("a dangling link where the socket is to be is refused, and stays")
  func link() throws {
    let folder = try TemporaryDirectory()
    try #require(symlink("\(folder.path)/other", folder.socket) == 0)
    #expect(Self.failure(folder.socket)?.contains("is no socket") == true)
    #expect(Self.mode(of: folder.socket).map { $0 & S_IFMT } == S_IFLNK)
    #expect(Self.mode(of: "\(folder.path)/other") == nil)
  }

  @Test("a missing directory, a path that is too long, and one without permission are named")
  func unusable() throws {
    let folder = try TemporaryDirectory()
    let missing = "\(folder.path)/nowhere/client.sock"
    let text = "the directory \(folder.path)/nowhere of the socket \(missing): "
    #expect(Self.failure(missing)?.hasPrefix(text + "No such file or directory") == true)
    let long = "/tmp/" + String(repeating: "x", count: 103)
    #expect(Self.failure(long)?.contains("has 108 bytes: a socket's path has 1 to 107") == true)
    #expect(Self.failure("")?.contains("has 0 bytes") == true)
    #expect(Self.failure("/proc/client.sock")?.contains("/proc/client.sock") == true)
  }

  @Test("a listening socket is taken over, and its file stays the service manager's")
  func adopted() throws {
    let folder = try TemporaryDirectory()
    let made = try Listener(.client, path: folder.socket)
    let world = try World()
    let adopted = try Listener(.control, adopting: dup(made.descriptor))
    #expect(adopted.path == folder.socket)
    try world.server.listen(on: adopted)
    let client = try RawClient(path: folder.socket)
    client.send(RequestBytes.hello())
    #expect(try world.message(for: client).load(touchroute_welcome.self).is_control == 1)
    world.server.stop()
    #expect(Self.mode(of: folder.socket) != nil)
    made.close()
  }

  @Test("what is no listening Unix stream socket is not taken over")
  func notAdopted() throws {
    let pair = try SocketPair()
    let datagrams = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    for descriptor in [pair.inner, pair.outer, datagrams, open("/dev/null", O_RDONLY)] {
      #expect(throws: ServerError.self) { try Listener(.client, adopting: descriptor) }
    }
  }

  @Test("clients connect over a real socket, and it is gone when the server stops")
  func connect() throws {
    let folder = try TemporaryDirectory()
    let world = try World()
    try world.server.listen(on: Listener(.client, path: folder.socket))
    let clients = try (0..<20).map { _ in try RawClient(path: folder.socket) }
    for client in clients {
      client.send(RequestBytes.hello())
      #expect(try world.message(for: client).load(touchroute_welcome.self).is_control == 0)
    }
    world.server.stop()
    #expect(Self.mode(of: folder.socket) == nil)
    for client in clients { #expect(client.next()?.isClosing == true) }
  }
}

extension TemporaryDirectory {
  /// Where a test's listener is.
  var socket: String { file("client.sock") }
}
