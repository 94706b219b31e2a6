import Wire
import Configuration
import Glibc
import Layout
import Routing
import Server
import TouchModel

extension Exchange {
  /// Answers with the state of everything, and with what was counted until now. Rule F5.
  func answerStatus(_ token: RequestToken) {
    let daemon = DaemonStatus(
      pid: getpid(), started: started, generation: pipeline.router.generation,
      windowCount: pipeline.router.layout.windows.count,
      viewCount: pipeline.router.layout.viewCount,
      liveTouches: pipeline.router.liveTouchCount, version: Release.version,
      configuration: configuration.files.first ?? "", counters: counters.all,
      latencies: server.latencies)
    let attachments = pipeline.router.allAttachments.map { attachment in
      AttachmentStatus(
        attachment: attachment, path: pipeline.router.layout.path(of: attachment.responder),
        liveTouches: pipeline.router.liveTouchCount(of: attachment.id))
    }
    server.answer(
      token, status: daemon, attachments: attachments, devices: devices(),
      liveTouches: { pipeline.router.liveTouchCount(of: $0) })
  }

  private var counters: Wire.Counters {
    var counters = pipeline.counters + server.counters
    counters[.lostLogLines] = lostLogLines()
    return counters
  }
}
