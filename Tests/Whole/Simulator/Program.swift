import Wire
import CTouchroute
import Glibc
import Layout
import Routing
import TouchModel
import Server

/// A program at its end of a socket, that does what the world's script says.
final class Program {
  /// The daemon's name for it.
  private(set) var client: ClientID
  /// What it calls itself.
  let name: String
  /// Who runs it.
  let user: PeerCredentials
  /// Whether it is one of the control socket's.
  let isAdministrator: Bool
  private let descriptor: Int32
  /// What it is to read, and what is wrong with what it has read.
  var stream = ProgramStream()
  /// Whether it reads whatever comes.
  var isReading = true
  /// Whether it has hung up, or the daemon has.
  private(set) var isClosed = false
  /// Whether the daemon's exchange has heard of its end.
  var isGone = false
  /// Whether it has sent what is no protocol.
  private(set) var hasBabbled = false

  /// The requests that the daemon has not carried out yet, but for pings.
  private(set) var asked: [(serial: UInt32, request: Request)] = []

  /// Who holds a responder, as the holder of its window knows it.
  struct Believed: Equatable {
    var name: String
    var handles: UInt16
    var passes: UInt16
  }

  private var pings: [UInt32] = []
  /// Those that are refused whoever asks, and by which error.
  private(set) var trespasses: [(serial: UInt32, code: UInt32)] = []
  /// What is left of a message of which only the beginning was sent.
  private var rest: [UInt8] = []
  /// After how many bytes the next message is cut.
  private var cut: Int?
  /// Whether it has ever cut one, and may have let the time for the rest pass.
  private var hasCut = false
  private var lastSerial: UInt32 = 1
  private var received: [UInt8] = []
  /// Owned.
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
  private var isWelcome = false

  /// The attachments that it knows of, and the latest touches that began for it, latest first.
  private(set) var attachments: [UInt32] = []
  /// What it believes of others that hold something in its windows. Rule F6.
  private(set) var believed: [UInt32: [String: Believed]] = [:]
  /// How many views are there that it has added through an attachment, as it was told. Rule L7.
  private(set) var addedCounts: [UInt32: UInt32] = [:]
  private(set) var begun: [(touch: UInt64, attachment: UInt32)] = []

  /// When it was last seen to have nothing unread, or to read.
  private(set) var caughtUp: UInt64
  /// When it was first seen to have left something unread since.
  var unreadSince: UInt64?

  init(
    _ descriptor: Int32, client: ClientID, user: PeerCredentials, isAdministrator: Bool,
    at time: UInt64
  ) {
    self.descriptor = descriptor
    self.isAdministrator = isAdministrator
    self.client = client
    self.user = user
    caughtUp = time
    name = "program \(client.slot) of generation \(client.generation) since \(time)"
    send(
      TOUCHROUTE_HELLO,
      touchroute_hello(
        header: touchroute_header(), serial: 1, magic: TOUCHROUTE_MAGIC,
        version: TOUCHROUTE_VERSION, name_size: UInt32(name.utf8.count)), name)
  }

  deinit {
    if !isClosed { close(descriptor) }
    scratch.deallocate()
  }

  /// Whether something is there for it to read.
  var hasUnread: Bool {
    // Another socket may have the number of one that is closed.
    var count: Int32 = 0
    return !isClosed && ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  func noteCaughtUp(at time: UInt64) {
    caughtUp = time
    unreadSince = nil
  }

  /// Whether the connection may be ended for what it does. Rules F4 and F5.
  var isBad: Bool { hasBabbled || hasCut || !isReading }

  /// Its socket, to be polled, where it reads; poll passes over a negative one.
  var polled: pollfd {
    pollfd(fd: isReading && !isClosed ? descriptor : -1, events: Int16(POLLIN), revents: 0)
  }

  /// Another daemon goes on for the one that was there, and knows it by another name.
  func moved(to client: ClientID) {
    self.client = client
    unreadSince = nil
  }

  // MARK: - What it does

  func hangUp() {
    guard !isClosed else { return }
    isClosed = true
    // A process that another test is just starting may have a copy of the socket for a moment.
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  func attach(_ request: AttachRequest) {
    var flags: UInt32 = 0
    if request.takesOver { flags |= TOUCHROUTE_ATTACH_TAKE_OVER.rawValue }
    if request.wantsHistory { flags |= TOUCHROUTE_ATTACH_HISTORY.rawValue }
    if request.waits { flags |= TOUCHROUTE_ATTACH_WAIT.rawValue }
    ask(.attach(request)) { serial in
      send(
        TOUCHROUTE_ATTACH,
        touchroute_attach(
          header: touchroute_header(), serial: serial, handles: request.handles.rawValue,
          passes: request.passes.rawValue, flags: flags,
          path_size: UInt32(request.path.utf8.count)), request.path)
    }
  }

  func detach(_ attachment: UInt32) {
    attachments.removeAll { $0 == attachment }
    ask(.detach(AttachmentID(attachment))) { serial in
      send(
        TOUCHROUTE_DETACH,
        touchroute_detach(header: touchroute_header(), serial: serial, attachment: attachment))
    }
  }

  func decide(_ opcode: touchroute_request, _ touch: UInt64, _ attachment: UInt32) {
    let touchID = TouchID(touch)
    let through = AttachmentID(attachment)
    let isAccept = opcode == TOUCHROUTE_ACCEPT
    let request: Request =
      isAccept ? .accept(touchID, through: through) : .decline(touchID, through: through)
    ask(request) { serial in
      send(
        opcode,
        touchroute_accept(
          header: touchroute_header(), serial: serial, attachment: attachment, touch: touch))
    }
  }

  func set(_ change: ViewChange) {
    var values = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    withUnsafeMutableBytes(of: &values) { bytes in
      change.property.values.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }
    ask(.set([change])) { serial in
      send(
        TOUCHROUTE_SET,
        SetOfOne(
          set: touchroute_set(header: touchroute_header(), serial: serial, change_count: 1),
          change: touchroute_change(
            property: UInt16(change.property.kind.rawValue), point_count: 0,
            path_size: UInt16(change.path.utf8.count), words_size: 0, values: values)
        ), change.path)
    }
  }

  /// Adds, removes and changes views.
  func change(_ request: ViewsRequest) {
    var steps: [UInt8] = []
    for step in request.steps { steps += Self.bytes(of: step) }
    ask(.changeViews(request)) { serial in
      send(
        TOUCHROUTE_CHANGE_VIEWS,
        touchroute_change_views(
          header: touchroute_header(), serial: serial, attachment: request.attachment.rawValue,
          step_count: UInt32(request.steps.count), reserved: 0), steps)
    }
  }

  private static func bytes(of step: ViewsRequest.Step) -> [UInt8] {
    let (kind, path, controller, properties) =
      switch step {
      case .add(let path, let view, let order):
        (
          TOUCHROUTE_STEP_ADD, path, view.controller,
          view.given + (order.map { [.order($0)] } ?? [])
        )
      case .remove(let path): (TOUCHROUTE_STEP_REMOVE, path, nil, [])
      case .change(let path, let properties): (TOUCHROUTE_STEP_CHANGE, path, nil, properties)
      }
    let name = controller ?? ""
    let fixed = touchroute_view_step(
      kind: UInt16(kind.rawValue), property_count: UInt16(properties.count),
      path_size: UInt16(path.utf8.count), controller_size: UInt16(name.utf8.count))
    var bytes = withUnsafeBytes(of: fixed) { Array($0) }
    for text in [path, name] {
      bytes += text.utf8
      bytes += [UInt8](repeating: 0, count: padded(text.utf8.count) - text.utf8.count)
    }
    for property in properties {
      let value = touchroute_property_value(
        property: UInt16(property.kind.rawValue), point_count: 0, words_size: 0,
        value_count: UInt16(property.values.count))
      bytes += withUnsafeBytes(of: value) { Array($0) }
      bytes += property.values.withUnsafeBytes { Array($0) }
    }
    return bytes
  }

  private struct SetOfOne {
    var set: touchroute_set
    var change: touchroute_change
  }

  /// Sends so many pings at once.
  func flood(_ count: Int) {
    for _ in 0..<count {
      lastSerial += 1
      pings.append(lastSerial)
      send(
        TOUCHROUTE_PING,
        touchroute_plain_request(header: touchroute_header(), serial: lastSerial, reserved: 0))
    }
  }

  /// Sends what is no protocol.
  func babble(_ kind: Int) {
    hasBabbled = true
    send(Nonsense.bytes(kind))
  }

  /// Asks for what only clients of the control socket may. Rule F7.
  func trespass(_ kind: Int) {
    lastSerial += 1
    trespasses.append((lastSerial, TOUCHROUTE_ERROR_NOT_ALLOWED.rawValue))
    let header = touchroute_header()
    switch kind % 4 {
    case 0, 1:
      send(
        kind % 4 == 0 ? TOUCHROUTE_STATUS : TOUCHROUTE_RELOAD,
        touchroute_plain_request(header: header, serial: lastSerial, reserved: 0))
    case 2:
      send(TOUCHROUTE_OBSERVE, touchroute_observe(header: header, serial: lastSerial, enable: 1))
    default:
      send(
        TOUCHROUTE_CANCEL,
        touchroute_cancel(header: header, serial: lastSerial, reserved: 0, touch: 0))
    }
  }

  /// Sends only the beginning of what it sends next; the rest comes before whatever follows.
  func cutNext(at count: Int, _ act: () -> Void) {
    (cut, hasCut) = (count, true)
    act()
    cut = nil
  }

  /// Sends what is left of a message.
  func sendRest() { send([]) }

  /// A frame of a touchscreen of its own.
  func inject(_ contacts: [InjectedContact], _ screen: ScreenIndex) {
    let wire = contacts.map {
      touchroute_contact(
        slot: $0.slot, phase: UInt32($0.phase.rawValue), x: $0.location.x, y: $0.location.y)
    }
    ask(.inject(contacts, screen)) { serial in
      send(
        TOUCHROUTE_INJECT,
        touchroute_inject(
          header: touchroute_header(), serial: serial, screen: UInt32(screen.rawValue),
          contact_count: UInt32(contacts.count), reserved: 0),
        wire.withUnsafeBytes { Array($0) })
    }
  }

  /// Has a touch end for everybody, or every touch.
  func cancel(_ touch: TouchID?) {
    ask(.cancel(touch)) { serial in
      send(
        TOUCHROUTE_CANCEL,
        touchroute_cancel(
          header: touchroute_header(), serial: serial, reserved: 0, touch: touch?.rawValue ?? 0))
    }
  }

  /// Asks to be told of every touch.
  func observe() {
    lastSerial += 1
    send(
      TOUCHROUTE_OBSERVE,
      touchroute_observe(header: touchroute_header(), serial: lastSerial, enable: 1))
  }

  func ask(_ request: Request, _ send: (UInt32) -> Void) {
    lastSerial += 1
    asked.append((lastSerial, request))
    send(lastSerial)
  }

  /// The daemon carries out a request: the one that was asked first, or something is wrong.
  func isHeard(_ request: Request) -> UInt32? {
    guard let first = asked.first, first.request == request else { return nil }
    return asked.removeFirst().serial
  }

  func send<Fixed: BitwiseCopyable>(
    _ opcode: touchroute_request, _ fixed: Fixed, _ text: String
  ) {
    send(opcode, fixed, Array(text.utf8))
  }

  func send<Fixed: BitwiseCopyable>(
    _ opcode: touchroute_request, _ fixed: Fixed, _ rest: [UInt8] = []
  ) {
    let size = MemoryLayout<Fixed>.size + padded(rest.count)
    var bytes = [UInt8](repeating: 0, count: size)
    bytes.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: fixed, as: Fixed.self)
      buffer.storeBytes(
        of: touchroute_header(size: UInt32(size), opcode: UInt16(opcode.rawValue), flags: 0),
        as: touchroute_header.self)
      buffer[MemoryLayout<Fixed>.size...].copyBytes(from: rest)
    }
    send(bytes)
  }

  private func send(_ bytes: [UInt8]) {
    guard !isClosed else { return }
    var bytes = rest + bytes
    rest = []
    if let cut {
      let count = cut % max(bytes.count, 1)
      rest = Array(bytes[count...])
      bytes.removeSubrange(count...)
    }
    guard !bytes.isEmpty else { return }
    let result = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    // Where the daemon does not carry out more of its requests, what it goes on to send is cut
    // anywhere; it knows, and hangs up.
    if result != bytes.count { hangUp() }
  }

  // MARK: - What it reads

  /// Reads what is in the socket with one call; whether there was something.
  func readOnce() -> Bool {
    guard !isClosed else { return false }
    let result = recv(descriptor, scratch.baseAddress, scratch.count, Int32(MSG_DONTWAIT))
    if result > 0 { received.append(contentsOf: scratch[..<result]) }
    if result == 0 || (result < 0 && errno != EAGAIN) {
      if !isGone { stream.fail("the connection ended though nobody ended it") }
      hangUp()
    }
    takeMessages()
    return result > 0
  }

  /// Reads what is in the socket, and looks at none of it; whether there was something.
  func skim() -> Bool {
    recv(descriptor, scratch.baseAddress, scratch.count, Int32(MSG_DONTWAIT)) > 0
  }

  private func takeMessages() {
    var start = 0
    received.withUnsafeBytes { bytes in
      while bytes.count - start >= 8 {
        let header = bytes.load(fromByteOffset: start, as: touchroute_header.self)
        let size = Int(header.size)
        guard size >= 8, size % 8 == 0, size <= Int(TOUCHROUTE_MAX_MESSAGE) else {
          return stream.fail("a message of \(size) bytes")
        }
        guard bytes.count - start >= size else { return }
        take(
          UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]), UInt32(header.opcode))
        start += size
      }
    }
    received.removeFirst(start)
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ opcode: UInt32) {
    switch opcode {
    case TOUCHROUTE_WELCOME.rawValue: isWelcome = true
    case TOUCHROUTE_TOUCHES.rawValue:
      stream.take(bytes)
      noteBegun(bytes)
    case TOUCHROUTE_PONG.rawValue:
      let serial = bytes.load(as: touchroute_pong.self).serial
      if pings.isEmpty || pings.removeFirst() != serial { stream.fail("pong \(serial)") }
    case TOUCHROUTE_ATTACHED.rawValue:
      let attached = bytes.load(as: touchroute_attached.self)
      note(attached.attachment)
      addedCounts[attached.attachment] = attached.added_count
      stream.takeOther("attached \(attached.attachment)") {
        guard case .attached(let serial, let id) = $0 else { return false }
        return serial == attached.serial && id.rawValue == attached.attachment
      }
    case TOUCHROUTE_WAITING.rawValue:
      let waiting = bytes.load(as: touchroute_waiting.self)
      note(waiting.attachment)
      believed[waiting.attachment] = nil
      stream.takeOther("waiting \(waiting.attachment)") {
        guard case .waiting(let serial, let id, let reason) = $0 else { return false }
        return serial == waiting.serial && id.rawValue == waiting.attachment
          && reason == waiting.reason
      }
    case TOUCHROUTE_LAYOUT.rawValue:
      let layout = bytes.load(as: touchroute_attached.self)
      addedCounts[layout.attachment] = layout.added_count
      stream.takeLayout(layout.attachment, generation: layout.generation)
    case TOUCHROUTE_DETACHED.rawValue:
      let detached = bytes.load(as: touchroute_detached.self)
      attachments.removeAll { $0 == detached.attachment }
      believed[detached.attachment] = nil
      stream.takeOther("detached \(detached.attachment)") {
        guard case .detached(let id, let reason) = $0 else { return false }
        return id.rawValue == detached.attachment && reason.rawValue == detached.reason
      }
    case TOUCHROUTE_DONE.rawValue:
      let done = bytes.load(as: touchroute_done.self)
      stream.takeOther("done \(done.serial)") {
        guard case .done(let serial, let total) = $0 else { return false }
        return serial == done.serial && total == done.total
      }
    case TOUCHROUTE_ERROR.rawValue: takeError(bytes)
    case TOUCHROUTE_HOLDER.rawValue: takeHolder(bytes)
    case TOUCHROUTE_SCREEN_STATE.rawValue, TOUCHROUTE_LOCK_STATE.rawValue,
      TOUCHROUTE_IDLE.rawValue:
      takeNotice(bytes, opcode)
    case TOUCHROUTE_CLOSING.rawValue:
      if !isGone { stream.fail("closing, though nobody ended it") }
    default: stream.fail("a message of opcode \(opcode)")
    }
  }

  private func note(_ attachment: UInt32) {
    if !attachments.contains(attachment) { attachments.append(attachment) }
  }

  /// Nothing is told twice.
  private func takeHolder(_ bytes: UnsafeRawBufferPointer) {
    let holder = bytes.load(as: touchroute_holder.self)
    let start = MemoryLayout<touchroute_holder>.size
    let end = start + Int(holder.path_size)
    let nameStart = start + padded(Int(holder.path_size))
    let path = String(decoding: bytes[start..<end], as: UTF8.self)
    let name = String(
      decoding: bytes[nameStart..<nameStart + Int(holder.name_size)], as: UTF8.self)
    let told = Believed(name: name, handles: holder.handles, passes: holder.passes)
    let before = believed[holder.attachment]?[path]
    let isHeld = holder.is_held == 1
    if isHeld ? before == told : before != told {
      stream.fail("told \(told), held \(isHeld), of \(path), after \(String(describing: before))")
    }
    believed[holder.attachment, default: [:]][path] = isHeld ? told : nil
  }

  private func takeError(_ bytes: UnsafeRawBufferPointer) {
    let error = bytes.load(as: touchroute_error.self)
    let start = MemoryLayout<touchroute_error>.size
    let text = String(decoding: bytes[start..<start + Int(error.text_size)], as: UTF8.self)
    if error.code == TOUCHROUTE_ERROR_PROTOCOL.rawValue {
      if !isBad {
        stream.fail("told of a breach of protocol that it did not commit: \(text)")
      }
      return
    }
    if let first = trespasses.first, first.serial == error.serial, first.code == error.code {
      trespasses.removeFirst()
      return
    }
    stream.takeOther("error \(error.code) to \(error.serial), \(text)") {
      guard case .refused(let serial, let code) = $0 else { return false }
      return serial == error.serial && code == error.code
    }
  }

  private func noteBegun(_ bytes: UnsafeRawBufferPointer) {
    let count = Int(bytes.load(as: touchroute_touches.self).touch_count)
    for index in 0..<count {
      let touch = bytes.load(fromByteOffset: 32 + index * 64, as: touchroute_touch.self)
      guard UInt32(touch.phase) == TOUCHROUTE_PHASE_BEGAN.rawValue else { continue }
      begun.insert((touch.id, touch.attachment), at: 0)
      if begun.count > 6 { begun.removeLast() }
    }
  }
}
