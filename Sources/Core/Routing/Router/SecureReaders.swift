package import Layout
import TouchModel

/// Who may learn of touches on secure views: the client that holds the window, and whom a rule of
/// the configuration names for the view. Rule F8.
///
/// Touches, gestures and changes of views all ask here, so that there is one answer.
package struct SecureReaders {
  /// What the configuration says of a client and a path.
  package enum Claim {
    /// A rule names the client, or none is about the path and the client is root's.
    case named
    /// A rule is about the path and does not name the client.
    case excluded
    /// No rule is about the path.
    case unruled
  }

  /// What the configuration in force says of each client and the path of a view.
  private let claims: (String) -> (ClientID) -> Claim

  /// Readers by a configuration.
  ///
  /// - Parameter claims: Is asked while touches are routed: it must not route any. A path is looked
  ///   up once for a touch, a client once for each responder and recognizer of it.
  package init(_ claims: @escaping (String) -> (ClientID) -> Claim) { self.claims = claims }

  /// Readers where no rule names anybody.
  init() { claims = { _ in { _ in .unruled } } }

  /// A view that a touch hit, with who may learn of that; nil where it is in no secure view, and
  /// everybody may.
  func target(_ view: ViewIndex, in layout: Layout) -> SecureTarget? {
    guard layout.secureRoot(of: view) != nil else { return nil }
    return SecureTarget(view, claims(layout.path(of: view)))
  }
}

/// A view in a secure one that a touch hit, with who may learn of that. Rule F8.
struct SecureTarget {
  private let view: ViewIndex
  private let claim: (ClientID) -> SecureReaders.Claim

  fileprivate init(_ view: ViewIndex, _ claim: @escaping (ClientID) -> SecureReaders.Claim) {
    self.view = view
    self.claim = claim
  }

  /// Whether a client may learn of it.
  func mayRead(_ client: ClientID, in layout: Layout, _ attachments: AttachmentTable) -> Bool {
    switch claim(client) {
    case .named: return true
    case .excluded: return false
    case .unruled: return attachments.holdsWindow(of: view, client, in: layout)
    }
  }
}

extension AttachmentTable {
  /// Whether a client holds the window of a view, and by that may have its secure views. Rules F6
  /// and F8.
  package func holdsWindow(of view: ViewIndex, _ client: ClientID, in layout: Layout) -> Bool {
    let root = layout.window(of: view).root
    return self[holderOf: ResponderID(root)]?.client == client
  }
}
