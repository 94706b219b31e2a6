import Layout

/// Which clients hold the responders of a view's chain. Rule R1.
enum ChainHolders {
  case nobody
  case one(ClientID)
  case several

  init(of view: ViewIndex, in layout: Layout, _ attachments: AttachmentTable) {
    self = .nobody
    var next: ResponderID? = ResponderID(view)
    while let responder = next {
      if let client = attachments[holderOf: responder]?.client { add(client) }
      if case .several = self { return }
      next = layout.next(after: responder)
    }
  }

  /// Whether another client than this one is among them.
  func areOther(than client: ClientID) -> Bool {
    switch self {
    case .nobody: false
    case .one(let holder): holder != client
    case .several: true
    }
  }

  private mutating func add(_ client: ClientID) {
    switch self {
    case .nobody: self = .one(client)
    case .one, .several: if areOther(than: client) { self = .several }
    }
  }
}
