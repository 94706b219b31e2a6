import EventLoop
import Glibc
import TestSupport
import Testing

/// These set variables of the environment, so each is a process of its own.
@Suite("The service manager")
struct ServiceManagerTests {
  @Test("states arrive at the notification socket as systemd's protocol has them")
  func notify() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager()
      #expect(try ServiceManager.ready(status: "2 touchscreens\nand more"))
      #expect(manager.receive() == "READY=1\nSTATUS=2 touchscreens and more")
      #expect(try ServiceManager.reloading(now: 17))
      #expect(manager.receive() == "RELOADING=1\nMONOTONIC_USEC=17")
      #expect(try ServiceManager.stopping())
      #expect(manager.receive() == "STOPPING=1")
    }
  }

  @Test("without a service manager there is nobody to tell and nothing is passed")
  func absent() async {
    await #expect(processExitsWith: .success) {
      for name in ["NOTIFY_SOCKET", "LISTEN_FDS", "WATCHDOG_USEC"] { unsetenv(name) }
      let isHeard = try ServiceManager.ready(status: "up")
      #expect(!isHeard)
      let sockets = try ServiceManager.listenDescriptors()
      #expect(sockets.isEmpty)
      let isWatched = try EventLoop().enableWatchdog()
      #expect(!isWatched)
    }
  }

  @Test(
    "the watchdog is told as often as the service manager asks, and nothing else wakes the loop")
  func watchdog() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager()
      setenv("WATCHDOG_USEC", "20000", 1)
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      let loop = try EventLoop()
      var turns = 0
      loop.atEndOfTurn { turns += 1 }
      #expect(try loop.enableWatchdog())
      #expect(manager.receive() == "WATCHDOG=1")
      for _ in 0..<2 {
        let isTurn = try loop.runTurn(timeoutMicroseconds: 40_000)
        #expect(!isTurn)
      }
      #expect(manager.receive() == "WATCHDOG=1")
      #expect(turns == 0)
    }
  }
}

/// What the service manager hears, in this process's NOTIFY_SOCKET.
private final class Manager {
  private let directory: TemporaryDirectory
  private let socket: NotifySocket

  init() throws {
    directory = try TemporaryDirectory()
    socket = try NotifySocket(path: directory.file("notify.sock"))
    setenv("NOTIFY_SOCKET", socket.path, 1)
  }

  func receive() -> String { socket.next(seconds: 0)?.text ?? "" }
}
