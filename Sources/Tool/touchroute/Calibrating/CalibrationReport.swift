import Examination
import LayoutDrawing
import TouchInput
import TouchModel

/// A calibration for people, and as a line of JSON.
struct CalibrationReport: Encodable {
  /// How far presses are from the crosses, in points of the screen.
  struct Distances: Encodable {
    var average: Double
    var most: Double

    init(_ distances: Calibration.Distances) {
      average = distances.rms.toTwoDecimals
      most = distances.most.toTwoDecimals
    }

    var words: String { "\(Text.number(average)) points on average, \(Text.number(most)) at most" }
  }

  var after: Distances
  var before: Distances
  var id: String
  /// What the configuration needs, line by line.
  var lines: [String]
  /// libinput's matrix that does the same.
  var matrix: [Double]
  var name: String
  var node: String
  /// `none`, `orientation` or `matrix`.
  var remedy: String
  /// The number of the `[[device]]` that the lines belong into, from 1; null for one of their own.
  var rule: Int?
  var screen: String
  private var sentence: String
  private var replaced: [String]

  private enum CodingKeys: CodingKey {
    case after, before, id, lines, matrix, name, node, remedy, rule, screen
  }

  init(_ calibration: Calibration, of target: CalibrationTarget) throws(Failure) {
    let keys = target.keys(calibration.remedy)
    after = Distances(calibration.after)
    before = Distances(calibration.before)
    id = target.device.id
    name = target.device.name
    node = target.device.node
    lines = try target.lines(keys)
    matrix = calibration.matrix
    rule = target.rule
    screen = target.screen.name
    sentence = keys.words
    replaced = keys.replaced
    remedy =
      switch calibration.remedy {
      case .none: "none"
      case .orientation: "orientation"
      case .matrix: "matrix"
      }
  }

  var words: [String] {
    let title = "\(name.isEmpty ? "a touchscreen" : name) (\(id)) on screen \(screen)"
    guard !lines.isEmpty else {
      return ["\(title): \(sentence): presses are off by \(before.words)"]
    }
    let others = replaced.joined(separator: ", ")
    let place =
      rule.map { "in [[device]] number \($0), in place of what it has of \(others)," }
      ?? "in the configuration"
    return [
      "\(title): presses are off by \(before.words)",
      "\(sentence). With this \(place) they are off by \(after.words):", "",
    ] + lines + [""]
  }
}
