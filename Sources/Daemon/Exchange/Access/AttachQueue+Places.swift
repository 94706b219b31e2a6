import Layout
import Routing
import TouchModel

extension AttachQueue {
  /// Attachments by number, in their order. What it takes to find, add or remove one hardly grows
  /// with how many there are. Rule F1.
  struct Places {
    private var byID: [AttachmentID: Place] = [:]
    /// In the order in which their clients attached.
    private var order: [AttachmentID] = []
    private var byClient: [ClientID: Set<AttachmentID>] = [:]
    private var byPath: [String: Set<AttachmentID>] = [:]
    /// How many bytes their paths have, by client. Rule F5.
    private(set) var pathBytes = Charges<ClientID>()

    var isEmpty: Bool { order.isEmpty }

    var count: Int { order.count }

    /// All, in their order.
    var all: [Place] { order.compactMap { byID[$0] } }

    subscript(id: AttachmentID) -> Place? { byID[id] }

    func count(of client: ClientID) -> Int { byClient[client]?.count ?? 0 }

    /// Those of a client, in their order.
    func places(of client: ClientID) -> [Place] { inOrder(byClient[client]) }

    /// Those for a responder, in their order.
    func places(at path: String) -> [Place] { inOrder(byPath[path]) }

    /// The first behind another one; the first of all where that is nil.
    func next(after id: AttachmentID?) -> Place? {
      guard let id else { return order.first.flatMap { byID[$0] } }
      let index = index(of: AttachmentID(id.rawValue &+ 1))
      return index < order.count ? byID[order[index]] : nil
    }

    mutating func insert(_ place: Place) {
      remove(place.id)
      order.insert(place.id, at: index(of: place.id))
      byID[place.id] = place
      byClient[place.client, default: []].insert(place.id)
      byPath[place.request.path, default: []].insert(place.id)
      pathBytes.add(place.request.path.utf8.count, to: place.client)
    }

    @discardableResult
    mutating func remove(_ id: AttachmentID) -> Place? {
      guard let place = forget(id) else { return nil }
      order.remove(at: index(of: id))
      return place
    }

    mutating func removeAll(of client: ClientID) {
      guard let ids = byClient[client] else { return }
      for id in ids { _ = forget(id) }
      order.removeAll { ids.contains($0) }
    }

    private mutating func forget(_ id: AttachmentID) -> Place? {
      guard let place = byID.removeValue(forKey: id) else { return nil }
      byClient.remove(id, from: place.client)
      byPath.remove(id, from: place.request.path)
      pathBytes.add(-place.request.path.utf8.count, to: place.client)
      return place
    }

    private func inOrder(_ ids: Set<AttachmentID>?) -> [Place] {
      (ids ?? []).sorted { $0.rawValue < $1.rawValue }.compactMap { byID[$0] }
    }

    /// Where one of that number is, or would be.
    private func index(of id: AttachmentID) -> Int {
      order.indices.partitionPoint { order[$0].rawValue < id.rawValue }
    }
  }
}

extension Dictionary where Value == Set<AttachmentID> {
  /// Takes an attachment out of the set of a key.
  fileprivate mutating func remove(_ id: AttachmentID, from key: Key) {
    self[key]?.remove(id)
    if self[key]?.isEmpty == true { self[key] = nil }
  }
}
