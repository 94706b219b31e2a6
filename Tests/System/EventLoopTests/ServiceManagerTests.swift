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
      let loop = try EventLoop()
      let notifier = ServiceNotifier(on: loop)
      #expect(try notifier.ready(status: "2 touchscreens\nand more"))
      #expect(manager.receive() == "READY=1\nSTATUS=2 touchscreens and more")
      #expect(try notifier.reloading(now: 17))
      #expect(manager.receive() == "RELOADING=1\nMONOTONIC_USEC=17")
      #expect(try notifier.stopping())
      #expect(manager.receive() == "STOPPING=1")
    }
  }

  @Test("without a service manager there is nobody to tell and nothing is passed")
  func absent() async {
    await #expect(processExitsWith: .success) {
      for name in ["NOTIFY_SOCKET", "LISTEN_FDS", "WATCHDOG_USEC"] { unsetenv(name) }
      let loop = try EventLoop()
      let notifier = ServiceNotifier(on: loop)
      let isHeard = try notifier.ready(status: "up")
      #expect(!isHeard)
      let sockets = try ServiceManager.listenDescriptors()
      #expect(sockets.isEmpty)
      let isWatched = try notifier.enableWatchdog()
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
      let notifier = ServiceNotifier(on: loop)
      var turns = 0
      loop.atEndOfTurn { turns += 1 }
      #expect(try notifier.enableWatchdog())
      #expect(manager.receive() == "WATCHDOG=1")
      for number in 1...3 {
        #expect(try loop.runTurn(timeoutMicroseconds: 30_000_000))
        #expect(turns == number)
        #expect(manager.receive() == "WATCHDOG=1")
        #expect(manager.receive() == "")
      }
    }
  }

  @Test(
    "a service manager that does not read is waited for by nobody, and hears it later (F1, S11)")
  func deaf() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager()
      setenv("WATCHDOG_USEC", "20000", 1)
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      try manager.fill()
      let loop = try EventLoop()
      let notifier = ServiceNotifier(on: loop)
      let (left, right) = try UnixSocket.pair()
      #expect(try notifier.enableWatchdog())
      ServiceManager.alive()
      try notifier.forget("session")
      try notifier.ready(status: "up")
      for number in 0..<1_000 {
        try notifier.status("status \(number)")
        try notifier.reloading(now: UInt64(number))
        try notifier.ready(status: "reload \(number)")
      }
      try notifier.stopping()
      try notifier.store([left], name: "session")
      // What waits is bounded, and has its own copies.
      #expect(notifier.waitingCount == 7)
      close(left)
      // The loop turns, for the watchdog alone: nothing is asked again and again.
      for _ in 0..<3 { try loop.runTurn(timeoutMicroseconds: 30_000_000) }
      #expect(notifier.waitingCount == 7)

      var texts: [String] = []
      var kept: [Int32] = []
      while texts.last?.hasPrefix("FDSTORE=1") != true {
        while let (text, descriptors) = manager.next() {
          if text != "full", text != "WATCHDOG=1" { texts.append(text) }
          kept += descriptors
        }
        try loop.runTurn(timeoutMicroseconds: 1_000_000)
      }
      #expect(
        texts == [
          "FDSTOREREMOVE=1\nFDNAME=session", "READY=1\nSTATUS=up", "STATUS=status 0",
          "RELOADING=1\nMONOTONIC_USEC=999", "READY=1\nSTATUS=reload 999", "STOPPING=1",
          "FDSTORE=1\nFDNAME=session",
        ])
      #expect(notifier.waitingCount == 0)
      // The descriptor is the other end's peer.
      var byte: UInt8 = 7
      #expect(kept.count == 1)
      if let end = kept.first { #expect(send(end, &byte, 1, 0) == 1) }
      #expect(recv(right, &byte, 1, Int32(MSG_DONTWAIT)) == 1)
    }
  }

  @Test("at its end a service waits a moment for a service manager that reads late, and no longer")
  func end() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager()
      try manager.fill()
      let loop = try EventLoop()
      let notifier = ServiceNotifier(on: loop)
      try notifier.stopping()
      notifier.finish(milliseconds: 20)
      #expect(notifier.waitingCount == 1)
      while manager.next() != nil {}
      notifier.finish(milliseconds: 30_000)
      #expect(notifier.waitingCount == 0)
      #expect(manager.receive() == "STOPPING=1")
    }
  }

  @Test("a service manager that has made its socket anew is found again")
  func anew() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager()
      let loop = try EventLoop()
      let notifier = ServiceNotifier(on: loop)
      try notifier.status("one")
      try manager.bindAgain()
      try notifier.status("two")
      #expect(manager.receive() == "STATUS=two")
    }
  }
}

/// What the service manager hears, in this process's NOTIFY_SOCKET.
private final class Manager {
  private let directory: TemporaryDirectory
  private var socket: NotifySocket

  init() throws {
    directory = try TemporaryDirectory()
    socket = try NotifySocket(path: directory.file("notify.sock"))
    setenv("NOTIFY_SOCKET", socket.path, 1)
  }

  func receive() -> String { next()?.text ?? "" }

  func next() -> (text: String, descriptors: [Int32])? { socket.next(seconds: 0) }

  /// Fills its queue, so that nothing more is taken until it reads.
  func fill() throws { try socket.fill() }

  func bindAgain() throws { socket = try NotifySocket(path: socket.path) }
}
