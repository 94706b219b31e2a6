public import TouchModel

/// A connection to the daemon for `async` programs: requests that wait for their answers, and
/// touches as a sequence. A program with a loop of its own uses ``TouchConnection``.
///
/// Nothing is read from the daemon unless somebody waits for an event or an answer. So a program
/// that is slow makes the daemon merge its moves (rule F2), rather than a queue here grow.
///
/// A task that is cancelled waits no longer, and what it asked for may be done all the same; but an
/// attachment or a recogniser that it would have got, and that nobody knows of, is ended.
public actor TouchSession {
  private let connection: TouchConnection
  private let waiter: DescriptorWaiter
  private var queue = EventQueue()
  private var answers = Answers()
  private var end: TouchClientError?

  /// Connects and says hello; does not wait for the answer. The parameters and errors are those of
  /// ``TouchConnection/init(path:name:options:)``.
  public init(
    path: String? = nil, name: String? = nil, options: ConnectOptions = []
  ) throws(TouchClientError) {
    let connection = try TouchConnection(path: path, name: name, options: options)
    self.waiter = try DescriptorWaiter(descriptor: connection.descriptor)
    self.connection = connection
    waiter.setEvents(connection.pollEvents)
  }

  deinit { waiter.stop() }

  /// Everything that comes and is no answer to a request of this session, in order. It is one
  /// queue: an event goes to whoever asks first.
  public nonisolated var events: TouchEvents { TouchEvents(session: self) }

  /// The touches among ``events``; what lies between them is passed over.
  public nonisolated var touches: TouchFrames { TouchFrames(session: self) }

  /// The gestures among ``events``; what lies between them is passed over.
  public nonisolated var gestures: GestureEvents { GestureEvents(session: self) }

  /// The next event; nil where the task was cancelled.
  func nextEvent() async throws(TouchClientError) -> TouchEvent? {
    while true {
      if let event = queue.popFirst() { return event }
      if Task.isCancelled { return nil }
      try await pump()
    }
  }

  /// Waits for the daemon and hands out what has come. Returns early when the task is cancelled, or
  /// another one of this session has handed something out.
  private func pump() async throws(TouchClientError) {
    if let end { throw end }
    let isReady = await waiter.wait(after: waiter.readCount)
    if isReady, end == nil { read() }
  }

  /// Hands out what has come, without waiting for more.
  private func read() {
    var hasCome = false
    do {
      try connection.dispatch {
        if !answers.take($0) { queue.append($0) }
        hasCome = true
      }
    } catch {
      end = error
    }
    waiter.setEvents(connection.pollEvents)
    if hasCome || end != nil { waiter.noteRead() }
  }

  /// What came for a request, up to what ends it.
  ///
  /// - Throws: ``TouchClientError/Kind/refused(_:)``; `.away` where the connection was lost, unless
  ///   the request is made again; `.ended` where it is not being made again; `.cancelled` where the
  ///   task was.
  private func answer(
    to serial: Serial, survivesLoss: Bool = false
  ) async throws(TouchClientError) -> [TouchEvent] {
    waiter.setEvents(connection.pollEvents)
    answers.expect(serial)
    defer { answers.forget(serial) }
    let lossesBefore = answers.lossCount
    while true {
      if let answer = answers.whole(serial) {
        guard case .failed(let failure) = answer.last else { return answer }
        throw TouchClientError(.refused(failure.code), failure.text)
      }
      if Task.isCancelled {
        answers.abandon(serial, survivesLoss: survivesLoss)
        throw TouchClientError(.cancelled, "the task was cancelled before the daemon answered")
      }
      if answers.lossCount != lossesBefore, !survivesLoss {
        let away = TouchClientError(.away, "the connection was lost before the daemon answered")
        throw end ?? away
      }
      try await pump()
    }
  }

  /// Ends an attachment that nobody knows of, as the task that made it was cancelled.
  private func giveUp(_ attachment: AttachmentID) {
    if let serial = try? connection.detach(attachment) {
      answers.abandon(serial)
      answers.expectEnd(of: attachment, by: serial)
    } else {
      answers.end(attachment)
    }
    waiter.setEvents(connection.pollEvents)
  }

  /// Takes a recogniser away that nobody knows of, as the task that made it was cancelled.
  private func giveUp(_ recognizer: GestureID) {
    if let serial = try? connection.removeGesture(recognizer) {
      answers.abandon(Serial(recognizer.rawValue))  // with it gone it is not added again
      answers.abandon(serial)
    } else {
      answers.forgetAbandoned(Serial(recognizer.rawValue))
    }
    waiter.setEvents(connection.pollEvents)
  }
}

// The requests: as those of ``TouchConnection``, but each waits for its answer and throws the
// daemon's refusal as ``TouchClientError/Kind/refused(_:)``.
extension TouchSession {
  /// Attaches to a responder and waits until that is in force, over reconnections too. With
  /// ``AttachOptions/wait`` that is as long as another client holds it; ``TouchEvent/waiting(_:)``
  /// says so. Refused too where it ends meanwhile, as by ``detach(_:)`` of another task.
  public func attach(
    to path: String, handles: TouchPhases = .all, passes: TouchPhases = [],
    options: AttachOptions = []
  ) async throws(TouchClientError) -> AttachmentGeometry {
    let attachment = try connection.attach(
      to: path, handles: handles, passes: passes, options: options)
    do throws(TouchClientError) {
      let answer = try await answer(to: Serial(attachment.rawValue), survivesLoss: true)
      guard case .attached(let geometry) = answer.last else { throw unexpected("attach") }
      return geometry
    } catch {
      if error.kind == .cancelled { giveUp(attachment) }
      throw error
    }
  }

  /// Ends an attachment, and waits until no touch of it comes any more.
  public func detach(_ attachment: AttachmentID) async throws(TouchClientError) {
    guard let serial = try connection.detach(attachment) else {
      answers.end(attachment)
      waiter.noteRead()
      return read()
    }
    answers.expectEnd(of: attachment, by: serial)
    do {
      _ = try await answer(to: serial)
    } catch  where error.kind == .away {
      return  // the loss of the connection ended it, and it is not made again
    }
  }

  /// Adds a recogniser to the view of an attachment that handles gestures, or to one that lies in
  /// it, and waits until it is there. Rule G1.
  @discardableResult
  public func addGesture(
    _ recognizer: GestureRecognizer, to attachment: AttachmentID
  ) async throws(TouchClientError) -> GestureID {
    let id = try connection.addGesture(recognizer, to: attachment)
    do {
      _ = try await answer(to: Serial(id.rawValue), survivesLoss: true)
      return id
    } catch {
      if error.kind == .cancelled { giveUp(id) }
      throw error
    }
  }

  /// Takes a recogniser away.
  public func removeGesture(_ recognizer: GestureID) async throws(TouchClientError) {
    guard let serial = try connection.removeGesture(recognizer) else { return }
    do {
      _ = try await answer(to: serial)
    } catch  where error.kind == .away {
      return  // the loss of the connection ended it, and it is not added again
    }
  }

  /// Has a recogniser that this program has added take part, or not: UIKit's isEnabled. What has
  /// begun with one that is disabled is cancelled. Others are enabled with ``set(_:)``.
  public func enableGesture(
    _ recognizer: GestureID, _ isEnabled: Bool = true
  ) async throws(TouchClientError) {
    guard let serial = try connection.enableGesture(recognizer, isEnabled) else { return }
    do {
      _ = try await answer(to: serial)
    } catch  where error.kind == .away {
      return  // it is added so again
    }
  }

  /// Accepts a touch before the daemon's decision timeout does. Rule R5.
  public func accept(_ touch: TouchID, for attachment: AttachmentID) throws(TouchClientError) {
    try connection.accept(touch, for: attachment)
    waiter.setEvents(connection.pollEvents)
  }

  /// Declines a touch: the next responder up gets all of it, and nothing more of it comes here.
  /// Rule R5.
  public func decline(_ touch: TouchID, for attachment: AttachmentID) throws(TouchClientError) {
    try connection.decline(touch, for: attachment)
    waiter.setEvents(connection.pollEvents)
  }

  /// Changes views and windows that this program holds, or that are in one that it holds, and waits
  /// until that is in force. Made all at once or, where one cannot be made, not at all.
  public func set(_ changes: [ViewChange]) async throws(TouchClientError) {
    _ = try await answer(to: try connection.set(changes))
  }

  /// Adds, changes and removes views of this program's own in the view of an attachment, and waits
  /// until that is in force: all at once or, where one step cannot be made, not at all. Rule L7.
  public func changeViews(
    _ steps: [ViewStep], in attachment: AttachmentID
  ) async throws(TouchClientError) {
    _ = try await answer(to: try connection.changeViews(steps, in: attachment), survivesLoss: true)
  }

  /// Adds views in the view of an attachment, and waits until they are there:
  ///
  ///     try await session.addViews(in: list.attachment) {
  ///       for row in rows { Subview("row-\(row.id)", frame: row.frame) }
  ///     }
  public func addViews(
    in attachment: AttachmentID, @SubviewBuilder _ views: () -> [Subview]
  ) async throws(TouchClientError) {
    try await changeViews(views().map { .add($0) }, in: attachment)
  }

  /// All views of a responder, in the order that touches' targets count, each with what is set of
  /// it and by whom; an empty path: of every window.
  public func describe(_ path: String = "") async throws(TouchClientError) -> [DescribedView] {
    var views: [DescribedView] = []
    while true {
      let serial = try connection.describe(path, first: UInt32(views.count))
      let answer = try await answer(to: serial)
      let page = [DescribedView](of: answer)
      views += page
      guard case .done(let completion) = answer.last else { throw unexpected("describe") }
      if page.isEmpty || views.count >= Int(completion.total) { return views }
    }
  }

  /// All recognisers that lie in the views of a responder; an empty path: of every window and
  /// screen.
  public func describeGestures(
    _ path: String = ""
  ) async throws(TouchClientError) -> [DescribedGesture] {
    var gestures: [DescribedGesture] = []
    // Before the first answer it is not known how many views there are.
    var first: UInt32?
    while true {
      let serial = try connection.describe(path, first: first ?? 0, count: first == nil ? 1 : 0)
      let answer = try await answer(to: serial)
      guard case .done(let completion) = answer.last else { throw unexpected("describe") }
      let page = answer.compactMap { event -> DescribedGesture? in
        if case .describedGesture(_, let gesture) = event { gesture } else { nil }
      }
      if first != nil {
        gestures += page
        if page.isEmpty { return gestures }
      }
      let next = completion.total.addingReportingOverflow(UInt32(gestures.count))
      guard !next.overflow else { throw unexpected("describe") }
      first = next.partialValue
    }
  }

  /// Waits until the daemon has answered everything asked before.
  public func ping() async throws(TouchClientError) {
    _ = try await answer(to: try connection.ping())
  }

  /// On the control socket: the daemon, its clients, attachments and devices.
  public func status() async throws(TouchClientError) -> [StatusItem] {
    try await answer(to: try connection.status()).compactMap {
      if case .status(_, let item) = $0 { item } else { nil }
    }
  }

  /// On the control socket: whether ``TouchEvent/observed(_:)`` comes for every frame as it is
  /// routed.
  public func observe(_ enable: Bool = true) async throws(TouchClientError) {
    guard let serial = try connection.observe(enable) else { return }
    do {
      _ = try await answer(to: serial)
    } catch  where error.kind == .away {
      return  // it is asked for again, or over
    }
  }

  /// On the control socket: has the configuration read again.
  ///
  /// - Returns: what changed, in words.
  public func reload() async throws(TouchClientError) -> String {
    let answer = try await answer(to: try connection.reload())
    guard case .done(let completion) = answer.last else { throw unexpected("reload") }
    return completion.text
  }

  /// On the control socket: a frame of a touchscreen that there is not, which is this session's.
  public func inject(
    _ contacts: [InjectedContact], screen: UInt32 = 0
  ) async throws(TouchClientError) {
    _ = try await answer(to: try connection.inject(contacts, screen: screen))
  }

  /// On the control socket: cancels a touch for everybody who gets it, or with nil every touch.
  ///
  /// - Returns: how many were cancelled.
  public func cancel(_ touch: TouchID?) async throws(TouchClientError) -> Int {
    let answer = try await answer(to: try connection.cancel(touch))
    guard case .done(let completion) = answer.last else { throw unexpected("cancel") }
    return Int(completion.total)
  }

  private func unexpected(_ request: String) -> TouchClientError {
    TouchClientError(.malformed, "touchrouted answered \(request) with an answer to something else")
  }
}
