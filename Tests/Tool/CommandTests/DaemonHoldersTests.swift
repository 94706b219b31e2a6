import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The built daemon tells a window's holder who else holds something in that window.
@Suite("Daemon, holders in a window")
struct DaemonHoldersTests {
  private func attached(
    _ daemon: DaemonProcess, _ path: String, name: String, _ options: AttachOptions = []
  ) throws -> (client: DaemonClient, attachment: AttachmentID) {
    let client = try DaemonClient(daemon.socket, name: name)
    _ = try client.connection.attach(to: path, options: options)
    return (client, try client.next(\.geometry).attachment)
  }

  @Test("the holder hears of attaching, taking over, detaching and kill -9 beneath it (F6, S30)")
  func life() throws {
    let daemon = try DaemonProcess.started()
    let (home, window) = try attached(daemon, "home", name: "home-app")
    let (keys, toolbar) = try attached(daemon, "home/toolbar", name: "keys")
    let first = try home.next(\.holder)
    #expect(first.attachment == window && first.path == "home/toolbar" && first.isHeld)
    #expect(first.pid == getpid() && first.uid == getuid() && first.name == "keys")
    #expect(first.handles == .all && first.passes == [])
    try keys.connection.detach(toolbar)
    _ = try keys.next(\.completion)
    let gone = try home.next(\.holder)
    #expect(!gone.isHeld && gone.path == "home/toolbar" && gone.name == "keys")

    let process = try Command.start(
      ["listen", "--passes", "moved", "home/toolbar@bar"],
      environment: ["TOUCHROUTE_SOCKET": daemon.socket], output: .nullDevice)
    let program = try home.next(\.holder)
    #expect(program.isHeld && program.path == "home/toolbar@bar" && program.passes == [.moved])
    #expect(program.pid == process.identifier)
    process.signal(SIGKILL)
    let killed = try home.next(\.holder)
    #expect(!killed.isHeld && killed.path == "home/toolbar@bar" && killed.pid == program.pid)
    #expect(process.waitForExit() == -SIGKILL)

    let (_, _) = try attached(daemon, "home/dial", name: "one")
    #expect(try home.next(\.holder).name == "one")
  }

  @Test("a holder that comes later, or takes over, hears of all that others hold then (F6, S30)")
  func later() throws {
    let daemon = try DaemonProcess.started()
    let (keys, _) = try attached(daemon, "home/toolbar", name: "keys")
    let (nav, _) = try attached(daemon, "home/dial", name: "nav")
    let (home, _) = try attached(daemon, "home", name: "home-app")
    #expect(try [home.next(\.holder), home.next(\.holder)].map(\.name) == ["nav", "keys"])
    // Taking over beneath it, then the window itself.
    let (third, _) = try attached(daemon, "home/dial", name: "third", .takeOver)
    let taken = try home.next(\.holder)
    #expect(taken.isHeld && taken.path == "home/dial" && taken.name == "third")
    let (other, window) = try attached(daemon, "home", name: "other", .takeOver)
    let told = try [other.next(\.holder), other.next(\.holder)]
    #expect(told.map(\.name) == ["third", "keys"])
    #expect(told.allSatisfy { $0.attachment == window && $0.isHeld })
    _ = try home.next(\.detachment)
    // Who has lost the window hears no more, and nobody hears of what it holds itself.
    _ = try other.connection.attach(to: "home/toolbar@bar")
    _ = try other.next(\.geometry)
    for client in [keys, nav, third, home, other] {
      let ping = try client.connection.ping()
      let strays = try client.next { event -> Bool? in
        if event.holder != nil { return true }
        return event == .pong(ping) ? false : nil
      }
      #expect(!strays)
    }
  }

  @Test(
    "who attaches and detaches in a loop fills no queue of a deaf holder (F1, F6, S30)")
  func loop() throws {
    let daemon = try DaemonProcess.started()
    let (home, _) = try attached(daemon, "home", name: "home-app")
    let (keys, _) = try attached(daemon, "home/toolbar/back", name: "keys")
    for _ in 0..<1000 {
      let attachment = try keys.connection.attach(to: "home/toolbar")
      _ = try keys.next(\.geometry)
      try keys.connection.detach(attachment)
      _ = try keys.next(\.completion)
    }
    _ = try keys.connection.attach(to: "home/dial", passes: [.ended])
    _ = try keys.next(\.geometry)
    let control = try DaemonClient(daemon.controlSocket)
    _ = try control.connection.status()
    let status = try control.next { event -> ClientStatus? in
      if case .client(let client) = event.item, client.name == "home-app" { client } else { nil }
    }
    // Its socket is full, and next to nothing waits in the daemon.
    #expect(status.unreadBytes > 8192 && status.queuedBytes < 1024)
    var present: [String: ResponderHolder] = [:]
    _ = try home.next { event -> Bool? in
      guard let holder = event.holder else { return nil }
      present[holder.path] = holder.isHeld ? holder : nil
      return holder.path == "home/dial" ? true : nil
    }
    let ping = try home.connection.ping()
    _ = try home.next { event -> Bool? in
      if let holder = event.holder { present[holder.path] = holder.isHeld ? holder : nil }
      return event == .pong(ping) ? true : nil
    }
    #expect(present.keys.sorted() == ["home/dial", "home/toolbar/back"])
    #expect(present["home/dial"]?.passes == [.ended])
  }

  @Test("after a restart it hears only of what went meanwhile (F6, R9)")
  func restart() throws {
    let first = try DaemonProcess.started(prelude: DaemonProcess.keeping)
    let (home, window) = try attached(first, "home", name: "home-app")
    let (keys, _) = try attached(first, "home/toolbar", name: "keys")
    var nav: DaemonClient? = try attached(first, "home/dial", name: "nav").client
    #expect(try [home.next(\.holder), home.next(\.holder)].map(\.name) == ["keys", "nav"])
    let kept = try first.stopKeeping()
    withExtendedLifetime(nav) {}
    nav = nil
    let second = try first.successor(with: kept)
    let gone = try home.next(\.holder)
    #expect(gone.name == "nav" && !gone.isHeld && gone.attachment == window)
    withExtendedLifetime(keys) {}
    let ping = try home.connection.ping()
    let isTold = try home.next { event -> Bool? in
      if event.holder != nil { return true }
      return event == .pong(ping) ? false : nil
    }
    #expect(!isTold, "\(second.log)")
  }
}
