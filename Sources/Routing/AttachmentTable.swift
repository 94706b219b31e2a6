import Layout

/// Who holds which responder: found by responder at a touch's beginning, by id and by client at a
/// request.
struct AttachmentTable {
  /// Nil where a place is free.
  private var attachments: [Attachment?] = []
  private var freePlaces: [Int] = []
  /// For each responder of the layout, the place of its attachment, or -1.
  private var holders: [Int32]
  private var places: [AttachmentID: Int] = [:]
  private var counts: [ClientID: Int] = [:]
  /// The number of the next one.
  var nextID: UInt32 = 1

  init(_ layout: Layout) {
    holders = [Int32](repeating: -1, count: layout.responderCount)
  }

  /// All of them, oldest first.
  var all: [Attachment] {
    attachments.compactMap(\.self).sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// The attachment of that number.
  subscript(id: AttachmentID) -> Attachment? {
    places[id].flatMap { attachments[$0] }
  }

  /// The attachment of the client that holds a responder.
  subscript(holderOf responder: ResponderID) -> Attachment? {
    let place = holders[Int(responder.rawValue)]
    return place < 0 ? nil : attachments[Int(place)]
  }

  /// How many the client has.
  func count(of client: ClientID) -> Int { counts[client] ?? 0 }

  /// Grants a responder that nobody holds; nil when the numbers are used up.
  mutating func add(
    _ request: AttachRequest, responder: ResponderID, client: ClientID
  ) -> Attachment? {
    guard nextID < .max else { return nil }
    let attachment = Attachment(
      id: AttachmentID(nextID), client: client, responder: responder, handles: request.handles,
      passes: request.passes, wantsHistory: request.wantsHistory)
    nextID += 1
    let place = freePlaces.popLast() ?? attachments.count
    if place == attachments.count { attachments.append(nil) }
    attachments[place] = attachment
    places[attachment.id] = place
    holders[Int(responder.rawValue)] = Int32(place)
    counts[client, default: 0] += 1
    return attachment
  }

  /// Ends an attachment.
  mutating func remove(_ id: AttachmentID) {
    guard let place = places.removeValue(forKey: id), let attachment = attachments[place] else {
      return
    }
    attachments[place] = nil
    freePlaces.append(place)
    holders[Int(attachment.responder.rawValue)] = -1
    counts[attachment.client, default: 1] -= 1
    if counts[attachment.client] == 0 { counts[attachment.client] = nil }
  }

  /// Ends every attachment of a client.
  mutating func removeAll(of client: ClientID) {
    for case .some(let attachment) in attachments where attachment.client == client {
      remove(attachment.id)
    }
  }

  /// Goes over to another layout; `place` says where a responder is in it. Those of responders that
  /// it no longer has must have been removed.
  mutating func move(to layout: Layout, _ place: (ResponderID) -> ResponderID?) {
    holders = [Int32](repeating: -1, count: layout.responderCount)
    for index in attachments.indices {
      guard let responder = attachments[index]?.responder, let new = place(responder) else {
        continue
      }
      attachments[index]?.responder = new
      holders[Int(new.rawValue)] = Int32(index)
    }
  }
}
