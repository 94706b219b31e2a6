import EventLoop
import Glibc
import Testing

/// These set variables of the process's environment, so one at a time.
@Suite("The service manager", .serialized)
struct ServiceManagerTests {
  @Test("states arrive at the notification socket as systemd's protocol has them")
  func notify() throws {
    let path = "/tmp/touchroute-notify-\(getpid()).sock"
    let socket = try #require(boundSocket(path))
    defer {
      unsetenv("NOTIFY_SOCKET")
      close(socket)
      unlink(path)
    }
    setenv("NOTIFY_SOCKET", path, 1)
    #expect(try ServiceManager.ready(status: "2 touchscreens\nand more"))
    #expect(receive(socket) == "READY=1\nSTATUS=2 touchscreens and more")
    #expect(try ServiceManager.reloading(now: 17))
    #expect(receive(socket) == "RELOADING=1\nMONOTONIC_USEC=17")
    #expect(try ServiceManager.stopping())
    #expect(receive(socket) == "STOPPING=1")
  }

  @Test("without a service manager there is nobody to tell and nothing is passed")
  func absent() throws {
    unsetenv("NOTIFY_SOCKET")
    unsetenv("LISTEN_FDS")
    #expect(try !ServiceManager.ready(status: "up"))
    #expect(try ServiceManager.listenDescriptors().isEmpty)
    #expect(try !EventLoop().enableWatchdog())
  }

  @Test(
    "the watchdog is told as often as the service manager asks, and nothing else wakes the loop")
  func watchdog() throws {
    let path = "/tmp/touchroute-watchdog-\(getpid()).sock"
    let socket = try #require(boundSocket(path))
    defer {
      for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
      close(socket)
      unlink(path)
    }
    setenv("NOTIFY_SOCKET", path, 1)
    setenv("WATCHDOG_USEC", "20000", 1)
    setenv("WATCHDOG_PID", "\(getpid())", 1)
    let loop = try EventLoop()
    var turns = 0
    loop.atEndOfTurn { turns += 1 }
    #expect(try loop.enableWatchdog())
    #expect(receive(socket) == "WATCHDOG=1")
    for _ in 0..<2 {
      #expect(try !loop.runTurn(timeoutMicroseconds: 40_000))
    }
    #expect(receive(socket) == "WATCHDOG=1")
    #expect(turns == 0)
  }

  private func boundSocket(_ path: String) -> Int32? {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in path.utf8.enumerated() { bytes[index] = byte }
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return result == 0 ? descriptor : nil
  }

  private func receive(_ socket: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
