import Layout
public import TouchModel

extension Router {
  /// Gives a responder to a client. It gets touches that begin from now on (rule R6). Rules R2, R3.
  ///
  /// - Parameters:
  ///   - request: What the client asks for.
  ///   - client: Who asks.
  ///   - time: Now.
  ///   - deliveries: Where the holder is pushed out, its touches' cancellation and its `detached`.
  /// - Returns: The attachment.
  /// - Throws: ``RoutingError``; then nothing has changed.
  public mutating func attach(
    _ request: AttachRequest, by client: ClientID, at time: Timestamp,
    into deliveries: inout Deliveries
  ) throws(RoutingError) -> Attachment {
    guard !request.handles.isEmpty, request.handles.isSubset(of: .all) else {
      throw .invalid("an attachment handles at least one of began, moved, ended and cancelled")
    }
    guard request.passes.isSubset(of: request.handles) else {
      throw .invalid("an attachment passes only phases that it handles")
    }
    guard let responder = layout.responder(at: request.path) else {
      throw .noResponder(path: request.path, nearest: layout.nearestPath(to: request.path))
    }
    let holder = attachments[holderOf: responder]
    if let holder, !request.takesOver {
      throw .held(
        path: request.path, holder: holder.client, attachment: holder.id,
        isOwn: holder.client == client)
    }
    let count = attachments.count(of: client) - (holder?.client == client ? 1 : 0)
    guard count < options.maximumAttachmentsPerClient else {
      throw .limit(
        name: "attachments of one client", value: options.maximumAttachmentsPerClient)
    }
    if let holder {
      end(holder.id, .takenOver, at: time, into: &deliveries)
      deliveries.entries.append(.detached(holder.client, holder.id, .takenOver))
    }
    guard let attachment = attachments.add(request, responder: responder, client: client) else {
      throw .limit(name: "attachments since the daemon's start", value: Int(UInt32.max) - 1)
    }
    return attachment
  }

  /// Ends an attachment at its client's wish; its touches are cancelled as `requested`, so that what
  /// began there ends there (rule T5).
  ///
  /// - Throws: ``RoutingError/notAttached(_:)``.
  public mutating func detach(
    _ id: AttachmentID, by client: ClientID, at time: Timestamp, into deliveries: inout Deliveries
  ) throws(RoutingError) {
    guard attachments[id]?.client == client else { throw .notAttached(id) }
    end(id, .requested, at: time, into: &deliveries)
  }

  /// Forgets a client that is gone, with its attachments. Its touches are dead: nobody inherits
  /// them. Rule R7.
  public mutating func clientWentAway(_ client: ClientID) {
    attachments.removeAll(of: client)
    unresponsive.remove(client)
    for index in devices.indices {
      counters.orphaned += UInt64(devices[index].drop { $0.client == client })
    }
  }

  /// Takes note that a client keeps a touch: it can't decline it any more. Rule R5.
  public mutating func accept(_ touch: TouchID, by client: ClientID) {
    let isKnown = devices.contains { device in
      device.shares.contains { $0.touch == touch && $0.client == client }
    }
    if !isKnown { counters.unknownTouches += 1 }
  }

  /// Cancels every touch for everybody: the daemon stops, or somebody asked for it. What the fingers
  /// on the glass do further goes to nobody. Rule R9.
  public mutating func cancelAll(
    _ reason: CancelReason, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    cancel(reason, at: time, into: &deliveries) { _ in true }
  }

  /// Cancels the shares that fulfil the condition: a frame for each device that has one.
  mutating func cancel(
    _ reason: CancelReason, at time: Timestamp, into deliveries: inout Deliveries,
    where isMeant: (Share) -> Bool
  ) {
    for index in devices.indices where devices[index].cancel(reason, where: isMeant) {
      sequence += 1
      devices[index].open(time: time)
      devices[index].emit(sequence: sequence, into: &deliveries)
      if isObserved { observe(deviceAt: index, into: &deliveries.observations) }
      closeFrame(ofDeviceAt: index)
    }
  }

  private mutating func end(
    _ id: AttachmentID, _ reason: CancelReason, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    cancel(reason, at: time, into: &deliveries) { $0.attachment == id }
    attachments.remove(id)
  }
}
