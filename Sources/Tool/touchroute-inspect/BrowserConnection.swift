import Glibc
import InspectorLink
import NIOCore
import NIOHTTP1
import NIOPosix

/// A connection of a browser, or of anybody.
final class BrowserConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    /// Waits for a request.
    case idle
    case reading(HTTPRequestHead, path: String, body: ByteBuffer)
    /// touchroute is asked; a number of the hub's.
    case asking(UInt32, isKept: Bool)
    /// It hears what happens; a number of the hub's.
    case listening(UInt32)
    case closing
  }

  private let hub: Hub
  private let gate: Gate
  private var state = State.idle
  private var context: ChannelHandlerContext?
  private var deadline: Scheduled<Void>?

  /// A request must be there so long after the one before.
  private static let patience = TimeAmount.seconds(10)
  /// A layout to be drawn may be so many bytes.
  private static let longestLayout = 8 << 20
  private static let longestBody = 1 << 16
  private static let files = NonBlockingFileIO(threadPool: .singleton)

  init(_ hub: Hub) {
    self.hub = hub
    gate = Gate(token: hub.token)
  }

  /// Has a channel's requests served.
  func add(to channel: any Channel) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 8 << 10
    limits.maxHeaderListSize = 32 << 10
    limits.maxHeaderFieldCount = 64
    let pipeline = channel.pipeline.syncOperations
    // A peer that reads no answers is not read from, so that answers don't pile up.
    try pipeline.addHandler(BackPressureHandler())
    try pipeline.addHandler(HTTPResponseEncoder())
    try pipeline.addHandler(
      ByteToMessageHandler(
        HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)))
    try pipeline.addHandler(HTTPServerPipelineHandler())
    try pipeline.addHandler(HTTPServerProtocolErrorHandler())
    try pipeline.addHandler(self)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    setDeadline()
  }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  private func setDeadline() {
    guard let context else { return }
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), state) {
    case (.head(let head), .idle): begin(head)
    case (.body(let part), .reading(let head, let path, var body)):
      state = .closing
      guard body.readableBytes + part.readableBytes <= longest(path) else {
        return refuse(.payloadTooLarge, "the body is longer than \(longest(path)) bytes")
      }
      body.writeImmutableBuffer(part)
      state = .reading(head, path: path, body: body)
    case (.end, .reading(let head, let path, let body)):
      deadline?.cancel()
      serve(head, path, Array(body.readableBytesView))
    default: break
    }
  }

  private func longest(_ path: String) -> Int {
    path == "draw" ? Self.longestLayout : Self.longestBody
  }

  private func begin(_ head: HTTPRequestHead) {
    switch gate.check(head) {
    case .refused(let answer):
      state = .closing
      self.answer(answer)
    case .to(let path):
      hub.know(self)
      state = .reading(head, path: path, body: ByteBuffer())
    }
  }

  private func refuse(_ status: Answer.Status, _ sentence: String) {
    answer(Answer(refusal: status, sentence))
  }

  private func serve(_ head: HTTPRequestHead, _ path: String, _ body: [UInt8]) {
    if head.method == .GET, let file = PageFile(path) {
      return answer(Answer(.ok, type: file.type, body: file.bytes))
    }
    switch (head.method, path) {
    case (.GET, "events"):
      guard let number = hub.listen(self) else {
        return refuse(.serviceUnavailable, "as many pages are open as may be: close one")
      }
      state = .listening(number)
    case (.GET, "record"):
      guard hub.settings.file != nil else {
        return refuse(.notFound, "the page shows the running daemon, and no record")
      }
      sendRecord()
    case (.GET, "metrics"): ask(.metrics, body, head)
    case (.POST, "hit"): ask(.hit, body, head)
    case (.POST, "draw"): ask(.draw, body, head)
    case (.POST, "input"):
      guard hub.settings.allowsInput else {
        return refuse(
          .forbidden, "the mouse is no finger: touchroute inspect --allow-input makes it one")
      }
      ask(.input, body, head)
    default: refuse(.notFound, "there is no \(head.method) of this")
    }
  }

  private func ask(_ kind: InspectorMessage.Kind, _ body: [UInt8], _ head: HTTPRequestHead) {
    guard let number = hub.ask(kind, body, for: self) else {
      return refuse(.serviceUnavailable, "too much is asked at once: try again")
    }
    state = .asking(number, isKept: head.isKeepAlive)
  }

  /// Sends an answer. The connection then waits for the next request, unless that can't be.
  func answer(_ answer: Answer) {
    guard let context else { return }
    var isKept = false
    switch state {
    case .reading(let head, _, _): isKept = head.isKeepAlive
    case .asking(_, let keep): isKept = keep
    case .idle, .listening, .closing: break
    }
    var headers = Answer.headers(type: answer.type)
    headers.add(name: "Content-Length", value: "\(answer.body.count)")
    if !isKept { headers.add(name: "Connection", value: "close") }
    write(head: HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers))
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
    finish(isKept: isKept)
  }

  private func finish(isKept: Bool) {
    guard let context else { return }
    state = isKept ? .idle : .closing
    setDeadline()
    let end = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if !isKept {
      let channel = context.channel
      end.whenComplete { _ in channel.close(promise: nil) }
    }
  }

  private func write(head: HTTPResponseHead) {
    context?.write(wrapOutboundOut(.head(head)), promise: nil)
  }

  /// The record, as it is now; what somebody cuts off meanwhile is missing at its end.
  private func sendRecord() {
    guard let context else { return }
    let descriptor = dup(hub.record)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      return refuse(.notFound, "the record can't be read")
    }
    let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
    let region = FileRegion(
      fileHandle: handle, readerIndex: 0, endIndex: Int(status.st_size))
    var headers = Answer.headers(type: "application/jsonl")
    headers.add(name: "Content-Length", value: "\(region.readableBytes)")
    headers.add(name: "Connection", value: "close")
    write(head: HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))
    state = .closing
    let channel = context.channel
    Self.files.readChunked(
      fileRegion: region, allocator: channel.allocator, eventLoop: channel.eventLoop
    ) { channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer($0))) }
    .flatMap { channel.writeAndFlush(HTTPServerResponsePart.end(nil)) }
    .whenComplete { _ in
      try? handle.close()
      channel.close(promise: nil)
    }
  }

  // What happens, to a page that listens.

  var isWritable: Bool { context?.channel.isWritable ?? false }

  /// Begins an answer that has no end.
  func beginEvents() {
    var headers = Answer.headers(type: "text/event-stream")
    headers.add(name: "Connection", value: "close")
    write(head: HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))
  }

  func send(event: ByteBuffer) {
    context?.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(event))), promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, case .listening(let number) = state { hub.resume(number) }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    switch state {
    case .asking(let number, _): hub.forget(number)
    case .listening(let number): hub.leave(number)
    case .idle, .reading, .closing: break
    }
    state = .closing
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
