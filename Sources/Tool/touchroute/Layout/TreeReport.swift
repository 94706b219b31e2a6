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

  /// A view: what it is, with each of its properties by the configuration's key.
  struct ViewReport: Encodable {
    /// What is nil it does not have, or nobody has to do with it.
    struct Standing: Encodable {
      /// The program that has added it.
      var added_by: ListedLayout.Program?
      var application: String?
      var controller: String?
      var controller_holder: ListedLayout.Program?
      var holder: ListedLayout.Program?
      var level: Int?
      var path: String
      /// Of a window.
      var screen: String?
      var resizable: Bool?
      /// What is set, by the names of properties, and by whom.
      var set_by: [String: Setting]?
    }

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { return nil }
    }

    var standing: Standing
    var properties: [ViewChange.Property]

    func encode(to encoder: any Encoder) throws {
      try standing.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      for property in properties {
        guard let form = Form(property.value) else { continue }
        try container.encode(form, forKey: Key(stringValue: property.name))
      }
    }
  }

  /// A value as the configuration writes it: a word, or an object of one key.
  enum Form: Encodable {
    case flag(Bool)
    case single(Double)
    case several([Double])
    case word(String)
    case number(key: String, Double)
    case points(key: String, [[Double]])
    case names(key: String, [String])
    case name(key: String, String)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .flag(let isOn): try container.encode(isOn)
      case .single(let number): try container.encode(number)
      case .several(let numbers): try container.encode(numbers)
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
      var view = ViewReport(ViewIndex(Int32(index)), listed.properties[index], in: layout)
      if view.standing.screen != nil {
        view.standing.resizable = listed.resizable.contains(view.standing.path)
      }
      if let standing = listed.standings?[index] { view.standing.take(standing) }
      return view
    }
  }
}

extension TreeReport.ViewReport {
  fileprivate init(_ index: ViewIndex, _ properties: ViewProperties, in layout: Layout) {
    let window = layout[index].parent == nil ? layout.window(of: index) : nil
    standing = Standing(
      application: window?.application.map { layout.applications[$0] },
      controller: properties.controller, level: window?.level, path: layout.path(of: index),
      screen: window.map { layout.screens[Int($0.screen.rawValue)].name })
    self.properties = ViewChange.Property.Kind.declared.compactMap { kind in
      // The configuration's may depend on the superview.
      kind == .frame ? .frame(layout[index].frame) : properties.property(kind)
    }
  }
}

extension TreeReport.ViewReport.Standing {
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
}

extension TreeReport.Form {
  /// Nil where there is nothing to be said.
  fileprivate init?(_ value: PropertyValue) {
    switch value {
    case .flag(let value): self = .flag(value)
    case .number(let value): self = .single(value)
    case .whole(let value): self = .single(Double(value))
    case .point(let value): self = .several([value.x, value.y])
    case .rect(let value): self = .several([value.x, value.y, value.width, value.height])
    case .transform(let value):
      self = .several([value.a, value.b, value.c, value.d, value.tx, value.ty])
    case .outset(let value):
      self = .several([value.top, value.left, value.bottom, value.right])
    case .shape(let value): self.init(value)
    case .inside(let value): self.init(value)
    case .hit(let value): self.init(value)
    case .text(let text):
      if text.isEmpty { return nil }
      self = .word(text)
    case .nothing: return nil
    }
  }

  private init(_ shape: Shape) {
    switch shape {
    case .rect: self = .word("rect")
    case .ellipse: self = .word("ellipse")
    case .rounded(let radius): self = .number(key: "radius", radius)
    case .polygon(let points): self = .points(key: "polygon", points.map { [$0.x, $0.y] })
    }
  }

  private init(_ rule: InsideRule) {
    switch rule {
    case .bounds: self = .word("bounds")
    case .always: self = .word("always")
    case .never: self = .word("never")
    case .children([]): self = .word("children")
    case .children(let names): self = .names(key: "children", names)
    }
  }

  private init(_ rule: HitRule) {
    switch rule {
    case .standard: self = .word("default")
    case .itself: self = .word("self")
    case .none: self = .word("none")
    case .passThrough: self = .word("pass_through")
    case .redirect(let path): self = .name(key: "redirect", path)
    case .first(let path): self = .name(key: "first", path)
    }
  }
}
