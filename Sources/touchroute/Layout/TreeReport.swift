import Layout
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

  /// By which right a property is what it is, and which program has set it. Rule L6.
  struct Setting: Encodable {
    /// `attachment`, `rule` or `control`.
    var by: String
    var name: String?
    var pid: Int32?
  }

  /// A view. What is nil it does not have, or nobody has to do with it.
  struct ViewReport: Encodable {
    /// The program that has added it.
    var added_by: ListedLayout.Program?
    var alpha: Double
    var application: String?
    var bounds_origin: [Double]
    var controller: String?
    var controller_holder: ListedLayout.Program?
    var exclusive_touch: Bool
    /// x, y, width and height, in the superview's coordinates.
    var frame: [Double]
    var hidden: Bool
    var hit: Form
    var holder: ListedLayout.Program?
    var inside: Form
    var interaction: Bool
    var level: Int?
    var multiple_touch: Bool
    /// Top, left, bottom and right, in points.
    var outset: [Double]
    var path: String
    /// Of a window.
    var screen: String?
    var secure: Bool
    var resizable: Bool?
    /// What is set, by the names of properties, and by whom.
    var set_by: [String: Setting]?
    var shape: Form
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

  /// The recognizers: of a configuration in its order, of the daemon by their views; nil where
  /// there are none.
  var gestures: [GestureReport]?
  var screens: [ScreenReport]
  /// In pre-order: windows from back to front, each before what it contains.
  var views: [ViewReport]
}

extension TreeReport {
  /// What is known of a layout.
  init(_ listed: ListedLayout) {
    let layout = listed.layout
    gestures = listed.gestures.isEmpty ? nil : listed.gestures.map(GestureReport.init)
    screens = layout.screens.map {
      ScreenReport(
        name: $0.name, rotation: $0.rotation.rawValue, size: [$0.size.width, $0.size.height])
    }
    views = layout.views.indices.map { index in
      var view = ViewReport(ViewIndex(Int32(index)), in: layout)
      if view.screen != nil { view.resizable = listed.resizable.contains(view.path) }
      if let standing = listed.standings?[index] { view.take(standing) }
      return view
    }
  }
}

extension TreeReport.ViewReport {
  fileprivate mutating func take(_ standing: ListedLayout.Standing) {
    added_by = standing.adder
    holder = standing.holder
    controller_holder = standing.controllerHolder
    guard !standing.settings.isEmpty else { return }
    set_by = Dictionary(
      standing.settings.map { item in
        let (name, pid) = (item.program?.name, item.program?.pid)
        return (
          item.property, TreeReport.Setting(by: "\(item.setter)", name: name, pid: pid)
        )
      }, uniquingKeysWith: { $1 })
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
