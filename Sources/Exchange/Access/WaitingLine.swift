import Routing

/// The attachments that wait for a responder that another client holds, or that is not there, in
/// the order in which their clients attached. Rule R2.
struct WaitingLine {
  /// An attachment that asked to wait: in line, or holding its responder for now.
  struct Place {
    let id: AttachmentID
    let client: ClientID
    let request: AttachRequest
  }

  /// Those in line.
  private(set) var places: [Place] = []
  /// Those that hold their responder, and stand in line again where they lose it.
  private var holding: [AttachmentID: Place] = [:]

  /// How many of a client are in line.
  func count(of client: ClientID) -> Int { places.count { $0.client == client } }

  /// Those of a client that are in line.
  func places(of client: ClientID) -> [Place] { places.filter { $0.client == client } }

  /// Whether an attachment that holds its responder stands in line again where it loses it.
  func waits(_ id: AttachmentID) -> Bool { holding[id] != nil }

  /// Puts an attachment in line, in its order.
  mutating func stand(_ place: Place) {
    let index = places.firstIndex { $0.id.rawValue > place.id.rawValue } ?? places.count
    places.insert(place, at: index)
  }

  /// Takes note that an attachment holds its responder.
  mutating func hold(_ place: Place) {
    places.removeAll { $0.id == place.id }
    holding[place.id] = place
  }

  /// Puts an attachment in line again that has lost its responder; false where it never asked to
  /// wait.
  mutating func standAgain(_ id: AttachmentID) -> Bool {
    guard let place = holding.removeValue(forKey: id) else { return false }
    stand(place)
    return true
  }

  /// Takes an attachment out of line, or forgets that it would wait.
  mutating func leave(_ id: AttachmentID) {
    holding[id] = nil
    places.removeAll { $0.id == id }
  }

  /// Takes all of a client out of line.
  mutating func leave(_ client: ClientID) {
    places.removeAll { $0.client == client }
    holding = holding.filter { $0.value.client != client }
  }
}
