import CTouchroute
import Layout
import Routing
import TouchModel
import Server

/// Views that programs add, change and remove, and what becomes of them. Rule L7.
extension SimulatedWorld {
  /// What a step asks for: names that configured views have too, and one that none has.
  static func views(_ step: Step, through attachment: UInt32) -> ViewsRequest {
    let names = ["a", "b", "x", "a/b", "x/y", "b/x"]
    let name = names[step[3] % names.count]
    let number = step[4]
    var properties = ViewProperties(
      frame: FrameDescription(
        Rect(
          x: Double(number % 50), y: Double(number % 30), width: Double(30 + number),
          height: Double(20 + number % 40))))
    properties.secure = number % 11 == 0
    properties.hidden = number % 13 == 0
    properties.exclusiveTouch = number % 7 == 0
    properties.controller = number % 3 == 0 ? "c" : nil
    if number % 5 == 0 { properties.transform = ViewChange.Property.transforms[number / 5 % 4] }
    let order = number % 9 == 0 ? number % 4 : nil
    let add = ViewsRequest.Step.add(name, properties, order: order)
    let steps: [ViewsRequest.Step] =
      switch step[2] % 8 {
      case 0...3: [add]
      case 4: [.remove(name)]
      case 5: [.remove(name), add]
      case 6: [add, .change(name, [.alpha(0.005)]), .add(name + "/z", properties, order: nil)]
      default: [.change(name, [ViewChange.Property([0, 1, 2, 4, 9, 13, 14][number % 7], number)])]
      }
    return ViewsRequest(steps, through: AttachmentID(attachment))
  }

  /// Has the oracle carry out what a program asks for, after the daemon.
  func change(_ request: ViewsRequest, of program: Program, _ serial: UInt32) {
    let secrets = Set(oracle.layout.securePaths)
    if let code = refusal(of: request, by: program) {
      return program.stream.expect(.refused(serial: serial, code: code.rawValue))
    }
    _ = uncover()
    replaceLayout()
    program.stream.expect(.done(serial: serial, total: 0))
    keepSecureViews(notIn: secrets)
    followViews()
  }

  /// What follows from any change: what was set through attachments that have ended is taken back,
  /// and who waits for a responder that is free by now is given it. Rules L6 and R2.
  func followViews() {
    reviewAttachments()
    serveLine()
  }

  /// Why a program may not have that; where it may, it is in the settings.
  private func refusal(
    of request: ViewsRequest, by program: Program
  ) -> touchroute_error_code? {
    let held = oracle.holders.values.first {
      $0.id == request.attachment && $0.client == program.client
    }
    guard let held else { return TOUCHROUTE_ERROR_NOT_ATTACHED }
    if held.path.hasPrefix("app:") { return TOUCHROUTE_ERROR_NOT_ALLOWED }
    let base = String(held.path.prefix { $0 != "@" })
    var own: Set<String> = []
    for step in request.steps where !mayTake(step, below: base, held, program, &own) {
      return TOUCHROUTE_ERROR_NOT_ALLOWED
    }
    let before = settings
    let areas = Set(own.compactMap { area(ofAdding: $0, program) })
    let ways = Dictionary(
      request.steps.compactMap(\.changes).map { change in
        let path = base + "/" + change.name
        return (path, self.change(of: path, own, held, program))
      }
    ) { first, _ in first }
    let code = settings.take(
      request.steps, below: base, through: held.id, in: oracle.layout, changingBy: ways,
      within: areas)
    if let code { return code }
    guard takesFromSecure(request.steps, below: base, held) else { return nil }
    settings = before
    return TOUCHROUTE_ERROR_NOT_ALLOWED
  }

  /// Whether steps take touches from secure views of others, or take these away. Rule F7.
  private func takesFromSecure(
    _ steps: [ViewsRequest.Step], below base: String, _ held: OracleAttachment
  ) -> Bool {
    let setter = OracleSettings.Right.attachment(held.id)
    let hasOrders = settings.hasOrders
    var paths: [(path: String, mayReorder: Bool)] = []
    for step in steps {
      switch step {
      case .add(let name, _, let order):
        paths.append((base + "/" + name, hasOrders || order != nil))
      case .remove(let name):
        let path = base + "/" + name + "/"
        let secure = oracle.layout.layout.secureViews.map(oracle.layout.layout.path)
        if secure.contains(where: { ($0 + "/").hasPrefix(path) && isForeign(setter, $0) }) {
          return true
        }
        if hasOrders { paths.append((base + "/" + name, true)) }
      case .change(let name, let properties):
        let taking = properties.filter(\.mayTakeTouches)
        if taking.isEmpty { continue }
        paths.append((base + "/" + name, taking.contains(where: \.mayReorder)))
      }
    }
    return takesFromSecure(paths, by: setter)
  }

  /// By what a step changes a view that the program may change.
  private func change(
    of path: String, _ own: Set<String>, _ held: OracleAttachment, _ program: Program
  ) -> OracleSettings.Change {
    if own.contains(path) || !oracle.layout.hasView(path) {
      return .change(by: .attachment(held.id))
    }
    guard let right = right(of: program, toChange: path) else { return .revocation }
    return .change(by: right.isOfRule ? right : .attachment(held.id))
  }

  /// The view whose area is not exceeded by one that is added in it, where a rule is about it.
  private func area(ofAdding path: String, _ program: Program) -> String? {
    let access = settings.configured.access
    guard access.isNamed(program.user, at: path) != nil else { return nil }
    let names = access.names(program.user, path)
    let area = OracleSettings.names(names, of: path)
    return names > 1 && area != path ? area : nil
  }

  private func mayTake(
    _ step: ViewsRequest.Step, below base: String, _ held: OracleAttachment, _ program: Program,
    _ own: inout Set<String>
  ) -> Bool {
    switch step {
    case .add(let name, let properties, _):
      let path = base + "/" + name
      var nearest = OracleSettings.superview(of: path)
      while !oracle.layout.hasView(nearest) {
        nearest = OracleSettings.superview(of: nearest)
      }
      own.insert(path)
      return mayHold(nearest, program) && mayAdd(properties.secure, path, program)
    case .remove(let name):
      let path = base + "/" + name
      return own.contains(path) || (settings.adder(of: path) ?? held.id) == held.id
    case .change(let name, let properties):
      let path = base + "/" + name
      return properties.allSatisfy { property in
        if own.contains(path) { return mayAdd(property == .secure(true), path, program) }
        guard oracle.layout.hasView(path) else { return true }
        guard let right = right(of: program, toChange: path) else {
          return mayRevoke(program, ViewChange(path, property))
        }
        return right.isOfRule || mayHolder(program, set: ViewChange(path, property))
      }
    }
  }

  private func mayAdd(_ isSecure: Bool, _ path: String, _ program: Program) -> Bool {
    let access = settings.configured.access
    if let isNamed = access.isNamed(program.user, at: path) { return isNamed }
    let window = oracle.layout.window(of: path)
    return !isSecure || oracle.holders[window]?.client == program.client
  }
}
