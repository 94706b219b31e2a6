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
        options.maximumAttachmentsPerClient, of: "attachments of one client",
        key: "limits.attachments")
    }
    if let holder {
      end(holder.id, .takenOver, at: time, into: &deliveries)
      deliveries.entries.append(.detached(holder.client, holder.id, .takenOver))
    }
    guard let attachment = attachments.add(request, responder: responder, client: client) else {
      throw .invalid("the numbers for attachments are used up; restart the daemon")
    }
    return attachment
  }

  /// Ends an attachment at its client's wish; its touches are cancelled as `requested`, so that
  /// what began there ends there (rule T5).
  ///
  /// - Throws: ``RoutingError/notAttached(_:)``.
  public mutating func detach(
    _ id: AttachmentID, by client: ClientID, at time: Timestamp, into deliveries: inout Deliveries
  ) throws(RoutingError) {
    guard attachments[id]?.client == client else { throw .notAttached(id) }
    end(id, .requested, at: time, into: &deliveries)
  }

  /// Ends an attachment that its client may not have any more; its touches are cancelled as
  /// `requested`. Rule F6.
  public mutating func revoke(
    _ attachment: Attachment, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    end(attachment.id, .requested, at: time, into: &deliveries)
    deliveries.entries.append(.detached(attachment.client, attachment.id, .notAllowed))
  }

  /// Forgets a client that is gone, with its attachments. Its touches are dead: nobody inherits
  /// them. Rule R7.
  public mutating func clientWentAway(_ client: ClientID) {
    attachments.removeAll(of: client)
    unresponsive.remove(client)
    for index in devices.indices {
      counters.orphaned += UInt64(devices[index].drop { $0.client == client })
    }
    refreshDeadline()
  }

  /// Takes note that a client reads nothing, or that it does again. Its touches are cancelled as
  /// `clientUnresponsive`, and as long as it does not read, its responders are not there for
  /// touches that begin; its attachments stay. Rules F3 and R4.
  public mutating func setUnresponsive(
    _ client: ClientID, _ isUnresponsive: Bool, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    guard isUnresponsive else {
      unresponsive.remove(client)
      return
    }
    guard unresponsive.insert(client).inserted else { return }
    cancel(.clientUnresponsive, at: time, into: &deliveries) { $0.client == client }
  }

  /// Whether a client counts as one that reads nothing.
  public func isUnresponsive(_ client: ClientID) -> Bool { unresponsive.contains(client) }

  /// Cancels a touch for everybody, as `requested`.
  ///
  /// - Returns: Whether somebody had it.
  @discardableResult
  public mutating func cancel(
    _ touch: TouchID, at time: Timestamp, into deliveries: inout Deliveries
  ) -> Bool {
    let isHad = devices.contains { device in
      device.touches.contains { $0.id == touch && $0.isLive }
    }
    if isHad { cancel(.requested, at: time, into: &deliveries) { $0.touch == touch } }
    return isHad
  }

  /// Cancels every touch for everybody: the daemon stops, or somebody asked for it. What the
  /// fingers on the glass do further goes to nobody. Rule R9.
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
    for index in devices.indices {
      if devices[index].cancel(reason, where: isMeant) {
        sequence += 1
        devices[index].open(time: time)
        devices[index].emit(sequence: sequence, into: &deliveries)
        if isObserved { observe(deviceAt: index, into: &deliveries.observations) }
      }
      closeFrame(ofDeviceAt: index)
    }
    refreshDeadline()
  }

  private mutating func end(
    _ id: AttachmentID, _ reason: CancelReason, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    cancel(reason, at: time, into: &deliveries) { $0.attachment == id }
    attachments.remove(id)
  }
}
