import CTouchroute
import Layout
import Routing
import TouchModel

@testable import Server

/// What programs have set of a view, as the oracle keeps it.
struct SetProperties {
  var hidden: Bool?
  var interaction: Bool?
  var frame: Rect?

  /// A property by two numbers.
  static func property(_ which: Int, _ number: Int) -> ViewChange.Property {
    switch which % 4 {
    case 0: .hidden(number % 2 == 1)
    case 1: .interaction(number % 2 == 1)
    case 2:
      .frame(
        Rect(
          x: Double(number % 60), y: Double(number % 40), width: Double(50 + number),
          height: Double(40 + number % 30)))
    default: .configured
    }
  }

  mutating func take(_ property: ViewChange.Property) {
    switch property {
    case .hidden(let isHidden): hidden = isHidden
    case .interaction(let isOn): interaction = isOn
    case .frame(let rect): frame = rect
    default: self = SetProperties()
    }
  }

  func apply(to properties: inout ViewProperties) {
    if let hidden { properties.hidden = hidden }
    if let interaction { properties.interaction = interaction }
    if let frame { properties.frame = FrameDescription(frame) }
  }
}

extension SimulatedWorld {
  /// Has the oracle carry out what programs set, after the daemon.
  func change(_ batches: [(token: RequestToken, changes: [ViewChange])]) {
    var answers: [(program: Program, item: ProgramStream.Item)] = []
    var isChanged = false
    for (token, changes) in batches {
      guard let program = program(token.client) else { continue }
      guard let serial = program.isHeard(.changes(changes)) else {
        return found("\(token.client) is heard setting \(changes), and did not")
      }
      if let code = refusal(of: changes, by: token.client) {
        answers.append((program, .refused(serial: serial, code: code.rawValue)))
        continue
      }
      answers.append((program, .done(serial: serial, total: 0)))
      for change in changes { overrides[change.path, default: .init()].take(change.property) }
      isChanged = true
    }
    if isChanged { replaceLayout() }
    for (program, item) in answers { program.stream.expect(item) }
  }

  private func refusal(
    of changes: [ViewChange], by client: ClientID
  ) -> touchroute_error_code? {
    for change in changes where oracle.layout.viewPaths.contains(change.path) {
      let isHeld = oracle.layout.chain(of: change.path).contains {
        oracle.holders[$0]?.client == client
      }
      if !isHeld { return TOUCHROUTE_ERROR_NOT_ALLOWED }
    }
    let isThere = changes.allSatisfy { oracle.layout.viewPaths.contains($0.path) }
    return isThere ? nil : TOUCHROUTE_ERROR_NO_RESPONDER
  }
}
