package import TouchModel

extension ViewChange.Property {
  /// Whether the views may not be laid out with it though it is possible by itself: a subview's
  /// frame may depend on it, or a chain of transforms.
  var mayBreakLayout: Bool { kind.effects.contains(.breaksLayout) }

  /// Whether a view, or what is in it, may take touches elsewhere with it.
  var extendsReach: Bool { kind.effects.contains(.extendsReach) }
}

extension ViewChange.Property.Kind {
  /// Whether a view, or what is in it, may with it take touches of others, or give them up.
  package var mayTakeTouches: Bool { effects.contains(.takesTouches) }

  /// Whether another view, or window, may be in front with it.
  package var mayReorder: Bool { effects.contains(.reorders) }
}

extension ViewChange.Property {
  /// Whether a view, or what is in it, may with it take touches of others, or give them up.
  package var mayTakeTouches: Bool { kind.mayTakeTouches }

  /// What is wrong with a property that only a window has, or a recognizer.
  func problem(ofWindow isWindow: Bool) -> String? {
    if kind == .enabled {
      return "only a gesture is enabled or not, by its path PATH#NAME; of a view it is interaction"
    }
    guard case .level(let level) = self else { return nil }
    if !isWindow { return "only a window has a level" }
    let levels = ViewChange.Property.levels
    return levels.contains(level)
      ? nil : "\(level) is not from \(levels.lowerBound) to \(levels.upperBound)"
  }
}

extension ViewChange.Property.Kind {
  /// Whether a setter has a say in it: holders have none in which window is before which. Rule L6.
  func isFor(_ setter: LayoutSetter, ofWindow isWindow: Bool) -> Bool {
    setter.isAboveHolders || !isWindow || self != .order && self != .level
  }
}

/// What was set of a window or view, or of a recognizer, over what is configured: of each property
/// what its setters have made of it, of whom the latest is in force.
package struct ViewOverrides: Equatable, Sendable {
  /// An index among siblings, and when it was set: of two that want one index, the later gets it.
  package struct Placement: Equatable, Sendable {
    var index: Int
    var number: UInt64
  }

  /// What one setter has made of one property.
  package struct Entry: Equatable, Sendable {
    /// Which property.
    package var kind: ViewChange.Property.Kind
    /// Nil where it is to be as configured, whatever others have set before.
    package var property: ViewChange.Property?
    /// Who has.
    package var setter: LayoutSetter
    /// Tells later ones from earlier ones.
    package var number: UInt64
  }

  /// Earlier ones first.
  package private(set) var entries: [Entry] = []

  /// Nothing is set.
  package init() {}

  /// Whether nothing is set.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds what each has to pay for what it has set, by a price for a property, or takes it away
  /// with the factor -1. The control socket's clients, whom a mode guards, pay nothing. Rule F5.
  package func charge(
    to charges: inout Charges<LayoutSetter>, times factor: Int,
    _ price: (ViewChange.Property?) -> Int
  ) {
    for entry in entries where !entry.setter.isAdministrator {
      charges.add(factor * price(entry.property), to: entry.setter)
    }
  }

  /// Takes a change in; `number` tells later ones from earlier ones.
  ///
  /// - Parameter isWindow: Whether it is of a window, in whose index among the others and level
  ///   holders have no say.
  package mutating func take(_ set: SetChange, number: UInt64, isWindow: Bool) {
    if set.isRevocation { return removeAll(where: \.setter.isNamed) }
    let property = set.change.property
    if property != .configured {
      remove(property.kind, by: set.setter)
      // A holder takes back what it has made secure, and no more than that.
      if property == .secure(false), !set.setter.isAboveHolders { return dropMasks() }
      entries.append(
        Entry(kind: property.kind, property: property, setter: set.setter, number: number))
    } else if set.setter.isAdministrator {
      entries.removeAll()
    } else {
      for kind in ViewChange.Property.Kind.allCases
      where kind.isFor(set.setter, ofWindow: isWindow) {
        remove(kind, by: set.setter)
        // What others keep secure stays that by a holder.
        guard kind != .secure || set.setter.isAboveHolders,
          entries.contains(where: { $0.kind == kind })
        else { continue }
        entries.append(Entry(kind: kind, property: nil, setter: set.setter, number: number))
      }
    }
  }

  /// Takes back what fulfils the condition.
  package mutating func removeAll(where isOver: (Entry) -> Bool) {
    entries.removeAll(where: isOver)
    dropMasks()
  }

  /// Forgets what is to be as configured where nothing else was set before.
  private mutating func dropMasks() {
    var seen: Set<ViewChange.Property.Kind> = []
    entries.removeAll { entry in
      if entry.property != nil { seen.insert(entry.kind) }
      return !seen.contains(entry.kind)
    }
  }

  private mutating func remove(_ kind: ViewChange.Property.Kind, by setter: LayoutSetter) {
    entries.removeAll { $0.kind == kind && $0.setter == setter }
  }

  /// The index among siblings, where one is set.
  var order: Placement? {
    guard let entry = entries.last(where: { $0.kind == .order }),
      case .order(let index) = entry.property
    else { return nil }
    return Placement(index: index, number: entry.number)
  }

  /// The window's level, where one is set.
  var level: Int? {
    guard let entry = entries.last(where: { $0.kind == .level }),
      case .level(let level) = entry.property
    else { return nil }
    return level
  }

  /// Whether a recognizer takes part, where that is set.
  package var enabled: Bool? {
    guard let entry = entries.last(where: { $0.kind == .enabled }),
      case .enabled(let isEnabled) = entry.property
    else { return nil }
    return isEnabled
  }

  /// The properties with what was set in place of what is configured.
  ///
  /// - Parameter isMeant: Whose settings are not left out.
  func applied(
    to configured: ViewProperties, where isMeant: (LayoutSetter) -> Bool = { _ in true }
  ) -> ViewProperties {
    var properties = configured
    for entry in entries where isMeant(entry.setter) {
      if let property = entry.property {
        properties.take(property)
      } else {
        properties.reset(entry.kind, to: configured)
      }
    }
    return properties
  }
}

extension ViewProperties {
  /// What is not as it is by default, but for its order and its controller; the frame in points.
  package var given: [ViewChange.Property] {
    let plain = ViewProperties(frame: frame)
    let frame = Rect(
      x: frame.x.points, y: frame.y.points, width: frame.width.points, height: frame.height.points)
    var given: [ViewChange.Property] = [.frame(frame)]
    for kind in ViewChange.Property.Kind.allCases where kind != .frame {
      guard let property = property(kind), property != plain.property(kind) else { continue }
      given.append(property)
    }
    return given
  }

  fileprivate mutating func reset(_ kind: ViewChange.Property.Kind, to other: ViewProperties) {
    // The frame's numbers may depend on the superview's size, which a property's can't.
    if kind == .frame {
      frame = other.frame
    } else if let property = other.property(kind) {
      take(property)
    }
  }
}
