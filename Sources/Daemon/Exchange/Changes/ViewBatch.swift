import Layout
import Routing
import Server
import TouchModel
import Wire

/// The steps of a program as the layout's editor takes them, once it is known that the program may
/// make them. Rules L7 and F6.
struct ViewBatch {
  /// Why a batch can't be: of which step, from 0, and what is wrong.
  struct Refusal: Error {
    var code: Wire.ErrorCode
    var step: Int?
    var text: String
  }

  /// What is wrong with a batch that the program may ask for.
  enum Cause {
    /// The layout can't be so.
    case layout(LayoutEditor.Refusal)
    /// A limit, in words.
    case limit(String)
  }

  /// The layout in force and who may do what in it.
  struct Terms {
    let layout: Layout
    let policy: AccessPolicy
    let program: ConnectedProgram
    /// What that is called where it sets something by a rule's right.
    let number: UInt32
    /// Through which attachment the view of a path was added; of a batch that removes some.
    let adders: [String: AttachmentID]
    /// How deep views of a program may lie in the one that it holds.
    let depth: Int
  }

  /// What the editor is to do.
  private(set) var edits: [ViewEdit] = []
  /// For edits that add views in one that a rule is about, the view whose area these stay in. Rule
  /// L6.
  private(set) var areas: [Int: String] = [:]
  /// How many views come, and whether some go.
  private(set) var addedCount = 0
  private(set) var removes = false
  /// What it may cost a lookup that comes.
  private(set) var lookupCost = 0
  private let terms: Terms
  private let attachment: Attachment
  private let held: ViewIndex
  private let path: String
  /// For each edit the step that it is of.
  private var steps: [Int] = []
  /// Superviews at which the program may add.
  private var allowed: Set<Substring> = []
  private var ownAdditions: Set<String> = []

  /// - Parameter held: The view of the attachment.
  init(
    _ request: ViewsRequest, through attachment: Attachment, in held: ViewIndex, _ terms: Terms
  ) throws(Refusal) {
    self.terms = terms
    self.attachment = attachment
    self.held = held
    path = terms.layout.path(of: held)
    for (number, step) in request.steps.enumerated() {
      do throws(AccessPolicy.Refusal) { try take(step, number) } catch {
        throw Refusal(code: .notAllowed, step: number, text: error.text)
      }
    }
  }

  private mutating func take(
    _ step: ViewsRequest.Step, _ number: Int
  ) throws(AccessPolicy.Refusal) {
    switch step {
    case .add(let name, let properties, let order):
      let path = absolute(name)
      try checkAddition(of: properties, at: path, name)
      addedCount += 1
      ownAdditions.insert(path)
      lookupCost += properties.lookupCost
      areas[edits.count] = area(ofAdding: path)
      append(.add(LayoutDescription.View(path: path, properties: properties)), number)
      if let order { append(.change(ViewChange(path, .order(order))), number) }
    case .remove(let name):
      let path = absolute(name)
      if !ownAdditions.contains(path), let adder = terms.adders[path], adder != attachment.id {
        throw AccessPolicy.Refusal(text: "it was added through another attachment")
      }
      removes = true
      append(.remove(path), number)
    case .change(let name, let properties):
      let path = absolute(name)
      for property in properties {
        lookupCost += property.lookupCost
        append(try edit(ViewChange(path, property)), number)
      }
    }
  }

  private mutating func append(_ edit: ViewEdit, _ step: Int) {
    edits.append(edit)
    steps.append(step)
  }

  private func absolute(_ name: String) -> String { name.isEmpty ? path : path + "/" + name }

  // MARK: - Rights

  private mutating func checkAddition(
    of view: ViewProperties, at path: String, _ name: String
  ) throws(AccessPolicy.Refusal) {
    let depth = name.utf8.count { $0 == UInt8(ascii: "/") } + 1
    guard depth <= terms.depth else {
      throw AccessPolicy.Refusal(
        text: "it would lie \(depth) deep in \"\(self.path)\", beyond the limit of "
          + "\(terms.depth) (limits.depth_per_client)")
    }
    let superview = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    if !allowed.contains(superview) {
      let nearest = terms.layout.path(of: nearestView(to: superview))
      if let text = terms.policy.refusal(toAttachTo: nearest, by: terms.program) {
        throw AccessPolicy.Refusal(text: text)
      }
      allowed.insert(superview)
    }
    let window = terms.layout.window(of: held)
    if let text = terms.policy.refusal(toAdd: view, at: path, in: window, by: terms.program) {
      throw AccessPolicy.Refusal(text: text)
    }
  }

  /// The view of a path in the attachment's, or the nearest that is there in which it would lie.
  private func nearestView(to path: Substring) -> ViewIndex {
    var path = path
    while path.utf8.count > self.path.utf8.count {
      if let view = terms.layout.view(at: String(path)) { return view }
      path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    }
    return held
  }

  /// The view within whose area one stays that is added at a path; nil where that is its window's.
  private func area(ofAdding path: String) -> String? {
    guard terms.policy.isRuled(path) else { return nil }
    let names = Int(terms.policy.confinement(of: terms.program, at: path))
    let area = path.names(names)
    return names > 1 && area != path[...] ? String(area) : nil
  }

  /// A change, with the right by which it is made.
  private func edit(_ change: ViewChange) throws(AccessPolicy.Refusal) -> ViewEdit {
    guard !ownAdditions.contains(change.path) else {
      try checkOwn(change)
      return .change(change)
    }
    // What is not there is for the editor to say.
    switch try terms.policy.right(to: change, by: terms.program) {
    case .rule(let names): return .set(SetChange(change, by: .named(terms.number, within: names)))
    case .window(let window):
      return .set(SetChange(change, by: .attachment(window.rawValue), isRevocation: true))
    case .attachment, .control, nil: return .change(change)
    }
  }

  private func checkOwn(_ change: ViewChange) throws(AccessPolicy.Refusal) {
    var view = ViewProperties(frame: FrameDescription(.zero))
    view.take(change.property)
    let window = terms.layout.window(of: held)
    guard
      let text = terms.policy.refusal(toAdd: view, at: change.path, in: window, by: terms.program)
    else { return }
    throw AccessPolicy.Refusal(text: text)
  }

  // MARK: - Refusals

  /// Why a batch that the program may ask for is not in force, in its terms.
  func refusal(_ cause: Cause) -> Refusal {
    switch cause {
    case .limit(let text): Refusal(code: .limit, text: text)
    case .layout(let refusal):
      Refusal(
        code: refusal.code, step: refusal.change.map { steps[$0] }, text: refusal.message)
    }
  }
}
