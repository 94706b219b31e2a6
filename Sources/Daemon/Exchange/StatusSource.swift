import Configuration
import Glibc
import Layout
import Routing
package import Server
import TouchModel
import Wire

/// Answers clients that ask with the state of everything, and with what was counted until now. Rule
/// F5.
package final class StatusSource {
  private let core: Core
  /// When the daemon started.
  private let started: Timestamp

  /// The touchscreens as they are.
  package var devices: () -> [DeviceStatus] = { [] }
  /// The screens as they are.
  var screens: () -> [ScreenStatus] = { [] }
  /// The locks that there are.
  var locks: () -> [LockStatus] = { [] }
  /// What is in force: the configuration's path, and more in words where that is not all.
  package var configuration: () -> String
  /// How many lines of the log were lost.
  package var lostLogLines: () -> UInt64 = { 0 }

  init(_ core: Core) {
    self.core = core
    started = core.now
    configuration = { [unowned core] in core.configuration.files.first ?? "" }
  }

  /// Carries out `status`.
  func answer(_ token: RequestToken) {
    let daemon = DaemonStatus(
      pid: getpid(), started: started, generation: core.generation,
      windowCount: core.layout.windows.count, viewCount: core.layout.viewCount,
      liveTouches: core.pipeline.router.liveTouchCount, version: Release.version,
      configuration: configuration(), counters: counters.all,
      latencies: core.server.latencies)
    let attachments = core.pipeline.router.attachments.all.map { attachment in
      AttachmentStatus(
        attachment, path: core.layout.path(of: attachment.responder),
        liveTouches: core.pipeline.router.liveTouchCount(of: attachment.id))
    }
    let waiting = core.attachQueue.places.all.map {
      AttachmentStatus(waiting: $0.id, of: $0.client, for: $0.request)
    }
    core.server.answer(
      token, status: daemon, attachments: attachments + waiting, devices: devices(),
      screens: screens(), locks: locks(), inhibitors: IdleKeeper(core).inhibitors,
      liveTouches: { core.pipeline.router.liveTouchCount(of: $0) })
  }

  private var counters: Wire.Counters {
    var counters = core.pipeline.counters + core.server.counters
    counters[.lostLogLines] = lostLogLines()
    return counters
  }
}
