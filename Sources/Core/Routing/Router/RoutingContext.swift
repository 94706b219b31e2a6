import Layout
import TouchModel

/// What the router routes by: the layout in force, who holds what of it, and who reads.
///
/// The router alone changes it. Touches and recognizers read it.
struct RoutingContext: ~Copyable {
  /// The layout in force.
  private(set) var layout: Layout
  /// Who holds what.
  var attachments: AttachmentTable
  /// The clients that get nothing new for now. Rule F3.
  private(set) var unresponsive: Set<ClientID> = []
  /// Who may learn of touches on secure views. Rule F8.
  var readers = SecureReaders()

  /// A layout that no client holds anything of.
  init(_ layout: Layout) {
    self.layout = layout
    attachments = AttachmentTable(layout)
  }

  /// Walks up the chain of a view, as things are now. Rule R4.
  @inline(__always)
  func followChain(of target: ViewIndex, by walk: inout ChainWalk) {
    walk.follow(
      target, in: layout, attachments, without: unresponsive,
      secure: readers.target(target, in: layout))
  }

  /// A touch's target where that is in a secure view, with who may learn of it. Rule F8.
  func secureTarget(_ view: ViewIndex?) -> SecureTarget? {
    view.flatMap { readers.target($0, in: layout) }
  }

  /// Whether a touch on a view is in a secure one. Rule F7.
  func isSecure(_ view: ViewIndex?) -> Bool {
    view.map { layout.secureRoot(of: $0) != nil } ?? false
  }

  /// Takes note that a client reads nothing. Returns whether that is new. Rule F3.
  mutating func addUnresponsive(_ client: ClientID) -> Bool {
    unresponsive.insert(client).inserted
  }

  /// Takes note that a client reads again. Rule F3.
  mutating func removeUnresponsive(_ client: ClientID) { unresponsive.remove(client) }

  /// Forgets a client that has disconnected.
  mutating func remove(_ client: ClientID) {
    attachments.removeAll(of: client)
    unresponsive.remove(client)
  }

  /// Goes over to another layout. The attachments that it ends must have been removed.
  mutating func move(by change: LayoutChange) {
    attachments.move(by: change)
    layout = change.new
  }
}
