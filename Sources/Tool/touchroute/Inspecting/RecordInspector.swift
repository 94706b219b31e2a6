import InspectorLink
import TouchScripts

/// Answers pages that show a record, which they read by themselves.
final class RecordInspector {
  private let server: InspectorServer
  private var drawings = Drawings()

  init(_ settings: InspectorSettings) throws(Failure) { server = try InspectorServer(settings) }

  func run() -> Never {
    while true {
      _ = server.wait()
      while let message = server.next() {
        if let answer = answer(message) { server.send(answer) }
      }
      server.flush()
    }
  }

  private func answer(_ message: InspectorMessage) -> InspectorMessage? {
    switch message.kind {
    case .metrics, .input:
      return InspectorMessage(
        .refusal, message.number, "the page shows a record: there is no daemon to ask")
    default:
      return InspectorMessage.answer(to: message) { try drawings.answer(message) }
    }
  }
}

extension InspectorMessage {
  /// An answer; a refusal where there is none.
  static func answer(
    to message: InspectorMessage, _ make: () throws -> InspectorMessage?
  ) -> InspectorMessage? {
    do { return try make() } catch {
      let sentence =
        switch error {
        case let failure as Failure: failure.sentence
        case let error as ScriptError: error.sentence
        default: "\(error)"
        }
      return InspectorMessage(.refusal, message.number, sentence)
    }
  }
}
