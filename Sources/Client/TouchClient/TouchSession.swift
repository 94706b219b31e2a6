public import TouchModel

/// A connection to the daemon for `async` programs: requests that wait for their answers, and
/// touches as a sequence. A program with a loop of its own uses ``TouchConnection``.
///
/// The session reads only while a task waits for an event or an answer. So if a program is slow,
/// the daemon merges its moves (rule F2), and no queue grows here.
///
/// A cancelled task no longer waits; its request may take effect all the same. But an attachment or
/// a recognizer that it would have received, and that no task knows of, is ended.
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

  /// All events that answer no request of this session, in order. There is one queue: the task that
  /// asks first gets an event.
  public nonisolated var events: TouchEvents { TouchEvents(session: self) }

  /// The touches among ``events``; it drops the other events.
  public nonisolated var touches: TouchFrames { TouchFrames(session: self) }

  /// The gestures among ``events``; it drops the other events.
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

  /// Takes a recognizer away that nobody knows of, as the task that made it was cancelled.
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

// The requests, as in ``TouchConnection``. But each waits for its answer, and throws the daemon's
// refusal as ``TouchClientError/Kind/refused(_:)``.
extension TouchSession {
  /// Attaches to a responder and waits until that is in force, over reconnections too.
  ///
  /// With ``AttachOptions/wait`` it waits as long as another client holds the responder;
  /// ``TouchEvent/waiting(_:)`` says so. It also throws if the attachment ends meanwhile, such as
  /// by ``detach(_:)`` in another task.
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

  /// Ends an attachment, and waits until no more touches of it come.
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

  /// Adds a recognizer to the view of an attachment that handles gestures, or to a view in it, and
  /// waits until it is in force. Rule G1.
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

  /// Removes a recognizer.
  public func removeGesture(_ recognizer: GestureID) async throws(TouchClientError) {
    guard let serial = try connection.removeGesture(recognizer) else { return }
    do {
      _ = try await answer(to: serial)
    } catch  where error.kind == .away {
      return  // the loss of the connection ended it, and it is not added again
    }
  }

  /// Enables or disables a recognizer that this program has added: UIKit's isEnabled. If you
  /// disable it, a gesture that has begun with it is cancelled. For other recognizers use
  /// ``set(_:)``.
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

  /// Accepts a touch, as otherwise happens at the decision timeout. Rule R5.
  public func accept(_ touch: TouchID, for attachment: AttachmentID) throws(TouchClientError) {
    try connection.accept(touch, for: attachment)
    waiter.setEvents(connection.pollEvents)
  }

  /// Declines a touch. The next responder up gets all of it, and this attachment hears nothing more
  /// of it. Rule R5.
  public func decline(_ touch: TouchID, for attachment: AttachmentID) throws(TouchClientError) {
    try connection.decline(touch, for: attachment)
    waiter.setEvents(connection.pollEvents)
  }

  /// Overrides properties of views and windows, and waits until that is in force. All changes take
  /// effect at once; if one is impossible, none does. ``TouchConnection/set(_:)`` says for how
  /// long.
  public func set(_ changes: [ViewChange]) async throws(TouchClientError) {
    _ = try await answer(to: try connection.set(changes))
  }

  /// Adds, changes and removes views of this program's own in the view of an attachment, and waits
  /// until that is in force. All steps take effect at once; if one is impossible, none does. Rule
  /// L7.
  public func changeViews(
    _ steps: [ViewStep], in attachment: AttachmentID
  ) async throws(TouchClientError) {
    _ = try await answer(to: try connection.changeViews(steps, in: attachment), survivesLoss: true)
  }

  /// Adds views in the view of an attachment, and waits until they are in force:
  ///
  ///     try await session.addViews(in: list.attachment) {
  ///       for row in rows { Subview("row-\(row.id)", frame: row.frame) }
  ///     }
  public func addViews(
    in attachment: AttachmentID, @SubviewBuilder _ views: () -> [Subview]
  ) async throws(TouchClientError) {
    try await changeViews(views().map { .add($0) }, in: attachment)
  }

  /// Returns all views of a responder, in the order in which a touch's target counts them, each
  /// with its overrides and who set them. An empty path: of every window.
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

  /// Returns all recognizers of the views of a responder. An empty path: of every window and
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

  /// Waits until the daemon has answered all earlier requests.
  public func ping() async throws(TouchClientError) {
    _ = try await answer(to: try connection.ping())
  }

  /// On the control socket: returns the state of the daemon, its clients, attachments and devices.
  public func status() async throws(TouchClientError) -> [StatusItem] {
    try await answer(to: try connection.status()).compactMap {
      if case .status(_, let item) = $0 { item } else { nil }
    }
  }

  /// On the control socket: asks for ``TouchEvent/observed(_:)`` for every frame as it is routed,
  /// or ends that.
  public func observe(_ enable: Bool = true) async throws(TouchClientError) {
    guard let serial = try connection.observe(enable) else { return }
    do {
      _ = try await answer(to: serial)
    } catch  where error.kind == .away {
      return  // it is asked for again, or over
    }
  }

  /// On the control socket: makes the daemon read its configuration again.
  ///
  /// - Returns: What changed, in words.
  public func reload() async throws(TouchClientError) -> String {
    let answer = try await answer(to: try connection.reload())
    guard case .done(let completion) = answer.last else { throw unexpected("reload") }
    return completion.text
  }

  /// On the control socket: plays one frame of a synthetic touchscreen that belongs to this
  /// session.
  public func inject(
    _ contacts: [InjectedContact], screen: UInt32 = 0
  ) async throws(TouchClientError) {
    _ = try await answer(to: try connection.inject(contacts, screen: screen))
  }

  /// On the control socket: cancels a touch for every client that gets it, or with nil every touch.
  ///
  /// - Returns: How many touches it cancelled.
  public func cancel(_ touch: TouchID?) async throws(TouchClientError) -> Int {
    let answer = try await answer(to: try connection.cancel(touch))
    guard case .done(let completion) = answer.last else { throw unexpected("cancel") }
    return Int(completion.total)
  }

  private func unexpected(_ request: String) -> TouchClientError {
    TouchClientError(.malformed, "touchrouted answered \(request) with an answer to something else")
  }
}
