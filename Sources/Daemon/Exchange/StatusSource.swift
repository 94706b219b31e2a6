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
  private let pipeline: RunningPipeline
  private let server: Server
  private let queue: AttachQueue
  private let screens: ScreenKeeper
  private let locks: LockKeeper
  /// When the daemon started.
  private let started: Timestamp

  /// The touchscreens as they are.
  package var devices: () -> [DeviceStatus] = { [] }
  /// What is in force: the configuration's path, and more in words where that is not all.
  package var configuration: () -> String
  /// How many lines of the log were lost.
  package var lostLogLines: () -> UInt64 = { 0 }

  init(
    _ pipeline: RunningPipeline, _ server: Server, _ rights: ClientRights, queue: AttachQueue,
    screens: ScreenKeeper, locks: LockKeeper
  ) {
    self.pipeline = pipeline
    self.server = server
    self.queue = queue
    self.screens = screens
    self.locks = locks
    started = pipeline.now
    configuration = { rights.configuration.files.first ?? "" }
  }

  /// Carries out `status`.
  func answer(_ token: RequestToken) {
    let daemon = DaemonStatus(
      pid: getpid(), started: started, generation: pipeline.generation,
      windowCount: pipeline.layout.windows.count, viewCount: pipeline.layout.viewCount,
      liveTouches: pipeline.router.liveTouchCount, version: Release.version,
      configuration: configuration(), counters: counters.all,
      latencies: server.latencies)
    let attachments = pipeline.attachments.all.map { attachment in
      AttachmentStatus(
        attachment, path: pipeline.layout.path(of: attachment.responder),
        liveTouches: pipeline.router.liveTouchCount(of: attachment.id))
    }
    let waiting = queue.places.all.map {
      AttachmentStatus(waiting: $0.id, of: $0.client, for: $0.request)
    }
    server.answer(
      token, status: daemon, attachments: attachments + waiting, devices: devices(),
      screens: screens.status, locks: locks.status,
      inhibitors: IdleKeeper(pipeline, server).inhibitors,
      liveTouches: { pipeline.router.liveTouchCount(of: $0) })
  }

  private var counters: Wire.Counters {
    var counters = pipeline.state.counters + server.counters
    counters[.lostLogLines] = lostLogLines()
    return counters
  }
}
