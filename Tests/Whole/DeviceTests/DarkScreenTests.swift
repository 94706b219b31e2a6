import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("A screen that goes dark")
  struct DarkScreenTests {
    private static let rounds = 60
    private let files: TemporaryDirectory
    private let daemon: DaemonProcess
    private let touch: VirtualTouchscreen

    init() throws {
      touch = try panel()
      daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      files = try TemporaryDirectory()
      try files.write("lights/panel/max_brightness", "100\n")
      try files.write("lights/panel/brightness", "80\n")
    }

    private func blanker(_ watcher: TouchProgram) throws -> RunningProgram {
      let program = try RunningProgram(
        Repository.program("touchroute"),
        ["idle", "--socket", daemon.socket, "--screen", "panel", "blank", "3600"],
        environment: [
          "XDG_RUNTIME_DIR": files.path, "TOUCHROUTE_BACKLIGHTS": files.file("lights"),
        ])
      try waitUntil("it is the blanker") { try isAttended(watcher) }
      return program
    }

    private func isAttended(_ watcher: TouchProgram) throws -> Bool {
      try watcher.status().contains { item in
        if case .screen(let screen) = item { screen.pid != nil } else { false }
      }
    }

    /// Makes the screen dark, by a client of its own: one may do so once a second (D2).
    private func darken() throws {
      let control = try TouchProgram(control: daemon)
      try control.connection.setScreen("panel", isOn: false)
      try control.settle()
    }

    @Test("taps that wake it reach no program, whatever its blanker does; later ones do (D3, D5)")
    func taps() throws {
      let seed = Seeds.fresh()
      var random = SeededGenerator(seed: seed)
      let watcher = try TouchProgram(control: daemon)
      try watcher.connection.watchScreens()
      let left = try TouchProgram(daemon, "left")
      var idle = try blanker(watcher)
      for round in 1...Self.rounds {
        let mischief = random.below(3)
        if mischief == 1 { idle.signal(SIGSTOP) }
        if mischief == 2 {
          idle.kill()
          try waitUntil("it is gone") { try !isAttended(watcher) }
        }
        try darken()
        try watcher.settle()
        let count = watcher.events.count
        // While its blanker stands still, the screen stays as it is.
        for _ in 0...(mischief == 1 ? random.below(4) : 0) { try touch.tap(x: 100, y: 300) }
        if mischief == 1 { idle.signal(SIGCONT) }
        try watcher.wait(for: "on, seed \(seed), round \(round)") { program in
          program.events[count...].contains { event in
            if case .screen(let notice) = event { notice.state == .on } else { false }
          }
        }
        usleep(250_000)
        if mischief == 2 { idle = try blanker(watcher) }
        try touch.tap(x: 300, y: 300)
        try left.wait(ended: round, of: "seed \(seed)")
      }
      try left.settle()
      #expect(
        left.touches.count == 2 * Self.rounds
          && left.touches.allSatisfy { $0.hasSuffix(" 300 300") },
        "seed \(seed): \(left.touches)")
      #expect(left.violations == [] && idle.errors == "")
      try daemon.finish()
    }
  }
}
