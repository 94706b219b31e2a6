import Layout
import LayoutDrawing
import TouchModel

/// A hit-test as data.
struct HitReport: Encodable {
  var screen: String
  var point: [Double]
  var target: String?
  var location: [Double]?
  var chain: [String]
  /// Those that would take the touch, where there are any. Rule G2.
  var gestures: [GestureReport]?
  var trace: [Step]?

  /// A call, or its result. Rule H9.
  struct Step: Encodable {
    var call: String
    var view: String
    var point: [Double]?
    var inside: Bool?
    var found: String?
  }

  init(
    _ answer: HitAnswer, _ gestures: [ListedLayout.Gesture], trace: HitTrace?, in layout: Layout
  ) {
    screen = answer.screen.name
    point = [answer.point.x, answer.point.y]
    target = answer.target
    location = answer.location.map { [$0.x, $0.y] }
    chain = answer.chain
    self.gestures =
      gestures.isEmpty
      ? nil
      : gestures.map { gesture in
        var report = GestureReport(gesture)
        report.takes_no_part = gesture.lack
        return report
      }
    self.trace = trace?.steps.map { step in
      switch step {
      case .hit(let view): Step(call: "hit", view: layout.path(of: view))
      case .inside(let view, let point, let answer):
        Step(
          call: "inside", view: layout.path(of: view), point: [point.x, point.y], inside: answer)
      case .result(let view, let found):
        Step(call: "result", view: layout.path(of: view), found: found.map(layout.path(of:)))
      }
    }
  }
}
