import Layout
import TouchModel

/// Walks up the responder chain of a touch's target, and says who gets which phase. Rule R4.
///
/// One walk serves both: the router makes shares of its links, and observers are shown the same
/// links. Its memory is used again, so that a touch that begins allocates nothing for it.
struct ChainWalk: ~Copyable {
  /// What became of a touch at one responder of its chain.
  struct Link: BitwiseCopyable {
    let responder: ResponderID
    /// What the responder's client asked for; nil where no client holds it.
    let attachment: Attachment?
    /// The target among the views of the responder.
    let targetIndex: UInt32
    /// Whether its client gets nothing new for now (rule F3).
    let isUnresponsive: Bool
    /// The phases that were granted to the attachment.
    let phases: TouchPhases

    /// Whether its client could have a part in the touch: it is there, and it reads.
    var hasClient: Bool { attachment != nil && !isUnresponsive }

    var outcome: ChainOutcome {
      if attachment == nil { return .noClient }
      if isUnresponsive { return .unresponsive }
      return phases.isEmpty ? .notHandled : .delivered
    }
  }

  /// So many responders with clients take part in a touch at most, those nearest to the target:
  /// each is a share that every frame looks at. Rule R4.
  static let mostClients = 64

  /// One link for each responder, from the target up.
  private(set) var links: ReusableArray<Link> = []
  /// How many links come before every phase has found whoever it stops at: those above them were
  /// not asked for anything.
  private(set) var askedCount = 0
  /// The phases that somebody is granted.
  private(set) var granted: TouchPhases = []
  /// The phases that somebody handles and is not granted: who is not needed unless others decline
  /// (rule R5).
  private(set) var missing: TouchPhases = []

  /// Walks the whole chain of a view. Replaces what the walk before found.
  ///
  /// - Parameters:
  ///   - target: The view that was hit.
  ///   - layout: The layout in force.
  ///   - attachments: Who holds which responder of it.
  ///   - unresponsive: The clients that get nothing new for now (rule F3).
  ///   - secure: Who may learn of the touch, where the view is in a secure one: for others it goes
  ///     on as if they held nothing (rule F8).
  mutating func follow(
    _ target: ViewIndex, in layout: Layout, _ attachments: AttachmentTable,
    without unresponsive: Set<ClientID>, secure: SecureTarget? = nil
  ) {
    links.removeAll()
    askedCount = 0
    granted = []
    missing = []
    var left = TouchPhases.all
    var clients = 0
    var next: ResponderID? = ResponderID(target)
    while let responder = next {
      next = layout.next(after: responder)
      if !left.isEmpty { askedCount += 1 }
      guard clients < Self.mostClients, let attachment = attachments[holderOf: responder],
        let targetIndex = layout.targetIndex(of: target, in: responder),
        secure?.mayRead(attachment.client, in: layout, attachments) ?? true
      else {
        append(responder)
        continue
      }
      clients += 1
      guard unresponsive.isEmpty || !unresponsive.contains(attachment.client) else {
        append(responder, attachment, targetIndex, isUnresponsive: true)
        continue
      }
      let phases = left.grant(handling: attachment.handles, passing: attachment.passes)
      granted.formUnion(phases)
      missing.formUnion(attachment.handles.subtracting(phases))
      append(responder, attachment, targetIndex, phases)
    }
  }

  private mutating func append(
    _ responder: ResponderID, _ attachment: Attachment? = nil, _ targetIndex: UInt32 = 0,
    _ phases: TouchPhases = [], isUnresponsive: Bool = false
  ) {
    links.append(
      Link(
        responder: responder, attachment: attachment, targetIndex: targetIndex,
        isUnresponsive: isUnresponsive, phases: phases))
  }
}

extension TouchPhases {
  /// Grants a responder what it handles of the phases that are left, and takes away those that stop
  /// at it: what it handles and does not pass. Rules R3 and R4.
  ///
  /// - Returns: The phases that it is granted.
  @inline(__always)
  mutating func grant(handling handles: TouchPhases, passing passes: TouchPhases) -> TouchPhases {
    let granted = intersection(handles)
    subtract(handles.subtracting(passes))
    return granted
  }
}
