import Glibc
import TestSupport

/// A daemon in the test's own thread: a real Unix socket that listens, and does what the test says.
final class Peer {
  /// What went wrong with a socket of the test's own.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Where it listens.
  let path: String
  private let directory: TemporaryDirectory
  private(set) var listener: CInt
  private(set) var client: CInt = -1

  /// Listens in a new folder of its own.
  init(listening: Bool = true) throws {
    directory = try TemporaryDirectory()
    path = directory.file("touchroute.sock")
    listener = -1
    if listening { try listen() }
  }

  deinit {
    disconnect()
    stop()
  }

  /// Begins to listen.
  func listen() throws {
    listener = try UnixSocket.listening(at: path)
  }

  /// Listens no more, and leaves no socket behind.
  func stop() {
    guard listener >= 0 else { return }
    close(listener)
    unlink(path)
    listener = -1
  }

  /// Takes the client that waits.
  func accept() throws {
    disconnect()
    client = Glibc.accept(listener, nil, nil)
    guard client >= 0 else { throw Failure(description: "accept: errno \(errno)") }
  }

  /// Ends the client's connection, also where a process that another test starts at this moment
  /// has inherited it.
  func disconnect() {
    guard client >= 0 else { return }
    shutdown(client, CInt(SHUT_RDWR))
    close(client)
    client = -1
  }

  /// Sends all of it; the client has to have room for it.
  func send(_ bytes: some Sequence<UInt8>) throws {
    let bytes = Array(bytes)
    let sent = Glibc.send(
      client, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    guard sent == bytes.count else {
      throw Failure(description: "sent \(sent) of \(bytes.count) bytes: errno \(errno)")
    }
  }

  /// What the client has sent by now.
  func receive() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(client, &chunk, chunk.count, CInt(MSG_DONTWAIT))
      guard count > 0 else { return bytes }
      bytes += chunk.prefix(count)
    }
  }
}

extension Peer {
  /// Whether a client waits to be taken.
  var isAwaited: Bool {
    var waiting = pollfd(fd: listener, events: CShort(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  /// Lets the program run until a client waits to be taken, then takes it.
  func accept(
    within seconds: Int = 20, letting run: () throws -> Void
  ) throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      if isAwaited { return try accept() }
      guard ContinuousClock.now < deadline else {
        throw Failure(description: "nobody has connected within \(seconds) s")
      }
      try run()
    }
  }
}

extension Peer {
  /// Says that nothing more comes; what the client sends is still taken.
  func finishSending() { shutdown(client, CInt(SHUT_WR)) }

  /// Waits until the client has sent so many bytes, and takes them.
  func received(_ count: Int) async throws {
    var bytes = [UInt8](repeating: 0, count: count)
    var sum = 0
    while sum < count {
      let received = recv(client, &bytes, count - sum, CInt(MSG_DONTWAIT))
      if received > 0 { sum += received } else { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  /// Takes the next client once it is there.
  func acceptLater() async throws {
    while true {
      var waiting = pollfd(fd: listener, events: CShort(POLLIN), revents: 0)
      if poll(&waiting, 1, 0) > 0 { return try accept() }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Plays the daemon of a vector: sends each part once the program has made the requests before
  /// it.
  func play(_ vector: Vector) async throws {
    var sizes: [Int] = []
    var start = 0
    while start < vector.requests.count {
      sizes.append(Int(vector.requests[start]) + Int(vector.requests[start + 1]) << 8)
      start += sizes[sizes.count - 1]
    }
    try await received(sizes.removeFirst())
    var sent = 0
    for step in vector.steps {
      switch step {
      case .send(let count):
        try send(vector.bytes[sent..<(sent + count)])
        sent += count
      case .call: try await received(sizes.removeFirst())
      case .event, .end: break
      }
    }
  }
}
