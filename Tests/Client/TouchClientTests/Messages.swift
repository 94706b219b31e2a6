import CTouchroute
import TouchModel

/// The daemon's messages for tests that have no vector of their own, made of the wire's structs.
enum Messages {
  /// The answer to hello.
  static func welcome() -> [UInt8] {
    var welcome = touchroute_welcome()
    welcome.serial = 1
    welcome.version = TOUCHROUTE_VERSION
    welcome.max_request = TOUCHROUTE_MAX_REQUEST
    welcome.max_attachments = 64
    welcome.header = header(TOUCHROUTE_WELCOME, MemoryLayout.size(ofValue: welcome))
    return bytes(welcome)
  }

  /// The answer to attach.
  static func attached(serial: UInt32, id: UInt32) -> [UInt8] {
    var attached = touchroute_attached()
    attached.serial = serial
    attached.attachment = id
    attached.header = header(TOUCHROUTE_ATTACHED, MemoryLayout.size(ofValue: attached))
    return bytes(attached)
  }

  /// An attachment stands in line.
  static func waiting(serial: UInt32, id: UInt32) -> [UInt8] {
    var waiting = touchroute_waiting()
    waiting.serial = serial
    waiting.attachment = id
    waiting.header = header(TOUCHROUTE_WAITING, MemoryLayout.size(ofValue: waiting))
    return bytes(waiting)
  }

  /// An attachment ended, and nobody asked.
  static func detached(id: UInt32, _ reason: touchroute_detach_reason) -> [UInt8] {
    var detached = touchroute_detached()
    detached.attachment = id
    detached.reason = reason.rawValue
    detached.header = header(TOUCHROUTE_DETACHED, MemoryLayout.size(ofValue: detached))
    return bytes(detached)
  }

  /// The end of an answer.
  static func done(serial: UInt32, total: UInt32 = 0) -> [UInt8] {
    var done = touchroute_done()
    done.serial = serial
    done.total = total
    done.header = header(TOUCHROUTE_DONE, MemoryLayout.size(ofValue: done))
    return bytes(done)
  }

  /// A refusal without words.
  static func failed(serial: UInt32, _ code: touchroute_error_code) -> [UInt8] {
    var error = touchroute_error()
    error.serial = serial
    error.code = code.rawValue
    error.header = header(TOUCHROUTE_ERROR, MemoryLayout.size(ofValue: error))
    return bytes(error)
  }

  /// The answer to ping.
  static func pong(serial: UInt32) -> [UInt8] {
    var pong = touchroute_pong()
    pong.serial = serial
    pong.header = header(TOUCHROUTE_PONG, MemoryLayout.size(ofValue: pong))
    return bytes(pong)
  }

  /// An item of describe: a recognizer without a path.
  static func describedGesture(serial: UInt32) -> [UInt8] {
    var gesture = touchroute_described_gesture()
    gesture.serial = serial
    gesture.kind = UInt8(TOUCHROUTE_GESTURE_TAP.rawValue)
    gesture.header = header(TOUCHROUTE_DESCRIBED_GESTURE, MemoryLayout.size(ofValue: gesture))
    return bytes(gesture)
  }

  /// A frame: the touches' ids, attachments, phases and paths.
  static func touches(_ touches: [(UInt64, UInt32, TouchPhase, String)]) -> [UInt8] {
    var records: [UInt8] = []
    var paths: [UInt8] = []
    for (id, attachment, phase, path) in touches {
      var touch = touchroute_touch()
      touch.id = id
      touch.attachment = attachment
      touch.phase = phase.rawValue
      touch.path_size = UInt16(path.utf8.count)
      records += bytes(touch)
      paths += path.utf8
      paths += [UInt8](repeating: 0, count: (8 - path.utf8.count % 8) % 8)
    }
    var frame = touchroute_touches()
    frame.touch_count = UInt16(touches.count)
    frame.sequence = 1
    frame.device = 1
    frame.header = header(
      TOUCHROUTE_TOUCHES, MemoryLayout.size(ofValue: frame) + records.count + paths.count)
    return bytes(frame) + records + paths
  }

  private static func header(_ event: touchroute_event, _ size: Int) -> touchroute_header {
    touchroute_header(size: UInt32(size), opcode: UInt16(event.rawValue), flags: 0)
  }

  private static func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }
}
