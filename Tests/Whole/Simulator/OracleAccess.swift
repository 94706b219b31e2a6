import Routing
import Server

/// Who may attach to what, and change what, by rules R2, F6 and F7 as plainly as they can be
/// written.
struct OracleAccess {
  /// An `[[access]]`.
  struct Rule {
    var path: String
    var users: Set<UInt32>
    var groups: Set<UInt32>
  }

  let rules: [Rule]

  /// Whether the rule for a path names a user; nil where there is none. Root is always named.
  func isNamed(_ user: PeerCredentials, at path: String) -> Bool? {
    let rule = rules.filter { Self.contains($0.path, path) }
      .max { $0.path.utf8.count < $1.path.utf8.count }
    guard let rule else { return nil }
    let groups = Set(user.groups + [user.gid])
    return user.uid == 0 || rule.users.contains(user.uid) || !rule.groups.isDisjoint(with: groups)
  }

  /// Whether a responder is another one, or lies within it. Nothing lies within an application.
  private static func contains(_ outer: String, _ inner: String) -> Bool {
    inner == outer || inner.hasPrefix(outer + "/") || inner.hasPrefix(outer + "@")
  }

  /// Whether a program may attach to a responder that the layout has.
  ///
  /// - Parameter holdsWindow: Whether it is that program that holds the window of that name.
  func mayAttach(
    _ user: PeerCredentials, to path: String, in layout: OracleLayout,
    holdsWindow: (String) -> Bool
  ) -> Bool {
    if let isNamed = isNamed(user, at: path) { return isNamed }
    if user.uid == 0 { return true }
    if path.hasPrefix("app:") {
      return layout.windows(of: String(path.dropFirst(4))).allSatisfy { window in
        isNamed(user, at: window) ?? !layout.securePaths.contains(window)
      }
    }
    let view = String(path.prefix { $0 != "@" })
    let window = layout.window(of: view)
    if view == window { return !layout.securePaths.contains(window) }
    let isNearSecret = layout.securePaths.contains {
      $0 == view || view.hasPrefix($0 + "/") || $0.hasPrefix(view + "/")
    }
    return !isNearSecret || holdsWindow(window)
  }

  /// Whether a program may take over what another holds.
  func mayTakeOver(_ user: PeerCredentials, from holder: PeerCredentials) -> Bool {
    user.uid == 0 || user.uid == holder.uid
  }

  /// By which right a program may change a view; nil where it has none.
  ///
  /// - Parameter nearest: The nearest of its attachments up the view's chain.
  func right(
    of client: ClientID, _ user: PeerCredentials, toChange path: String,
    nearest: OracleAttachment?
  ) -> OracleSettings.Right? {
    if let isNamed = isNamed(user, at: path) {
      return isNamed ? .rule(client, user, within: names(user, path)) : nil
    }
    return nearest.map { .attachment($0.id) }
  }

  /// How many names the outermost view has that a user is named for, and for all between that and
  /// one: 0 where it is the window.
  func names(_ user: PeerCredentials, _ path: String) -> Int {
    let all = path.split(separator: "/").count
    let unnamed = (1..<max(all, 1)).last {
      isNamed(user, at: OracleSettings.names($0, of: path)) != true
    }
    return user.uid == 0 ? 0 : unnamed.map { $0 + 1 } ?? 0
  }
}
