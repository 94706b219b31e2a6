public import Layout
public import Routing
public import Wire

/// The answers to requests.
extension Server {
  /// To `attach`: the attachment, with its geometry.
  public func answer(
    _ token: RequestToken, attached attachment: Attachment, in layout: Layout, generation: UInt32
  ) {
    send(to: token.client) {
      $0.append(
        .attached(attachment, in: layout, generation: generation, serial: token.serial))
    }
  }

  /// To `attach` that waits: the attachment is in line, and why.
  public func answer(_ token: RequestToken, waitingAs attachment: AttachmentID, _ text: String) {
    send(to: token.client) {
      $0.append(.waiting(attachment, because: nil, text: text, serial: token.serial))
    }
  }

  /// To `detach`, `observe` and `reload`, and the last one to `status`. `total` is the number of
  /// items sent before, of the touches that `cancel` ended, or of the device that `inject` made up.
  public func answer(
    _ token: RequestToken, doneWith total: Int = 0, generation: UInt32, text: String = ""
  ) {
    send(to: token.client) {
      $0.append(.done(serial: token.serial, total: total, generation: generation, text: text))
    }
  }

  /// To any request: why it was not carried out, in words that a person can act on.
  public func answer(_ token: RequestToken, _ code: Wire.ErrorCode, _ text: String) {
    send(to: token.client) {
      $0.append(.error(serial: token.serial, code, request: token.opcode.rawValue, text: text))
    }
  }

  /// To `describe`: a page of the views of a responder, of all where it is nil, and how many there
  /// are; behind the views come the recognizers that lie in them. A page may end before `count`
  /// where it has become long; the next one begins where it ended.
  ///
  /// - Parameters:
  ///   - origin: Who has made of a view what it is.
  ///   - gestures: Recognizers that lie in the views: at most so many, from a number on.
  ///   - holder: Who holds a responder, if anybody does.
  package func answer(
    _ token: RequestToken, viewsOf responder: ResponderID?, first: Int, count: Int,
    in layout: Layout, generation: UInt32, origin: (ViewIndex) -> DescribedOrigin,
    gestures: (_ first: Int, _ count: Int) -> [DescribedGesture],
    holder: (ResponderID) -> ClientID?
  ) {
    send(to: token.client) { session in
      let views = ViewPage(
        of: responder, first: first, count: count, in: layout, serial: token.serial,
        origin: origin, holder: { holder($0).map(pid(of:)) ?? 0 }, pid: pid(of:))
      let behind = GesturePage(
        behind: views, first: first, count: count, serial: token.serial, pid: pid(of:),
        gestures: gestures)
      for message in views.messages { session.append(message) }
      for message in behind.messages { session.append(message) }
      session.append(.done(serial: token.serial, total: views.total, generation: generation))
    }
  }

  /// To `status`: the daemon, the clients, their attachments, the devices, the screens, their
  /// locks and who inhibits idle, then `done`.
  ///
  /// - Parameter liveTouches: How many touches a client gets.
  public func answer(
    _ token: RequestToken, status daemon: DaemonStatus, attachments: [AttachmentStatus],
    devices: [DeviceStatus], screens: [ScreenStatus], locks: [LockStatus],
    inhibitors: [AttachmentStatus],
    liveTouches: (ClientID) -> Int
  ) {
    reviewUnresponsive()
    let clients = pool.all.filter(\.state.isOpen).map {
      ClientStatus(
        $0, liveTouches: liveTouches($0.id), isUnresponsive: pool.readers.isUnresponsive($0))
    }
    send(to: token.client) { session in
      let serial = token.serial
      session.append(DaemonStatusMessage(daemon, serial: serial))
      for client in clients { session.append(.status(of: client, serial: serial)) }
      for item in attachments { session.append(.status(of: item, serial: serial)) }
      for device in devices {
        session.append(.status(of: device, serial: serial))
        for finding in device.findings {
          session.append(.status(of: finding, on: device.id, serial: serial))
        }
      }
      for screen in screens {
        let pid: Int32 = if let blanker = screen.blanker { pid(of: blanker) } else { 0 }
        let name = screen.blanker.map { programName(of: $0) } ?? ""
        session.append(.status(of: screen, pid: pid, blanker: name, serial: serial))
      }
      for lock in locks {
        let pid: Int32 = if let owner = lock.owner { pid(of: owner) } else { 0 }
        session.append(.status(of: lock, pid: pid, serial: serial))
      }
      for item in inhibitors { session.append(.inhibitor(item, serial: serial)) }
      let findings = devices.reduce(0) { $0 + $1.findings.count }
      let total =
        1 + clients.count + attachments.count + devices.count + findings + screens.count
        + locks.count + inhibitors.count
      session.append(.done(serial: serial, total: total, generation: daemon.generation))
    }
  }
}

extension ClientStatus {
  /// The status of a session's client, as it is now.
  fileprivate init(_ session: Session, liveTouches: Int, isUnresponsive: Bool) {
    var flags: Wire.ClientFlags = []
    if session.client.socket == .control { flags.insert(.control) }
    if session.observing != .nothing { flags.insert(.observer) }
    if isUnresponsive { flags.insert(.unresponsive) }
    self.init(
      client: session.client, name: session.name, flags: flags, queuedBytes: session.queuedBytes,
      unreadBytes: ReadMonitor.unread(of: session), deliveries: session.deliveries,
      liveTouches: liveTouches)
  }
}
