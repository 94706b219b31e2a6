import Configuration
import Layout
import Routing
import TouchModel

/// Who may attach to which responder, and who may change which view: by the configuration's rules,
/// the layout in force and who holds what. Rules F6 and F7. An object, as changes of the layout
/// carry it along.
final class AccessPolicy: Sendable {
  /// What lets a program change a view.
  enum Right: Equatable {
    /// It is on the control socket.
    case control
    /// A rule names it for the view, and for all that this lies in up to the view whose path has
    /// that many names of the path: the view stays within the area of that one. With 0 a rule names
    /// it for the window.
    case rule(within: UInt16)
    /// It holds the view or what the view lies in: the nearest of its attachments up the chain.
    case attachment(AttachmentID)
    /// It holds the window, and takes back what programs have set there that a rule names.
    case window(AttachmentID)
  }

  /// Why a program may not do what it asks for.
  struct Refusal: Error, Equatable {
    let text: String
  }

  let configuration: Configuration
  let layout: Layout
  let attachments: AttachmentTable

  /// The policy of a configuration.
  ///
  /// - Parameters:
  ///   - layout: The one in force.
  ///   - attachments: Who holds a responder of it.
  init(_ configuration: Configuration, layout: Layout, _ attachments: AttachmentTable) {
    self.configuration = configuration
    self.layout = layout
    self.attachments = attachments
  }

  private func holder(_ responder: ResponderID) -> Attachment? { attachments[holderOf: responder] }

  /// Whether a rule for a path names a user.
  func isNamed(_ user: UInt32, _ groups: [UInt32], for path: String) -> Bool {
    configuration.accessRule(for: path)?.allows(user: user, groups: groups) ?? false
  }

  /// Whether a rule is about a path.
  func isRuled(_ path: String) -> Bool { configuration.accessRule(for: path) != nil }

  // MARK: - Attaching

  /// Why a program may not hold the responder of a path; nil where it may, and where there is no
  /// such responder.
  func refusal(toAttachTo path: String, by program: ConnectedProgram) -> String? {
    guard !program.isControl, let responder = layout.responder(at: path) else { return nil }
    if let rule = configuration.accessRule(for: path) {
      guard !rule.allows(user: program.user, groups: program.groups) else { return nil }
      return "\"\(path)\"" + excluded(by: rule, program)
    }
    switch layout.kind(of: responder) {
    case .application(let application):
      return refusal(toAttachToApplication: application, path, by: program)
    case .view(let view), .controller(let view):
      return refusal(toAttachToSecure: view, path, by: program)
    }
  }

  /// An application gets the touches that its windows leave: without a rule of its own it is for
  /// those who may have each of them.
  private func refusal(
    toAttachToApplication application: Int, _ path: String, by program: ConnectedProgram
  ) -> String? {
    for window in layout.windows where window.application == application {
      let beginning = "\"\(path)\" gets the touches that \"\(window.name)\" leaves, which"
      if let rule = configuration.accessRule(for: window.name) {
        if rule.allows(user: program.user, groups: program.groups) { continue }
        return beginning + excluded(by: rule, program)
          + "; a rule for \"\(path)\" itself says otherwise"
      }
      if layout[window.root].isSecure, program.user != 0 {
        return beginning + " is secure: it is for root and for users that an [[access]] rule for "
          + "\"\(path)\" names; this is " + program.name
      }
    }
    return nil
  }

  /// Touches of a secure view, and what it leaves of them up to its window, are for who holds the
  /// window. Nobody but root may hold a secure window that no rule is about.
  private func refusal(
    toAttachToSecure view: ViewIndex, _ path: String, by program: ConnectedProgram
  ) -> String? {
    guard program.user != 0 else { return nil }
    let window = layout.window(of: view)
    if view == window.root {
      guard layout[view].isSecure else { return nil }
      return "\"\(path)\" is secure: it is for root and for users that an [[access]] rule names; "
        + "this is " + program.name
    }
    guard let secure = layout.secureView(near: view),
      !attachments.holdsWindow(of: view, program.client, in: layout)
    else { return nil }
    let why =
      secure == view
      ? "is secure"
      : secure < view
        ? "lies in \"\(layout.path(of: secure))\", which is secure"
        : "contains \"\(layout.path(of: secure))\", which is secure"
    return "\"\(path)\" \(why): it is for the program that holds \"\(window.name)\", for root, and "
      + "for users that an [[access]] rule names; this is " + program.name
  }

  /// Whether what is secure may keep a client from a responder that it holds and rules let it hold.
  /// Where not, that costs no look at a path.
  func mayBeLost(_ responder: ResponderID, by client: ClientID) -> Bool {
    if layout.hasNoSecureView { return false }
    guard let view = layout.view(of: responder) else { return true }
    if layout[view].parent == nil, layout[view].isSecure { return true }
    return layout.secureView(near: view) != nil
      && !attachments.holdsWindow(of: view, client, in: layout)
  }

  /// Whether a program may have the touches of the secure view of a path: it holds its window, or
  /// may hold the view. Rules F7 and F8.
  func mayHave(_ path: String, _ program: ConnectedProgram) -> Bool {
    if program.isControl { return true }
    let window = layout.responder(at: String(path.prefix { $0 != "/" }))
    if let window, holder(window)?.client == program.client { return true }
    guard let rule = configuration.accessRule(for: path) else { return program.user == 0 }
    return rule.allows(user: program.user, groups: program.groups)
  }

  // MARK: - Adding

  /// Why a program may not add a view in one that it holds, by what it would be; nil where it may.
  /// That it may attach to the superview is to be known. Rules L7 and F6.
  ///
  /// - Parameter window: The one in which it would lie.
  func refusal(
    toAdd view: ViewProperties, at path: String, in window: Layout.Window,
    by program: ConnectedProgram
  ) -> String? {
    if program.isControl { return nil }
    if let rule = configuration.accessRule(for: path) {
      return rule.allows(user: program.user, groups: program.groups)
        ? nil : "\"\(path)\"" + excluded(by: rule, program)
    }
    guard view.secure, holder(ResponderID(window.root))?.client != program.client else {
      return nil
    }
    return "for a program that does not hold \"\(window.name)\", whether a view is secure is for "
      + "the control socket and for users that an [[access]] rule for \"\(path)\" names"
  }

  // MARK: - Changing

  /// What lets a program make a change; nil where there is no view of its path. That a window stays
  /// in its area is for the layout's editor to say. Whom a view is for, its recognizers are for.
  func right(to change: ViewChange, by program: ConnectedProgram) throws(Refusal) -> Right? {
    let path = change.path
    if let screen = change.recognizerOwner, screen.hasPrefix("screen:"), !program.isControl {
      throw Refusal(text: "a screen's gestures are for the control socket")
    }
    guard let view = layout.view(at: change.recognizerOwner ?? path) else { return nil }
    if program.isControl { return .control }
    if let rule = configuration.accessRule(for: path) {
      if rule.allows(user: program.user, groups: program.groups) {
        return .rule(within: confinement(of: program, at: path))
      }
      if change.property == .configured, let window = window(of: view, heldBy: program) {
        return .window(window)
      }
      throw Refusal(text: "it" + excluded(by: rule, program))
    }
    let right = try holdersRight(toChange: view, by: program)
    if let what = matter(ofMoreThanAHolder: change.property, view, by: program) {
      throw Refusal(
        text: "\(what) is for the control socket and for users that an [[access]] rule for "
          + "\"\(path)\" names")
    }
    return right
  }

  /// So many of the first names of a path are the view within whose area a program stays that a
  /// rule names for the path; 0 where one names it for all that this lies in, up to the window.
  /// Rule L6.
  func confinement(of program: ConnectedProgram, at path: String) -> UInt16 {
    if program.user == 0 { return 0 }
    var path = path[...]
    while let end = path.lastIndex(of: "/") {
      guard let rule = configuration.accessRule(for: String(path[..<end])),
        rule.allows(user: program.user, groups: program.groups)
      else { return UInt16(path.count { $0 == "/" } + 1) }
      path = path[..<end]
    }
    return 0
  }

  /// A program's attachment to the window of a view; nil where it has none.
  private func window(of view: ViewIndex, heldBy program: ConnectedProgram) -> AttachmentID? {
    let holder = holder(ResponderID(layout.window(of: view).root))
    return holder?.client == program.client ? holder?.id : nil
  }

  /// What of a change an attachment gives no right to; nil where it does. Rules L6 and F6.
  private func matter(
    ofMoreThanAHolder property: ViewChange.Property, _ view: ViewIndex,
    by program: ConnectedProgram
  ) -> String? {
    let window = layout.window(of: view)
    let isWindow = view == window.root
    switch property.kind {
    case .order: return isWindow ? "the order of windows" : nil
    case .level: return isWindow ? "the level of windows" : nil
    case .secure:
      if isWindow { return "whether a window is secure" }
      if holder(ResponderID(window.root))?.client == program.client { return nil }
      return "for a program that does not hold \"\(window.name)\", whether it is secure"
    default: return nil
    }
  }

  private func holdersRight(
    toChange view: ViewIndex, by program: ConnectedProgram
  ) throws(Refusal) -> Right {
    for responder in layout.chain(of: view) {
      guard let attachment = holder(responder), attachment.client == program.client else {
        continue
      }
      if case .application = layout.kind(of: responder) {
        try checkNobodyElseHolds(layout.window(of: view), program)
      }
      return .attachment(attachment.id)
    }
    throw Refusal(
      text:
        "this client holds neither that nor what it lies in, and no rule names it; attach first, "
        + "or use the control socket")
  }

  /// Whether an attachment is of an application, and another client holds the window of the view or
  /// recognizer of a path: then it gives no right there, whatever else its client holds. Rule F7.
  func isOutranked(_ attachment: Attachment, at path: String) -> Bool {
    let owner = ViewChange(path, .configured).recognizerOwner ?? path
    guard case .application = layout.kind(of: attachment.responder),
      let view = layout.view(at: owner),
      let other = holder(ResponderID(layout.window(of: view).root))
    else { return false }
    return other.client != attachment.client
  }

  /// An application gives a right over those of its windows that no other client holds. Rule F7.
  private func checkNobodyElseHolds(
    _ window: Layout.Window, _ program: ConnectedProgram
  ) throws(Refusal) {
    guard let other = holder(ResponderID(window.root)), other.client != program.client else {
      return
    }
    throw Refusal(
      text: "another client holds \"\(window.name)\", and the application gives no right over a "
        + "window that is held; a rule that names this program for it would")
  }

  private func excluded(by rule: AccessRule, _ program: ConnectedProgram) -> String {
    " is for \(rule.grantees), by the rule at \(rule.location); this is \(program.name)"
  }
}
