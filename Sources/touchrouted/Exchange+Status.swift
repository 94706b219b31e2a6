import CTouchroute
import Configuration
import Glibc
import Layout
import Routing
import Server
import TouchModel

extension Exchange {
  /// Rule F5 and the counters of the discards, for those who ask.
  func answerStatus(_ token: RequestToken) {
    let daemon = DaemonStatus(
      pid: getpid(), started: started, generation: pipeline.router.generation,
      windowCount: pipeline.router.layout.windows.count,
      viewCount: pipeline.router.layout.viewCount,
      liveTouches: pipeline.router.liveTouchCount, version: Release.version,
      configuration: configuration.files.first ?? "", counters: counters,
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

  /// By `enum touchroute_counter`.
  var counters: [UInt64] {
    var counters = [UInt64](repeating: 0, count: Int(TOUCHROUTE_COUNTERS.rawValue))
    func set(_ counter: touchroute_counter, _ value: UInt64) {
      counters[Int(counter.rawValue)] = value
    }
    let routed = pipeline.router.counters
    set(TOUCHROUTE_COUNT_FRAMES, pipeline.sequencer.frameCount)
    set(TOUCHROUTE_COUNT_BEGAN, routed.began)
    set(TOUCHROUTE_COUNT_ENDED, routed.ended)
    set(TOUCHROUTE_COUNT_CANCELLED, routed.cancelled)
    set(TOUCHROUTE_COUNT_DELIVERED, routed.delivered)
    set(TOUCHROUTE_COUNT_DISCARDED_NO_WINDOW, routed[.noWindow])
    set(TOUCHROUTE_COUNT_DISCARDED_OUTSIDE_SCREEN, routed[.outsideScreen])
    set(TOUCHROUTE_COUNT_DISCARDED_UNHANDLED, routed[.unhandled])
    set(TOUCHROUTE_COUNT_DISCARDED_SINGLE_TOUCH, routed[.singleTouch])
    set(TOUCHROUTE_COUNT_DISCARDED_EXCLUSIVE, routed[.exclusive])
    set(TOUCHROUTE_COUNT_DISCARDED_DECLINED, routed[.declined])
    set(TOUCHROUTE_COUNT_DISCARDED_LIMIT, routed[.limit])
    set(TOUCHROUTE_COUNT_STRAY_EVENTS, pipeline.sequencer.strayEventCount + routed.strayTouches)
    set(TOUCHROUTE_COUNT_ORPHANED, routed.orphaned)
    set(TOUCHROUTE_COUNT_UNKNOWN_TOUCHES, routed.unknownTouches)
    set(TOUCHROUTE_COUNT_MESSAGES, server.messageCount)
    set(TOUCHROUTE_COUNT_VIOLATIONS, pipeline.checker.violationCount)
    set(TOUCHROUTE_COUNT_COALESCED, server.coalescedCount)
    set(TOUCHROUTE_COUNT_DROPPED_SAMPLES, server.droppedSampleCount)
    set(TOUCHROUTE_COUNT_UNRESPONSIVE, server.unresponsiveCount)
    set(TOUCHROUTE_COUNT_HANDED_OVER, routed.handedOver)
    set(TOUCHROUTE_COUNT_LATE_DECLINES, routed.lateDeclines)
    set(TOUCHROUTE_COUNT_INJECTED, routed.injected)
    set(TOUCHROUTE_COUNT_LOST_LOG_LINES, lostLogLines())
    set(TOUCHROUTE_COUNT_OMITTED_LOG_LINES, server.omittedLogLineCount)
    return counters
  }
}
