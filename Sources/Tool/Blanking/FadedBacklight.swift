/// A backlight as the light of a screen. It fades as it goes dark, and is on at once when it was
/// off: who has touched a dark screen wants to see it.
package final class FadedBacklight: Light {
  private struct Fade {
    let from: Int
    let to: Int
    let start: UInt64
    var due: UInt64

    /// How bright it is at a time, between its ends.
    func brightness(at now: UInt64) -> Int {
      let passed = min(now &- start, FadedBacklight.duration)
      return from + (to - from) * Int(passed) / Int(FadedBacklight.duration)
    }
  }

  /// How long a fade takes, and each of its steps, in nanoseconds.
  package static let duration: UInt64 = 300_000_000
  private static let step: UInt64 = 15_000_000
  /// How long after a try to have it full the next one is.
  private static let patience: UInt64 = 500_000_000

  private let backlight: Backlight
  private let kept: KeptFile
  private let percent: Int
  private let warn: (String) -> Void
  /// How bright it is when it is full; nil while it is, and its user may change it.
  private var full: Int?
  /// How bright we have made it.
  private var brightness = 0
  private var fade: Fade?
  /// When it is tried again to have it full, which has failed.
  private var retry: UInt64?
  private var isBroken = false

  /// How bright it is to be.
  package private(set) var level = LightLevel.full
  /// Whether it no longer fades, and is full where it is to be.
  package var isSettled: Bool { fade == nil && retry == nil }
  /// When the next step of its fade is due, or the next try to have it full.
  package var nextDeadline: UInt64? { fade?.due ?? retry }

  /// - Parameters:
  ///   - backlight: What is faded.
  ///   - percent: How bright it is when it is dimmed, of what it was.
  ///   - kept: Where what it was is kept.
  ///   - warn: Is told once that it can't be written, in a sentence.
  package init(
    _ backlight: Backlight, dimmedTo percent: Int, kept: KeptFile, warn: @escaping (String) -> Void
  ) {
    self.backlight = backlight
    self.percent = percent
    self.kept = kept
    self.warn = warn
    recover()
  }

  /// Has it be as bright as it was before a process that has not restored it.
  private func recover() {
    let before = backlight.brightness ?? 0
    let isOff = before <= 0 || !backlight.isPowered
    if let number = kept.number, (1...backlight.maximum).contains(number) {
      full = number
    } else if isOff {
      full = before > 0 ? before : backlight.maximum
    }
    level = isOff ? .off : .dim
    restore(at: 0)
  }

  /// Restores the backlights that earlier processes have left dimmed or off, but for those that
  /// another process uses now. It is for a process that can't tell which backlight is its own.
  ///
  /// - Parameters:
  ///   - folder: Where backlights are.
  ///   - keeping: Where what they were is kept.
  package static func restoreAll(
    in folder: String, keeping: String?, warn: @escaping (String) -> Void
  ) {
    for name in Backlight.names(in: folder) {
      let kept = KeptFile(in: keeping, for: name)
      guard kept.number != nil, (try? kept.claim()) != nil,
        let backlight = try? Backlight(in: folder, named: name)
      else { continue }
      _ = FadedBacklight(backlight, dimmedTo: 100, kept: kept, warn: warn)
    }
  }

  /// Has it be so bright, by a fade, or at once where it was off.
  package func set(_ level: LightLevel, at now: UInt64) {
    guard level != self.level else { return }
    let wasOff = self.level == .off
    self.level = level
    retry = nil
    if level == .full, wasOff { return finish(at: now) }
    if full == nil { takeOver() }
    let whole = full ?? backlight.maximum
    let target =
      switch level {
      case .full: whole
      case .dim: max(1, whole * percent / 100)
      case .off: 0
      }
    fade = Fade(from: brightness, to: target, start: now, due: now)
    advance(to: now)
  }

  /// Takes the step of its fade, or the try, that is due.
  package func advance(to now: UInt64) {
    if let retry, now >= retry { return finish(at: now) }
    guard let fade, now >= fade.due else { return }
    if now &- fade.start >= Self.duration { return finish(at: now) }
    put(fade.brightness(at: now))
    self.fade?.due = now + Self.step
  }

  /// Has it be full at once.
  package func restore(at now: UInt64) {
    level = .full
    finish(at: now)
  }

  /// Keeps how bright it is, before it is dimmed.
  private func takeOver() {
    let now = backlight.brightness ?? 0
    brightness = now > 0 ? now : backlight.maximum
    full = brightness
    attempt { () throws(BlankingError) in try kept.keep(brightness) }
  }

  /// Is as bright as it is to be; where it can't be made full, that is tried again.
  private func finish(at now: UInt64) {
    let target = fade?.to ?? 0
    fade = nil
    switch level {
    case .off:
      put(0)
      attempt { () throws(BlankingError) in try backlight.setPowered(false) }
    case .dim: put(target)
    case .full:
      guard let full else { return }
      let isPowered = attempt { () throws(BlankingError) in try backlight.setPowered(true) }
      let isFull = put(full)
      retry = isPowered && isFull ? nil : now + Self.patience
      if retry != nil { return }
      self.full = nil
      kept.remove()
    }
  }

  @discardableResult
  private func put(_ number: Int) -> Bool {
    brightness = number
    return attempt { () throws(BlankingError) in try backlight.set(number) }
  }

  /// Whether it could be done.
  @discardableResult
  private func attempt(_ action: () throws(BlankingError) -> Void) -> Bool {
    do throws(BlankingError) {
      try action()
      isBroken = false
      return true
    } catch {
      if !isBroken { warn(error.sentence) }
      isBroken = true
      return false
    }
  }
}
