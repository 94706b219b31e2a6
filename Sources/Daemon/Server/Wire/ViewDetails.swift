import CTouchroute
package import Layout
package import Routing
import TouchModel
import Wire

/// Who has made of a view what it is, as `describe` tells it. Rules L6 and L7.
package struct DescribedOrigin: Sendable {
  /// Who has set a property.
  package enum Setter: Equatable, Sendable {
    /// A client, through an attachment; nil where that is gone.
    case client(ClientID?)
    /// Somebody by an access rule's right.
    case rule
    /// Somebody over the control socket.
    case control
  }

  let isAdded: Bool
  let adder: ClientID?
  let isResizable: Bool
  /// Its texts for people, as configured or as it was added.
  let texts: [ViewChange.Property]
  let settings: [(property: ViewChange.Property, setter: Setter)]

  /// That of a configured view of which nothing is set.
  package static let configured = DescribedOrigin(
    isAdded: false, adder: nil, isResizable: false, texts: [], settings: [])

  private init(
    isAdded: Bool, adder: ClientID?, isResizable: Bool, texts: [ViewChange.Property],
    settings: [(property: ViewChange.Property, setter: Setter)]
  ) {
    self.isAdded = isAdded
    self.adder = adder
    self.isResizable = isResizable
    self.texts = texts
    self.settings = settings
  }

  /// What is known of a view, with the clients and rights that its setters stand for.
  package init(_ origin: ViewOrigin, _ setter: (LayoutSetter) -> Setter) {
    let adder: ClientID? =
      if case .client(let client)? = origin.adder.map(setter) { client } else { nil }
    self.init(
      isAdded: origin.adder != nil, adder: adder, isResizable: origin.isResizable,
      texts: origin.texts, settings: origin.settings.map { ($0.property, setter($0.setter)) })
  }
}

/// What there is to be said of a view beside `touchroute_view`: each as a message.
struct ViewDetails {
  private(set) var messages: [DescribedItem] = []
  /// The bytes of the messages, and as much for what was left out as it costs to look at it.
  private(set) var cost = 0

  /// The bytes of words and points of a property that are told: one that has more is left out.
  private static let longestProperty = 16_384

  /// - Parameters:
  ///   - number: The view's index among those described.
  ///   - pid: The process of a client.
  init(
    of view: ViewIndex, number: UInt32, in layout: Layout, _ origin: DescribedOrigin,
    serial: UInt32, pid: (ClientID) -> Int32
  ) {
    let window = layout[view].parent == nil ? layout.window(of: view) : nil
    let told = Self.properties(of: view, window, in: layout, origin)
    var flags: Wire.ViewDetailsFlags = []
    if origin.isAdded { flags.insert(.added) }
    if origin.isResizable { flags.insert(.resizable) }
    if told.contains(where: { $0.property == nil }) { flags.insert(.incomplete) }
    if window != nil || !flags.isEmpty {
      let application = window?.application.map { layout.applications[$0] } ?? ""
      var fixed = touchroute_view_details()
      fixed.serial = serial
      fixed.index = number
      fixed.screen = window.map { UInt32($0.screen.rawValue) } ?? TOUCHROUTE_NONE
      fixed.flags = flags.rawValue
      fixed.pid = origin.adder.map(pid) ?? 0
      fixed.application_size = UInt32(application.utf8.count)
      messages.append(.details(FixedMessage(TOUCHROUTE_VIEW_DETAILS, fixed, application)))
    }
    for (property, setter) in told {
      guard let property else {
        cost += Self.longestProperty
        continue
      }
      var fixed = touchroute_view_property()
      fixed.serial = serial
      fixed.index = number
      fixed.setter = Wire.Setter(setter).rawValue
      if case .client(let client?) = setter { fixed.pid = pid(client) }
      messages.append(.property(PropertyMessage(fixed, property)))
    }
    cost += messages.reduce(0) { $0 + $1.size }
  }

  /// Those that are set, and those that `touchroute_view` has no place for and that are not as by
  /// default; nil in place of one that is too long.
  private static func properties(
    of view: ViewIndex, _ window: Layout.Window?, in layout: Layout, _ origin: DescribedOrigin
  ) -> [(property: ViewChange.Property?, setter: DescribedOrigin.Setter?)] {
    let isSet = Set(origin.settings.map(\.property.kind))
    let others =
      rules(of: view, in: layout) + (window.map { [.level($0.level)] } ?? []) + origin.texts
    return others.filter { property in
      property.map { !isSet.contains($0.kind) && $0 != .level(0) } ?? true
    }.map { ($0.flatMap(short), nil) } + origin.settings.map { (short($0.property), $0.setter) }
  }

  /// What is not by default of outset, shape, inside and hit.
  private static func rules(of view: ViewIndex, in layout: Layout) -> [ViewChange.Property?] {
    var rules: [ViewChange.Property?] = []
    let outset = layout.outset(of: view)
    if outset != .zero { rules.append(.outset(outset)) }
    let shape = layout.shape(of: view)
    if shape != .rect { rules.append(.shape(shape)) }
    let inside = layout.insideRule(of: view)
    if inside != .bounds {
      // Each name has a byte at least, and a comma behind it.
      let isLong = inside.nameCount > longestProperty / 2
      rules.append(isLong ? nil : .inside(inside.rule(in: layout)))
    }
    let hit = layout.hitRule(of: view)
    if hit != .standard { rules.append(.hit(hit.rule(of: view, in: layout))) }
    return rules
  }

  private static func short(_ property: ViewChange.Property) -> ViewChange.Property? {
    PropertyMessage.size(of: property) > longestProperty ? nil : property
  }
}

/// An item of the answer to `describe`: a view, or something that is told of one.
enum DescribedItem: OutgoingMessage {
  case view(FixedMessage<touchroute_view>)
  case details(FixedMessage<touchroute_view_details>)
  case property(PropertyMessage)

  var size: Int {
    switch self {
    case .view(let message): message.size
    case .details(let message): message.size
    case .property(let message): message.size
    }
  }

  func write(to start: UnsafeMutableRawPointer) {
    switch self {
    case .view(let message): message.write(to: start)
    case .details(let message): message.write(to: start)
    case .property(let message): message.write(to: start)
    }
  }
}

/// A property of a view, with its values, words and points.
struct PropertyMessage: OutgoingMessage {
  private let fixed: touchroute_view_property
  private let numbers: [Double]
  private let words: String
  private let points: [Point]

  init(_ fixed: touchroute_view_property, _ property: ViewChange.Property) {
    numbers = property.values
    words = property.words
    points = property.points
    var fixed = fixed
    fixed.value.property = UInt16(property.kind.rawValue)
    fixed.value.value_count = UInt16(numbers.count)
    fixed.value.words_size = UInt16(words.utf8.count)
    fixed.value.point_count = UInt16(points.count)
    self.fixed = fixed
  }

  /// The bytes of a property's words and points.
  static func size(of property: ViewChange.Property) -> Int {
    padded(property.words.utf8.count) + property.points.count * MemoryLayout<Double>.size * 2
  }

  var size: Int {
    MemoryLayout<touchroute_view_property>.size + padded(words.utf8.count)
      + (numbers.count + 2 * points.count) * MemoryLayout<Double>.size
  }

  func write(to start: UnsafeMutableRawPointer) {
    start.storeBytes(of: fixed, as: touchroute_view_property.self)
    start.storeBytes(
      of: touchroute_header(TOUCHROUTE_VIEW_PROPERTY, size: size), as: touchroute_header.self)
    var at = start + MemoryLayout<touchroute_view_property>.size
    func store(_ number: Double) {
      at.storeBytes(of: number, as: Double.self)
      at += MemoryLayout<Double>.size
    }
    for number in numbers { store(number) }
    at = at.store(words)
    for point in points {
      store(point.x)
      store(point.y)
    }
  }
}

extension Wire.Setter {
  fileprivate init(_ setter: DescribedOrigin.Setter?) {
    switch setter {
    case nil: self = .none
    case .client?: self = .attachment
    case .rule?: self = .rule
    case .control?: self = .control
    }
  }
}
