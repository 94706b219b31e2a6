public import Layout

/// Who holds which responder: found by responder at a touch's beginning, by id and by client at a
/// request.
public struct AttachmentTable: Sendable {
  /// Where an attachment is, to be found without a search.
  struct Place: Equatable, BitwiseCopyable {
    let id: AttachmentID
    fileprivate let index: Int32
  }

  /// Nil where an index is free.
  private var attachments: [Attachment?] = []
  private var freeIndices: [Int] = []
  /// For each responder of the layout, the index of its attachment, or -1.
  private var holders: [Int32]
  private var indices: [AttachmentID: Int] = [:]
  private var counts: [ClientID: Int] = [:]
  /// How many bytes the paths have that were asked for, by client. Rule F5.
  package private(set) var pathBytes = Charges<ClientID>()
  /// How many were removed until now: while it is the same, whoever held something still does.
  private(set) var removalCount = 0
  /// The number of the next one.
  var nextID: UInt32 = 1

  init(_ layout: Layout) {
    holders = [Int32](repeating: -1, count: layout.responderCount)
  }

  /// All of them, oldest first.
  public var all: [Attachment] {
    attachments.compactMap(\.self).sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// How many there are.
  public var count: Int { indices.count }

  /// How many a client has.
  public func count(of client: ClientID) -> Int { counts[client, default: 0] }

  /// The attachment of that number.
  public subscript(id: AttachmentID) -> Attachment? {
    indices[id].flatMap { attachments[$0] }
  }

  /// The attachment that was there, if it is still.
  @inline(__always)
  subscript(place: Place) -> Attachment? {
    let attachment = attachments[Int(place.index)]
    return attachment?.id == place.id ? attachment : nil
  }

  /// Where the attachment is that holds a responder of the layout in force.
  @inline(__always)
  func place(ofHolderOf responder: ResponderID) -> Place? {
    let index = holders[Int(responder.rawValue)]
    return index < 0 ? nil : attachments[Int(index)].map { Place(id: $0.id, index: index) }
  }

  /// The attachment that holds a responder of the layout in force.
  public subscript(holderOf responder: ResponderID) -> Attachment? {
    let index = holders[Int(responder.rawValue)]
    return index < 0 ? nil : attachments[Int(index)]
  }

  /// Checks whether a client may have a responder: whether it is free or may be taken over, the
  /// client's limit, and whether a number is left. Rules R2 and F5.
  ///
  /// - Returns: The attachment that must end first.
  func check(
    _ request: AttachRequest, of responder: ResponderID, by client: ClientID, limit: Int
  ) throws(RoutingError) -> Attachment? {
    let holder = self[holderOf: responder]
    if let holder, !request.takesOver {
      throw .held(
        path: request.path, holder: holder.client, attachment: holder.id,
        isOwn: holder.client == client)
    }
    guard counts[client, default: 0] - (holder?.client == client ? 1 : 0) < limit else {
      throw .limit(limit, of: "attachments of one client", key: "limits.attachments")
    }
    guard nextID < .max else { throw .attachmentsUsedUp }
    return holder
  }

  /// Grants a responder that nobody holds, as ``check(_:of:by:limit:)`` allows.
  ///
  /// - Parameter number: Its number, where it is not the next.
  mutating func add(
    _ request: AttachRequest, responder: ResponderID, client: ClientID,
    as number: AttachmentID? = nil
  ) -> Attachment {
    let attachment = Attachment(
      id: number ?? AttachmentID(nextID), client: client, responder: responder,
      handles: request.handles, passes: request.passes, wantsHistory: request.wantsHistory,
      handlesGestures: request.handlesGestures, pathBytes: request.path.utf8.count)
    if number == nil { nextID += 1 }
    let index = freeIndices.popLast() ?? attachments.count
    if index == attachments.count { attachments.append(nil) }
    attachments[index] = attachment
    indices[attachment.id] = index
    holders[Int(responder.rawValue)] = Int32(index)
    counts[client, default: 0] += 1
    pathBytes.add(attachment.pathBytes, to: client)
    return attachment
  }

  /// Ends an attachment.
  mutating func remove(_ id: AttachmentID) {
    removalCount += 1
    guard let index = indices.removeValue(forKey: id), let attachment = attachments[index] else {
      return
    }
    attachments[index] = nil
    freeIndices.append(index)
    holders[Int(attachment.responder.rawValue)] = -1
    counts[attachment.client, default: 1] -= 1
    if counts[attachment.client] == 0 { counts[attachment.client] = nil }
    pathBytes.add(-attachment.pathBytes, to: attachment.client)
  }

  /// Ends every attachment of a client.
  mutating func removeAll(of client: ClientID) {
    for case .some(let attachment) in attachments where attachment.client == client {
      remove(attachment.id)
    }
  }

  /// Goes over to another layout. Those of responders that it no longer has must have been removed.
  mutating func move(by change: LayoutChange) {
    // Each responder has the number that it had.
    if change.hasSameTree { return }
    holders = [Int32](repeating: -1, count: change.new.responderCount)
    for index in attachments.indices {
      guard let responder = attachments[index]?.responder,
        let new = change.counterpart(of: responder)
      else {
        continue
      }
      attachments[index]?.responder = new
      holders[Int(new.rawValue)] = Int32(index)
    }
  }
}
