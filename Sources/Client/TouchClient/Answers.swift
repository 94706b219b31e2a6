/// What has come for the requests of a ``TouchSession``, as far as somebody waits for that.
struct Answers {
  private var waiting: [Serial: [TouchEvent]] = [:]
  /// The requests whose task was cancelled, and whether they are made again where the connection is
  /// lost: what comes for them is for nobody.
  private var abandoned: [Serial: Bool] = [:]
  /// The requests that end an attachment.
  private var endings: [Serial: AttachmentID] = [:]
  /// How often the connection was lost: an answer from before such a moment never comes.
  private(set) var lossCount = 0

  /// Somebody waits for that request from now on.
  mutating func expect(_ serial: Serial) { waiting[serial] = [] }

  /// That request ends an attachment.
  mutating func expectEnd(of attachment: AttachmentID, by serial: Serial) {
    endings[serial] = attachment
  }

  /// What came for a request, once it is whole.
  func whole(_ serial: Serial) -> [TouchEvent]? {
    waiting[serial].flatMap { $0.last?.endsAnswer == true ? $0 : nil }
  }

  /// Nobody waits for that request any more.
  mutating func forget(_ serial: Serial) { waiting[serial] = nil }

  /// Nobody wants to hear of that request, of which the answer is still to come.
  mutating func abandon(_ serial: Serial, survivesLoss: Bool = false) {
    abandoned[serial] = survivesLoss
  }

  /// That request has no answer any more.
  mutating func forgetAbandoned(_ serial: Serial) { abandoned[serial] = nil }

  /// Takes an event in; whether it answers a request of the session.
  mutating func take(_ event: TouchEvent) -> Bool {
    var serial = event.serial
    if case .attached(let geometry) = event { serial = Serial(geometry.attachment.rawValue) }
    let isTaken = serial.map { file(event, $0) } ?? false
    switch event {
    case .lost:
      lossCount += 1
      for attachment in endings.values { end(attachment) }
      endings = [:]
      abandoned = abandoned.filter(\.value)
    case .detached(let detachment): end(detachment.attachment, detachment)
    default: break
    }
    return isTaken
  }

  private mutating func file(_ event: TouchEvent, _ serial: Serial) -> Bool {
    if event.endsAnswer, let attachment = endings.removeValue(forKey: serial) { end(attachment) }
    if waiting[serial]?.append(event) != nil { return true }
    guard abandoned[serial] != nil else { return false }
    if event.endsAnswer { abandoned[serial] = nil }
    return true
  }

  /// An attachment has ended: who waits until it is in force waits in vain.
  mutating func end(_ attachment: AttachmentID, _ detachment: Detachment? = nil) {
    let serial = Serial(attachment.rawValue)
    abandoned[serial] = nil
    guard waiting[serial] != nil, whole(serial) == nil else { return }
    let code: RequestFailure.Code =
      switch detachment?.reason {
      case .removed: .noResponder
      case .takenOver: .held
      case .notAllowed: .notAllowed
      default: .notAttached
      }
    let text = detachment?.text ?? "the attachment was ended before it was in force"
    waiting[serial]?.append(.failed(RequestFailure(serial: serial, code: code, text: text)))
  }
}

extension TouchEvent {
  /// Whether nothing more comes for the request that it answers.
  fileprivate var endsAnswer: Bool {
    switch self {
    case .failed, .done, .pong, .attached: true
    default: false
    }
  }
}
