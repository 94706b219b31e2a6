public import Wire
import CTouchroute
public import Layout
public import Routing
public import TouchModel

/// What clients are sent unasked. What is for one that is gone goes nowhere.
extension Server {
  /// Queues a frame of touches, or merges it into one that waits. Rules T2 and F2.
  ///
  /// - Parameters:
  ///   - records: Those of the deliveries that it came in.
  ///   - layout: The one in force.
  ///   - wantsHistory: Whether an attachment wants the samples of merged moves.
  public func send(
    _ frame: Deliveries.ClientFrame, of records: ReusableArray<Deliveries.Record>,
    in layout: Layout, wantsHistory: (AttachmentID) -> Bool
  ) {
    guard let session = sessions[frame.client] else { return }
    switch session.output.append(frame, of: records, in: layout, wantsHistory: wantsHistory) {
    case .appended:
      session.messageCount += 1
      ownCounters[.messages] += 1
      if frame.sequence != latestFrame, !session.output.isBlocked {
        latestFrame = frame.sequence
        frameTimes.append(frame.time)
      }
    case .merged(let dropped):
      session.coalescedCount += 1
      ownCounters[.coalesced] += 1
      session.droppedSampleCount += UInt64(dropped)
      ownCounters[.droppedSamples] += UInt64(dropped)
    case .refused: break
    }
    touch(session)
  }

  /// Queues the geometry of an attachment, which has changed.
  public func send(layoutOf attachment: Attachment, in layout: Layout, generation: UInt32) {
    send(to: attachment.client) {
      $0.appendAttached(attachment, in: layout, generation: generation, serial: 0)
    }
  }

  /// Queues the end of an attachment that its client did not ask for.
  public func send(
    detached attachment: AttachmentID, of client: ClientID, _ reason: Wire.DetachReason
  ) {
    let text =
      switch reason {
      case .requested: preconditionFailure("who asks for the end of an attachment is told done")
      case .removed: "the layout in force has no such responder any more"
      case .takenOver: "another client has taken the responder over"
      case .notAllowed: "the access rules do not allow it any more"
      }
    send(to: client) { $0.appendDetached(attachment, reason: reason, text: text) }
  }

  /// Queues who holds a responder in a client's window, or held it. Rule F6.
  public func send(_ notice: HolderNotice, to client: ClientID) {
    send(to: client) { $0.appendHolder(notice) }
  }

  /// Whether nothing waits for a client in the daemon; false where it is gone.
  public func hasSentAll(to client: ClientID) -> Bool {
    sessions[client]?.output.isEmpty ?? false
  }

  /// Queues a frame as it was routed, for every observer. Rule F7.
  public func send(_ observation: Observation, layout: Layout) {
    for session in sessions.all where session.isObserver && session.stage == .open {
      _ = session.output.append(observation, layout: layout) { pid(of: $0) }
      touch(session)
    }
  }

  /// Queues the screens for every client, which knew others.
  func announceScreens() {
    for session in sessions.all where session.stage == .open {
      session.appendWelcome(greeting, serial: 0)
      touch(session)
    }
  }
}
