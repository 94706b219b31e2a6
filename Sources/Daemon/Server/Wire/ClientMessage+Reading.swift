import CTouchroute
import Routing
import TouchModel

extension ClientMessage {
  /// Takes one whole message apart.
  ///
  /// - Parameter bytes: Aligned to 8.
  /// - Throws: what is wrong with it.
  init(_ opcode: Opcode, _ bytes: UnsafeRawBufferPointer) throws(RequestError) {
    var reader = try RequestReader(opcode, bytes)
    self.init(serial: reader.serial, opcode: opcode, body: try Body(opcode, from: &reader))
  }
}

extension ClientMessage.Body {
  fileprivate init(_ opcode: Opcode, from reader: inout RequestReader) throws(RequestError) {
    self =
      switch opcode {
      case .hello: .hello(try Hello(from: &reader))
      case .attach: .request(.attach(try AttachRequest(from: &reader)))
      case .detach:
        .request(.detach(AttachmentID(try reader.last(touchroute_detach.self).attachment)))
      case .accept: .request(try .decision(Request.accept, from: &reader))
      case .decline: .request(try .decision(Request.decline, from: &reader))
      case .set: .request(.set(try ViewChange.list(from: &reader)))
      case .describe: .request(try .description(from: &reader))
      case .ping: .request(try .plain(.ping, from: &reader))
      case .addGesture: .request(.addGesture(try GestureRequest(from: &reader)))
      case .removeGesture:
        .request(.removeGesture(try reader.last(touchroute_remove_gesture.self).recognizer))
      case .changeViews: .request(.changeViews(try ViewsRequest(from: &reader)))
      case .setScreen: .request(.setScreen(try ScreenRequest(from: &reader)))
      case .watchScreens: .request(try .screenWatch(from: &reader))
      case .watchIdle: .request(.watchIdle(try IdleWatches.Request(from: &reader)))
      case .unwatchIdle:
        .request(.unwatchIdle(try reader.last(touchroute_unwatch_idle.self).watch))
      case .inhibitIdle: .request(try .inhibition(from: &reader))
      case .lock: .request(.lock(try LockRequest(from: &reader)))
      case .unlock: .request(try .unlocking(from: &reader))
      case .watchFeedback: .request(try .feedbackWatch(from: &reader))
      case .status: .request(try .plain(.status, from: &reader))
      case .observe: .request(try .observation(from: &reader))
      case .reload: .request(try .plain(.reload, from: &reader))
      case .inject: .request(try .injection(from: &reader))
      case .cancel: .request(try .cancellation(from: &reader))
      case .ungrab:
        .request(.ungrab(DeviceID(try reader.last(touchroute_ungrab.self).device)))
      }
  }
}

extension Request {
  /// `accept` and `decline`, which have one form.
  fileprivate static func decision(
    _ make: (TouchID, AttachmentID) -> Request, from reader: inout RequestReader
  ) throws(RequestError) -> Request {
    let fixed = try reader.last(touchroute_accept.self)
    return make(TouchID(fixed.touch), AttachmentID(fixed.attachment))
  }

  fileprivate static func description(
    from reader: inout RequestReader
  ) throws(RequestError) -> Request {
    let fixed = try reader.fixed(touchroute_describe.self)
    try reader.require(exactly: padded(Int(fixed.path_size)))
    let path = try reader.string(fixed.path_size, 0...TOUCHROUTE_MAX_PATH, "path")
    guard fixed.count <= TOUCHROUTE_DESCRIBE_PAGE else {
      throw reader.invalid("count is \(fixed.count): at most \(TOUCHROUTE_DESCRIBE_PAGE) at a time")
    }
    let count = fixed.count == 0 ? TOUCHROUTE_DESCRIBE_PAGE : fixed.count
    return .describe(path: path, first: Int(fixed.first), count: Int(count))
  }

  fileprivate static func observation(
    from reader: inout RequestReader
  ) throws(RequestError) -> Request {
    let enable = try reader.last(touchroute_observe.self).enable
    guard let observing = UInt8(exactly: enable).flatMap(Observing.init) else {
      throw reader.invalid("enable is \(enable): it must be 0, 1, 2 or 4")
    }
    return .observe(observing)
  }

  fileprivate static func cancellation(
    from reader: inout RequestReader
  ) throws(RequestError) -> Request {
    let fixed = try reader.last(touchroute_cancel.self)
    try reader.reserved(fixed.reserved)
    return .cancel(fixed.touch == 0 ? nil : TouchID(fixed.touch))
  }

  fileprivate static func plain(
    _ request: Request, from reader: inout RequestReader
  ) throws(RequestError) -> Request {
    try reader.reserved(try reader.last(touchroute_plain_request.self).reserved)
    return request
  }
}
