import CTouchroute
import Layout
import Routing
import TouchModel
import Server

/// What adversaries do beside what every program does: within their rights as badly as they can,
/// and beyond them. The oracle goes on as if nothing were the matter.
extension SimulatedWorld {
  func doMischief(_ step: Step, _ program: Program) {
    let path = RandomLayout.paths[step[1] % RandomLayout.paths.count]
    switch step.kind {
    case .half: program.cutNext(at: step[1]) { program.attach(Self.request(step[2])) }
    case .cutOff:
      program.cutNext(at: step[1]) { program.attach(Self.request(step[2])) }
      program.hangUp()
    case .hoard:
      for place in 0..<step[2] { program.attach(Self.request(step[1] + place)) }
    case .storm:
      for number in 0..<step[4] {
        program.set(ViewChange(path, ViewChange.Property(step[2], step[3] + number)))
      }
    case .spoil: spoil(path, step[2], program)
    case .trespass: program.trespass(step[1])
    case .filch: filch(step, program)
    default: break
    }
  }

  /// Asks for all of a responder's touches, whoever has it.
  private static func request(_ path: Int) -> AttachRequest {
    AttachRequest(
      path: RandomLayout.paths[path % RandomLayout.paths.count], handles: .all,
      passes: [], takesOver: true, wantsHistory: path % 2 == 0)
  }

  /// Sets what no view can be, or what is not for programs.
  private func spoil(_ path: String, _ which: Int, _ program: Program) {
    let property: ViewChange.Property
    switch which % 4 {
    case 0: property = .alpha(7)
    case 1: property = .frame(Rect(x: 0, y: 0, width: .infinity, height: 1))
    case 2: property = .transform(AffineTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0))
    default:
      let window = oracle.layout.window(of: path)
      return program.set(ViewChange(window, .order(7)))
    }
    program.set(ViewChange(path, property))
  }

  /// Decides about the touches of another program, or ends an attachment of it.
  private func filch(_ step: Step, _ program: Program) {
    guard let other = programs[step[1] % Step.programs], other !== program else { return }
    if step[3] % 3 == 2 {
      guard !other.attachments.isEmpty else { return }
      return program.detach(other.attachments[step[2] % other.attachments.count])
    }
    guard !other.begun.isEmpty else { return }
    let (touch, attachment) = other.begun[step[2] % other.begun.count]
    program.decide(
      step[3] % 3 == 0 ? TOUCHROUTE_ACCEPT : TOUCHROUTE_DECLINE, touch, attachment)
  }
}
