import Configuration
import Layout
import Routing
import Server
import TouchModel

/// What programs have set of the layout, and by which right each of it was set, and what of
/// recognisers. Rules L6 and F7.
///
/// What was set through an attachment goes with it; what was set by a rule's right goes when the
/// rule no longer gives it; what the control socket has set stays.
struct ViewSettings {
  /// Nil before anything was set.
  private var editor: LayoutEditor?
  /// The attachments through which something was set.
  private var attachments: [ClientID: Set<AttachmentID>] = [:]
  /// Those who have set something by a rule's right, numbered from 1.
  private var users: [Handover.User] = []

  /// The lasting setter that the control socket is.
  static let control: UInt32 = 0

  /// Whether nothing is set of views.
  var isEmpty: Bool { editor?.isEmpty ?? true }

  /// The layout with everything that is set; nil where nothing is.
  var layout: Layout? { editor?.layout }

  /// The views that programs have added, in the order in which they did.
  var added: [AddedView] { editor?.added ?? [] }

  /// Who has made of a view of the layout in force what it is; nil where nothing is set or added.
  func origin(of view: ViewIndex, in layout: Layout) -> ViewOrigin? {
    guard let editor, editor.layout.hasSameTree(as: layout) else { return nil }
    return ViewOrigin(of: view, in: editor)
  }

  /// Makes batches of changes, each whole or not at all: for each why it was refused.
  mutating func apply(
    _ batches: [[SetChange]], over configuration: Configuration
  ) -> [LayoutEditor.Refusal?] {
    edit(configuration) { $0.apply(batches) }
  }

  /// Has views come, go and change through an attachment, all of it or nothing; nothing too where
  /// the views that were added then are more than may be. Rule L7.
  mutating func apply(
    _ edits: [ViewEdit], through attachment: Attachment, over configuration: Configuration,
    within excess: ([AddedView]) -> String?
  ) -> ViewBatch.Cause? {
    attachments[attachment.client, default: []].insert(attachment.id)
    return edit(configuration) { editor in
      let before = editor
      if let refusal = editor.apply(edits, by: .passing(attachment.id.rawValue)) {
        return .layout(refusal)
      }
      guard let text = excess(editor.added) else { return nil }
      editor = before
      return .limit(text)
    }
  }

  /// Adds again what programs had added with the daemon before; the paths of what can't be.
  mutating func resume(_ views: [AddedView], over configuration: Configuration) -> [String] {
    edit(configuration) { $0.resume(views) }
  }

  private mutating func edit<Result>(
    _ configuration: Configuration, _ change: (inout LayoutEditor) -> Result
  ) -> Result {
    var now =
      editor
      ?? LayoutEditor(
        configuration.layout, of: configuration.layoutDescription,
        limits: configuration.limits.layout)
    // The only reference, so that nothing is copied that changes.
    editor = nil
    defer { editor = now }
    return change(&now)
  }

  /// Who a program is that changes something by a right.
  mutating func setter(_ right: AccessPolicy.Right, of program: ConnectedProgram)
    -> LayoutSetter
  {
    switch right {
    case .control: return .lasting(Self.control)
    case .attachment(let attachment):
      attachments[program.client, default: []].insert(attachment)
      return .passing(attachment.rawValue)
    case .rule:
      let user = Handover.User(user: program.user, groups: program.groups)
      if let index = users.firstIndex(of: user) { return .lasting(UInt32(index + 1)) }
      users.append(user)
      return .lasting(UInt32(users.count))
    }
  }

  // MARK: - Ends of rights

  /// Takes note that attachments have ended, of one client or all that it had.
  ///
  /// - Returns: Those through which something was set.
  mutating func forget(_ ended: [AttachmentID]? = nil, of client: ClientID) -> Set<AttachmentID> {
    guard let all = attachments[client] else { return [] }
    let over = ended.map { all.intersection($0) } ?? all
    let rest = all.subtracting(over)
    attachments[client] = rest.isEmpty ? nil : rest
    return over
  }

  /// Forgets the attachments that have ended for another reason than their client's wish.
  mutating func forget(where isOver: (AttachmentID) -> Bool) {
    for (client, ids) in attachments {
      let rest = ids.filter { !isOver($0) }
      attachments[client] = rest.isEmpty ? nil : rest
    }
  }

  /// Takes back what fulfils the condition, of which setter and path it is.
  ///
  /// - Returns: What else was dropped, since it is not possible without that.
  mutating func end(where isOver: (LayoutSetter, String) -> Bool) -> [String] {
    editor?.end(where: isOver) ?? []
  }

  /// Whether a setter's right to change the view or recogniser of a path is no more.
  ///
  /// - Parameters:
  ///   - rule: Whether a rule gives a user the right to change it.
  ///   - attachment: Whether an attachment is still there, and its client may change it through
  ///     that.
  func isOver(
    _ setter: LayoutSetter, _ path: String, rule: (Handover.User, String) -> Bool,
    attachment: (AttachmentID, String) -> Bool
  ) -> Bool {
    switch setter {
    case .lasting(Self.control): false
    case .lasting(let number):
      !users.indices.contains(Int(number) - 1) || !rule(users[Int(number) - 1], path)
    case .passing(let number): !attachment(AttachmentID(number), path)
    }
  }

  /// Goes over to another configuration.
  ///
  /// - Returns: The paths of which what was set is not possible there and was dropped.
  mutating func move(to configuration: Configuration) -> [String] {
    guard editor?.isEmpty == false else {
      // The others may stand for who has set something of recognisers.
      editor = nil
      return []
    }
    return editor?.move(
      to: configuration.layout, of: configuration.layoutDescription,
      limits: configuration.limits.layout) ?? []
  }

  // MARK: - Handover

  /// All that is set, for the next daemon.
  var handover: (users: [Handover.User], changes: [SetChange]) { (users, editor?.changes ?? []) }

  /// Takes note of what the daemon before has left, before it is set again.
  mutating func resume(_ users: [Handover.User]) { self.users = users }

  /// Takes note of whose the attachments are that the daemon before has left, where something was
  /// set or added through them.
  mutating func resume(_ all: [Attachment]) {
    let setters = (editor?.changes.map(\.setter) ?? []) + added.map(\.setter)
    let numbers = Set(
      setters.compactMap { setter in
        if case .passing(let number) = setter { number } else { nil }
      })
    for attachment in all where numbers.contains(attachment.id.rawValue) {
      attachments[attachment.client, default: []].insert(attachment.id)
    }
  }
}
