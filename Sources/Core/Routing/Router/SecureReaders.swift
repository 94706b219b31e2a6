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

  /// What the configuration in force says of a client and the path of a view.
  private let claim: (ClientID, String) -> Claim

  /// Readers by a configuration.
  ///
  /// - Parameter claim: Is asked while touches are routed: it must not route any.
  package init(_ claim: @escaping (ClientID, String) -> Claim) { self.claim = claim }

  /// Readers where no rule names anybody.
  init() { claim = { _, _ in .unruled } }

  /// Whether a client may learn of a touch that hit a view.
  func mayRead(
    _ target: ViewIndex, _ client: ClientID, in layout: Layout, _ attachments: AttachmentTable
  ) -> Bool {
    guard layout.secureRoot(of: target) != nil else { return true }
    switch claim(client, layout.path(of: target)) {
    case .named: return true
    case .excluded: return false
    case .unruled: return attachments.holdsWindow(of: target, client, in: layout)
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
