import Configuration
import Gestures
import Layout
import TouchClient
import TouchModel

/// A layout as a line of JSON, wherever it comes from.
struct TreeReport: Encodable {
  /// A screen.
  struct ScreenReport: Encodable {
    var name: String
    /// In degrees clockwise.
    var rotation: UInt32
    /// Width and height, in points.
    var size: [Double]
  }

  /// A program that holds a responder.
  struct Holder: Encodable {
    var name: String?
    var pid: Int32
  }

  /// A view. What is nil is not known: of a configuration who holds it, of the daemon the rules by
  /// which it is hit.
  struct ViewReport: Encodable {
    var alpha: Double
    var application: String?
    var bounds_origin: [Double]
    var controller: String?
    var controller_holder: Holder?
    var exclusive_touch: Bool
    /// x, y, width and height, in the superview's coordinates.
    var frame: [Double]
    var hidden: Bool
    var hit: Form?
    var holder: Holder?
    var inside: Form?
    var interaction: Bool
    var level: Int?
    var multiple_touch: Bool
    /// Top, left, bottom and right, in points.
    var outset: [Double]?
    var path: String
    var screen: String?
    var secure: Bool
    var shape: Form?
    /// a, b, c, d, tx and ty.
    var transform: [Double]
  }

  /// A value as the configuration writes it: a word, or an object of one key.
  enum Form: Encodable {
    case word(String)
    case number(key: String, Double)
    case points(key: String, [[Double]])
    case names(key: String, [String])
    case name(key: String, String)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .word(let word): try container.encode(word)
      case .number(let key, let number): try container.encode([key: number])
      case .points(let key, let points): try container.encode([key: points])
      case .names(let key, let names): try container.encode([key: names])
      case .name(let key, let name): try container.encode([key: name])
      }
    }
  }

  /// The recognisers: of a configuration in its order, of the daemon by their views; nil where
  /// there are none.
  var gestures: [GestureReport]?
  var screens: [ScreenReport]
  /// In pre-order: windows from back to front, each before what it contains.
  var views: [ViewReport]
}

extension TreeReport {
  /// The layout in force.
  init(_ described: DescribedLayout) {
    screens = described.screens.map {
      ScreenReport(name: $0.name, rotation: $0.rotation, size: [$0.size.width, $0.size.height])
    }
    views = described.views.map { ViewReport($0, described.programs) }
    let reports = described.gestures.map { gesture in
      var report = GestureReport(RecognizerSpec(gesture))
      report.added_by = gesture.program.map { Holder(name: described.programs[$0], pid: $0) }
      return report
    }
    gestures = reports.isEmpty ? nil : reports
  }

  /// The layout of a configuration.
  init(_ configuration: Configuration) {
    let layout = configuration.layout
    let specs = configuration.gestures
    gestures = specs.isEmpty ? nil : specs.map(GestureReport.init)
    screens = layout.screens.map {
      ScreenReport(
        name: $0.name, rotation: $0.rotation.rawValue, size: [$0.size.width, $0.size.height])
    }
    views = layout.views.indices.map { ViewReport(ViewIndex(Int32($0)), in: layout) }
  }
}

extension TreeReport.ViewReport {
  fileprivate init(_ view: DescribedView, _ programs: [Int32: String]) {
    func holder(_ pid: Int32?) -> TreeReport.Holder? {
      pid.map { TreeReport.Holder(name: programs[$0], pid: $0) }
    }
    self.init(
      alpha: view.alpha, bounds_origin: [view.boundsOrigin.x, view.boundsOrigin.y],
      controller: view.controller.isEmpty ? nil : view.controller,
      controller_holder: holder(view.controllerHolder),
      exclusive_touch: view.flags.contains(.exclusiveTouch), frame: view.frame.numbers,
      hidden: view.flags.contains(.hidden), holder: holder(view.holder),
      interaction: !view.flags.contains(.noInteraction),
      multiple_touch: !view.flags.contains(.singleTouch), path: view.path,
      secure: view.flags.contains(.secure), transform: view.transform.numbers)
  }

  fileprivate init(_ index: ViewIndex, in layout: Layout) {
    let view = layout[index]
    let window = view.parent == nil ? layout.window(of: index) : nil
    let outset = layout.outset(of: index)
    self.init(
      alpha: view.alpha, application: window?.application.map { layout.applications[$0] },
      bounds_origin: [view.boundsOrigin.x, view.boundsOrigin.y],
      controller: layout.controller(of: index).map(layout.name(of:)),
      exclusive_touch: view.exclusiveTouch, frame: view.frame.numbers, hidden: view.isHidden,
      hit: layout.hitForm(of: index), inside: layout.insideForm(of: index),
      interaction: view.interaction, level: window?.level, multiple_touch: view.multipleTouch,
      outset: [outset.top, outset.left, outset.bottom, outset.right],
      path: layout.path(of: index),
      screen: window.map { layout.screens[Int($0.screen.rawValue)].name }, secure: view.isSecure,
      shape: layout.shapeForm(of: index), transform: layout.transform(of: index).numbers)
  }
}

extension Layout {
  fileprivate func shapeForm(of view: ViewIndex) -> TreeReport.Form {
    switch shape(of: view) {
    case .rect: .word("rect")
    case .ellipse: .word("ellipse")
    case .rounded(let radius): .number(key: "radius", radius)
    case .polygon(let points): .points(key: "polygon", points.map { [$0.x, $0.y] })
    }
  }

  fileprivate func insideForm(of view: ViewIndex) -> TreeReport.Form {
    switch insideRule(of: view) {
    case .bounds: .word("bounds")
    case .always: .word("always")
    case .never: .word("never")
    case .anyChild: .word("children")
    case .children(let views): .names(key: "children", views.map(name(of:)))
    }
  }

  fileprivate func hitForm(of view: ViewIndex) -> TreeReport.Form {
    // As the configuration has it: from the view on.
    func relative(_ descendant: ViewIndex) -> String {
      String(path(of: descendant).dropFirst(path(of: view).count + 1))
    }
    return switch hitRule(of: view) {
    case .standard: .word("default")
    case .itself: .word("self")
    case .none: .word("none")
    case .passThrough: .word("pass_through")
    case .redirect(let descendant): .name(key: "redirect", relative(descendant))
    case .first(let descendant): .name(key: "first", relative(descendant))
    }
  }
}

extension Rect {
  fileprivate var numbers: [Double] { [x, y, width, height] }
}

extension AffineTransform {
  fileprivate var numbers: [Double] { [a, b, c, d, tx, ty] }
}
