import Routing

/// The attachments that wait for a responder that another client holds, or that is not there, in
/// the order in which their clients attached. Rule R2.
final class AttachQueue {
  /// An attachment that asked to wait: in line, or holding its responder for now.
  struct Place {
    let id: AttachmentID
    let client: ClientID
    let request: AttachRequest
  }

  /// Those in line.
  private(set) var places = Places()
  /// Those that hold their responder, and stand in line again where they lose it.
  private var holding = Places()

  /// How far the line is served.
  private struct Service {
    /// The last that was looked at; nil at the front.
    var last: AttachmentID?
    /// Whether it is served from the front once more.
    var isRepeated = false
  }

  /// Nil where nobody in line may be owed anything.
  private var service: Service?

  // MARK: - Serving

  /// Whether there are some in line who are yet to be looked at.
  var isBeingServed: Bool { service != nil }

  /// Begins to serve the line from the front; false where it is being served: then it is once more
  /// when that is done.
  func beginServing() -> Bool {
    serveOnceMore()
    guard service == nil else { return false }
    service = Service()
    return true
  }

  /// Has the line, where it is being served, be served from the front once more.
  func serveOnceMore() { service?.isRepeated = true }

  /// The next that may be given its responder; nil, and the line is no longer served, where there
  /// is none.
  func nextToServe() -> Place? {
    while let now = service {
      let place = places.next(after: now.last)
      service?.last = place?.id
      if let place { return place }
      service = now.isRepeated && !places.isEmpty ? Service() : nil
    }
    return nil
  }

  /// Those who wait for the responder of a path, where the line is being served: each of them comes
  /// before who asks for it now.
  func overdue(at path: String) -> [Place] {
    isBeingServed ? places.places(at: path) : []
  }

  // MARK: - Standing

  /// How many of a client are in line.
  func count(of client: ClientID) -> Int { places.count(of: client) }

  /// Those of a client that are in line.
  func places(of client: ClientID) -> [Place] { places.places(of: client) }

  /// Whether an attachment that holds its responder stands in line again where it loses it.
  func waits(_ id: AttachmentID) -> Bool { holding[id] != nil }

  /// Puts an attachment in line, in its order.
  func stand(_ place: Place) { places.insert(place) }

  /// Takes note that an attachment holds its responder.
  func hold(_ place: Place) {
    places.remove(place.id)
    holding.insert(place)
  }

  /// Puts an attachment in line again that has lost its responder; false where it never asked to
  /// wait.
  func requeue(_ id: AttachmentID) -> Bool {
    guard let place = holding.remove(id) else { return false }
    stand(place)
    return true
  }

  /// Takes an attachment out of line, or forgets that it would wait.
  func leave(_ id: AttachmentID) {
    holding.remove(id)
    places.remove(id)
  }

  /// Takes all of a client out of line.
  func leave(_ client: ClientID) {
    places.removeAll(of: client)
    holding.removeAll(of: client)
  }
}
