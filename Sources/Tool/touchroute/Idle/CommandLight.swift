import Blanking
import Glibc

/// A light that commands turn off and on, one after the other. A command that does not end is
/// ended: the light must not stay off for good.
final class CommandLight: Light {
  private let off: String
  private let on: String
  private let kept: KeptFile
  private unowned let runner: CommandRunner
  /// What the latest command has made of it.
  private var isOn: Bool
  /// The command that runs, and when it is ended.
  private var running: (pid: pid_t, deadline: UInt64)?
  /// When one is started again that could not be.
  private var retry: UInt64?
  private var now: UInt64 = 0

  /// How long a command may take, in nanoseconds: less than the daemon waits (wake_timeout_ms).
  private static let patience: UInt64 = 4_000_000_000
  private static let pause: UInt64 = 500_000_000

  private(set) var level = LightLevel.full
  var isSettled: Bool { running == nil && isOn == (level != .off) }
  var nextDeadline: UInt64? { running?.deadline ?? retry }

  /// - Parameter kept: Says that a process before this one has left the light off.
  init(off: String, on: String, kept: KeptFile, runner: CommandRunner) {
    self.off = off
    self.on = on
    self.kept = kept
    self.runner = runner
    isOn = kept.number == nil
    now = MonotonicClock.now
    step()
  }

  func set(_ level: LightLevel, at now: UInt64) {
    self.level = level
    self.now = now
    step()
  }

  func advance(to now: UInt64) {
    self.now = now
    if let retry, now >= retry { return step() }
    guard let running, now >= running.deadline else { return }
    runner.signal(SIGKILL, to: running.pid)
    // Its end is heard of like any other; it is not asked for twice.
    self.running?.deadline = .max
  }

  func restore(at now: UInt64) { set(.full, at: now) }

  private func step() {
    retry = nil
    guard running == nil, isOn != (level != .off) else { return }
    isOn.toggle()
    let word = isOn ? "on" : "off"
    if !isOn {
      do throws(BlankingError) { try kept.keep(0) } catch { CommandRunner.say(error.sentence) }
    }
    let occasion = Occasion(event: word, named: word)
    let pid = runner.run(isOn ? on : off, for: occasion, isCounted: false) { [weak self] in
      self?.ended()
    }
    if let pid { running = (pid, now + Self.patience) }
  }

  private func ended() {
    now = MonotonicClock.now
    guard running != nil else {
      // It was not started, so the light is what it was.
      isOn.toggle()
      retry = now + Self.pause
      return
    }
    running = nil
    if isOn { kept.remove() }
    step()
  }
}
