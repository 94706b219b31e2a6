import Routing

/// Rule R2's line as plainly as it can be written: who asked to wait, in order of the numbers that
/// they were given.
struct OracleLine {
  /// An attachment that asked to wait.
  struct Place {
    let id: AttachmentID
    var client: ClientID
    let request: AttachRequest
  }

  /// Those in line.
  private(set) var places: [Place] = []
  /// Those that hold their responder for now.
  private var holding: [Place] = []

  mutating func stand(_ place: Place) {
    places = (places + [place]).sorted { $0.id.rawValue < $1.id.rawValue }
  }

  mutating func hold(_ place: Place) {
    places.removeAll { $0.id == place.id }
    holding.append(place)
  }

  /// Puts one that has lost its responder in line again; false where it never asked to wait.
  mutating func requeue(_ id: AttachmentID) -> Bool {
    guard let index = holding.firstIndex(where: { $0.id == id }) else { return false }
    stand(holding.remove(at: index))
    return true
  }

  /// Forgets one that holds its responder.
  mutating func forget(_ id: AttachmentID) { holding.removeAll { $0.id == id } }

  /// Takes one of a client out of line; false where it is not in it.
  mutating func remove(_ id: AttachmentID, of client: ClientID) -> Bool {
    let before = places.count
    places.removeAll { $0.id == id && $0.client == client }
    return places.count < before
  }

  /// Calls clients by other names.
  mutating func rename(_ names: [ClientID: ClientID]) {
    for index in places.indices {
      places[index].client = names[places[index].client] ?? places[index].client
    }
    for index in holding.indices {
      holding[index].client = names[holding[index].client] ?? holding[index].client
    }
  }

  mutating func leave(_ client: ClientID) {
    places.removeAll { $0.client == client }
    holding.removeAll { $0.client == client }
  }
}
