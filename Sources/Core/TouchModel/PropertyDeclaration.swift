/// What is declared of a property, once for the configuration, the wire, the layout, the tool and
/// the documents.
package struct PropertyDeclaration: Sendable {
  /// What has it.
  package enum Owner: Sendable { case view, window, recognizer, all }

  /// What a change of it may do.
  package struct Effects: OptionSet, Sendable {
    /// One bit for each effect.
    package let rawValue: UInt8

    /// The effects of those bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The views may not be laid out with it though it is possible by itself: a subview's frame may
    /// depend on it, or a chain of transforms.
    package static let breaksLayout = Effects(rawValue: 1 << 0)
    /// The view, or what is in it, may take touches elsewhere.
    package static let extendsReach = Effects(rawValue: 1 << 1)
    /// The view, or what is in it, may take touches of others, or give them up.
    package static let takesTouches = Effects(rawValue: 1 << 2)
    /// Another view, or window, may be in front.
    package static let reorders = Effects(rawValue: 1 << 3)
  }

  /// A row of docs/configuration.md, in Markdown.
  package struct Key: Sendable {
    /// Its values, and what they mean.
    package let about: String
    /// The value of a view that does not say it.
    package let standard: String
    /// The key with a value, as config/touchroute.toml shows it.
    package let sample: String
    /// What stands behind it there.
    package let remark: String
  }

  /// Which property.
  package let kind: ViewChange.Property.Kind
  /// The configuration's key for it.
  package let name: String
  /// The kind of its value.
  package let form: PropertyForm
  /// What has it.
  package let owner: Owner
  /// What a change of it may do.
  package let effects: Effects
  /// The values that `touchroute set` takes.
  package let setting: String
  /// Its values on the wire, in the Markdown of docs/protocol.md.
  package let wire: String
  /// The key of `[[window]]` and `[[view]]`; nil if it is none of both.
  package let key: Key?

  init(
    _ kind: ViewChange.Property.Kind, _ name: String, _ form: PropertyForm, owner: Owner = .view,
    effects: Effects = [], set setting: String, wire: String, key about: String? = nil,
    standard: String = "", sample: String = "", remark: String = ""
  ) {
    self.kind = kind
    self.name = name
    self.form = form
    self.owner = owner
    self.effects = effects
    self.setting = setting
    self.wire = wire
    key = about.map {
      Key(about: $0, standard: standard, sample: sample, remark: remark)
    }
  }
}

/// The kind of a property's value, with what makes the property of a value.
package enum PropertyForm: Sendable {
  /// What is made.
  package typealias Property = ViewChange.Property
  /// Makes the property of a value.
  package typealias Maker<Value> = @Sendable (Value) -> Property

  /// On or off; what `tree` says of it where it is not as by default.
  case flag(String, Maker<Bool>)
  /// A number in a range.
  case number(ClosedRange<Double>, Maker<Double>)
  /// A whole number in a range.
  case whole(ClosedRange<Int>, Maker<Int>)
  /// x and y, and what `tree` calls them.
  case point(String, Maker<Point>)
  /// x, y, width and height.
  case rect(Maker<Rect>)
  /// Six numbers.
  case transform(Maker<AffineTransform>)
  /// Top, left, bottom and right.
  case outset(Maker<Outset>)
  /// A shape. Rule H4.
  case shape(Maker<Shape>)
  /// What replaces pointInside. Rule H5.
  case inside(Maker<InsideRule>)
  /// What replaces hitTest. Rule H6.
  case hit(Maker<HitRule>)
  /// A text.
  case text(TextRule, Maker<String>)
  /// It has no value.
  case nothing(Property)

  /// How many numbers its value is on the wire, beside words and points.
  package var valueCount: Int {
    switch self {
    case .flag, .number, .whole, .inside, .hit: 1
    case .point, .shape: 2
    case .rect, .outset: 4
    case .transform: 6
    case .text, .nothing: 0
    }
  }

  /// Whether words may go with its numbers on the wire.
  package var hasWords: Bool {
    switch self {
    case .inside, .hit, .text: true
    default: false
    }
  }
}

/// What a text must be that is a property's value. An empty one always may be.
package struct TextRule: Sendable {
  /// How many characters (Unicode's scalars) it may have.
  package let most: Int
  /// Whether it is a name as in a path (rule L5), and not a text for people.
  package let isName: Bool

  /// What is wrong with a text; nil if nothing is. One for people may have joiners, without which
  /// Persian and the scripts of India can't be written.
  package func problem(with text: String) -> String? {
    let count = text.unicodeScalars.count
    if count > most { return "it has \(count) characters, and \(most) is the most" }
    if isName {
      return text.utf8.allSatisfy(Self.isOfName)
        ? nil : "a name is made of letters, digits, \"_\", \".\" and \"-\""
    }
    let bad = text.unicodeScalars.first { !$0.isPrintable && !$0.isJoiner }
    guard let scalar = bad else { return nil }
    return "it must not have control or format characters but joiners, and has U+"
      + String(scalar.value, radix: 16, uppercase: true)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
  }
}

/// A property's value, whatever the property.
package enum PropertyValue: Equatable, Sendable {
  case flag(Bool)
  case number(Double)
  case whole(Int)
  case point(Point)
  case rect(Rect)
  case transform(AffineTransform)
  case outset(Outset)
  case shape(Shape)
  case inside(InsideRule)
  case hit(HitRule)
  case text(String)
  case nothing
}
