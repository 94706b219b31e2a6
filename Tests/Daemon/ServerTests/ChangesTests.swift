import CTouchroute
import Layout
import Testing
import TouchModel

@testable import Server

@Suite("Changes of views on the wire")
struct ChangesTests {
  /// A change, its path, words and points.
  private func change(
    _ property: UInt16, _ values: [Double], _ path: String, words: String = "",
    points: [Double] = []
  ) -> [UInt8] {
    var fixed = touchroute_change()
    fixed.property = property
    fixed.path_size = UInt16(path.utf8.count)
    fixed.words_size = UInt16(words.utf8.count)
    fixed.point_count = UInt16(points.count / 2)
    withUnsafeMutableBytes(of: &fixed.values) { bytes in
      for (index, value) in values.enumerated() {
        bytes.storeBytes(of: value, toByteOffset: index * 8, as: Double.self)
      }
    }
    var bytes = withUnsafeBytes(of: fixed) { Array($0) } + Array(path.utf8)
    while bytes.count % 8 != 0 { bytes.append(0) }
    bytes += Array(words.utf8)
    while bytes.count % 8 != 0 { bytes.append(0) }
    return bytes + points.withUnsafeBytes { Array($0) }
  }

  private func set(serial: UInt32, _ change: ArraySlice<UInt8>) -> [UInt8] {
    set(serial: serial, Array(change))
  }

  private func set(serial: UInt32, _ changes: [UInt8]..., count: UInt32? = nil) -> [UInt8] {
    var fixed = touchroute_set()
    fixed.serial = serial
    fixed.change_count = count ?? UInt32(changes.count)
    var bytes = withUnsafeBytes(of: fixed) { Array($0) } + changes.joined()
    RequestBytes.setHeader(
      &bytes, size: UInt32(bytes.count), opcode: UInt16(TOUCHROUTE_SET.rawValue))
    return bytes
  }

  @Test("every property is read with its values")
  func properties() throws {
    let world = try World()
    let client = try world.greeted()
    client.send(
      set(
        serial: 7, change(1, [1], "home"), change(2, [0.5], "home/a"), change(3, [0], "h"),
        change(4, [1, 2, 3, 4], "home/bb"), change(5, [6, 7], "home"),
        change(6, [1, 2, 3, 4, 5, 6], "home"), change(7, [3], "home"), change(8, [], "home")))
    client.send(
      set(
        serial: 8, change(9, [1, 2, 3, 4], "home"), change(10, [2, 5], "home"),
        change(10, [3, 0], "home/a", points: [0, 1, 2, 3, 4, 5]), change(11, [1], "home"),
        change(11, [3], "home", words: "a,bb"), change(12, [3], "home"),
        change(12, [4], "home", words: "a/b"), change(13, [1], "home"), change(14, [0], "home"),
        change(15, [1], "home"), change(16, [-7], "home"),
        change(18, [], "home", words: "Menü: back"), change(18, [], "home/a")))
    try world.turn { world.changes.joined().count == 2 }
    let corners = [Point(x: 0, y: 1), Point(x: 2, y: 3), Point(x: 4, y: 5)]
    #expect(
      world.changes.flatMap { $0 }.last == [
        ViewChange("home", .outset(Outset(top: 1, left: 2, bottom: 3, right: 4))),
        ViewChange("home", .shape(.rounded(radius: 5))),
        ViewChange("home/a", .shape(.polygon(corners))),
        ViewChange("home", .inside(.always)), ViewChange("home", .inside(.children(["a", "bb"]))),
        ViewChange("home", .hit(.passThrough)), ViewChange("home", .hit(.redirect("a/b"))),
        ViewChange("home", .secure(true)), ViewChange("home", .exclusiveTouch(false)),
        ViewChange("home", .multipleTouch(true)), ViewChange("home", .level(-7)),
        ViewChange("home", .label("Menü: back")), ViewChange("home/a", .label("")),
      ])
    #expect(
      world.changes.flatMap { $0 }.first == [
        ViewChange("home", .hidden(true)), ViewChange("home/a", .alpha(0.5)),
        ViewChange("h", .interaction(false)),
        ViewChange("home/bb", .frame(Rect(x: 1, y: 2, width: 3, height: 4))),
        ViewChange("home", .boundsOrigin(Point(x: 6, y: 7))),
        ViewChange(
          "home", .transform(AffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6))),
        ViewChange("home", .order(3)), ViewChange("home", .configured),
      ])
  }

  @Test("the numbers of properties are the wire's, and every value is read again from its numbers")
  func numbers() throws {
    typealias Property = ViewChange.Property
    let wire = [
      TOUCHROUTE_PROPERTY_HIDDEN, TOUCHROUTE_PROPERTY_ALPHA, TOUCHROUTE_PROPERTY_INTERACTION,
      TOUCHROUTE_PROPERTY_FRAME, TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN, TOUCHROUTE_PROPERTY_TRANSFORM,
      TOUCHROUTE_PROPERTY_ORDER, TOUCHROUTE_PROPERTY_CONFIGURED, TOUCHROUTE_PROPERTY_OUTSET,
      TOUCHROUTE_PROPERTY_SHAPE, TOUCHROUTE_PROPERTY_INSIDE, TOUCHROUTE_PROPERTY_HIT,
      TOUCHROUTE_PROPERTY_SECURE, TOUCHROUTE_PROPERTY_EXCLUSIVE_TOUCH,
      TOUCHROUTE_PROPERTY_MULTIPLE_TOUCH, TOUCHROUTE_PROPERTY_LEVEL, TOUCHROUTE_PROPERTY_ENABLED,
      TOUCHROUTE_PROPERTY_LABEL, TOUCHROUTE_PROPERTY_FEEDBACK,
    ]
    #expect(Property.Kind.allCases.map(\.rawValue) == wire.map(\.rawValue))
    for kind in Property.Kind.allCases {
      let values = kind == .shape ? [2, 9] : (0..<kind.valueCount).map { Double($0 + 1) }
      let property = try Property(kind, values)
      #expect(property.kind == kind && property.values == values)
      #expect(throws: Property.Mistake.self) { try Property(kind, values + [0]) }
    }
  }

  @Test("requests in a row come together, and before what follows them")
  func inARow() throws {
    let world = try World()
    let client = try world.greeted()
    let hide = change(1, [1], "home")
    client.send(
      set(serial: 1, hide) + set(serial: 2, hide) + RequestBytes.describe(serial: 3)
        + set(serial: 4, hide) + set(serial: 5, change(1, [2], "home")) + set(serial: 6, hide))
    var orders: [Int] = []
    world.onRequest = { _, _ in orders.append(world.changes.count) }
    try world.turn { world.changes.count == 3 }
    #expect(world.changes.map(\.count) == [2, 1, 1])
    #expect(orders == [1])
  }

  @Test("a value that none of its property can be is refused, with its change, path and property")
  func invalid() throws {
    let world = try World()
    let client = try world.greeted()
    for (property, values, words) in [
      (UInt16(1), [2.0], "hidden: 2.0 is neither 0 nor 1"),
      (3, [.nan], "interaction: nan is neither 0 nor 1"),
      (7, [1.5], "order: 1.5 is no whole number from 0 to 2147483647"),
      (7, [-1], "order: -1.0 is no whole number from 0 to 2147483647"),
      (7, [1e300], "order: 1e+300 is no whole number from 0 to 2147483647"),
      (2, [0.5, 1], "alpha: the values that it does not have must be 0"),
      (8, [1], "configured: the values that it does not have must be 0"),
      (16, [1_000_001], "level: 1000001.0 is no whole number from -1000000 to 1000000"),
      (13, [2], "secure: 2.0 is neither 0 nor 1"),
      (
        10, [4, 0],
        "shape: 4.0 with 0.0 is no shape: 0 is rect, 1 ellipse, 2 rounded with its radius, 3 a "
          + "polygon with its points"
      ),
      (11, [4], "inside: 4.0 is no rule: 0 is bounds, 1 always, 2 never, 3 children"),
      (
        12, [6],
        "hit: 6.0 is no rule: 0 is default, 1 self, 2 none, 3 pass_through, 4 redirect, 5 first"
      ),
      (12, [5], "hit: redirect and first need the path of a descendant"),
      (17, [2], "enabled: 2.0 is neither 0 nor 1"),
      (18, [1], "label: the values that it does not have must be 0"),
      (20, [], "there is no property 20"),
    ] {
      client.send(set(serial: 3, change(1, [1], "home"), change(property, values, "home/a")))
      let error = try world.message(for: client)
      #expect(error.load(touchroute_error.self).code == TOUCHROUTE_ERROR_INVALID.rawValue)
      #expect(error.errorText == "set: change 2, of \"home/a\": \(words)")
    }
    #expect(world.changes.isEmpty)
  }

  @Test("a label over 80 characters, or with a control or format character, is refused (L2)")
  func labels() throws {
    let world = try World()
    let client = try world.greeted()
    for (label, problem) in [
      (String(repeating: "ü", count: 81), "it has 81 characters, and 80 is the most"),
      ("a\nb", "it must not have control or format characters but joiners, and has U+A"),
      ("a\u{202e}b", "it must not have control or format characters but joiners, and has U+202E"),
      ("a\u{200b}b", "it must not have control or format characters but joiners, and has U+200B"),
    ] {
      client.send(set(serial: 3, change(18, [], "home", words: label)))
      let error = try world.message(for: client)
      #expect(error.load(touchroute_error.self).code == TOUCHROUTE_ERROR_INVALID.rawValue)
      #expect(error.errorText == "set: change 1, of \"home\": label: \(problem)")
    }
    client.send(set(serial: 4, change(18, [], "home", words: String(repeating: "ü", count: 80))))
    try world.turn { world.changes.joined().count == 1 }
    // Persian has a non-joiner within words, emoji are joined to one.
    client.send(set(serial: 5, change(18, [], "home", words: "می\u{200c}خواهم 👩\u{200d}🔧")))
    try world.turn { world.changes.joined().count == 2 }
  }

  @Test("a batch that is cut short, too long or empty breaks the protocol (F4)")
  func malformed() throws {
    let good = change(1, [1], "home")
    for (bytes, words) in [
      (set(serial: 3), "it has no change"),
      (set(serial: 3, good, count: 2), "where its contents need 136"),
      (set(serial: 3, good, [0, 0, 0, 0, 0, 0, 0, 0], count: 1), "where its contents need 80"),
      (set(serial: 3, good, count: .max), "where its contents need 136"),
      (set(serial: 3, change(1, [1], "")), "its path has 0 bytes"),
      (set(serial: 3, change(1, [1], "h\u{0}")), "zero byte"),
      (set(serial: 3, change(12, [4], "h", words: "a\u{0}")), "its words is not UTF-8"),
      (
        set(serial: 3, change(10, [3, 0], "h", points: [1, 2]).dropLast(16)),
        "where its contents need 96"
      ),
    ] {
      let world = try World()
      let client = try world.greeted()
      client.send(bytes)
      let error = try world.message(for: client)
      #expect(error.load(touchroute_error.self).code == TOUCHROUTE_ERROR_PROTOCOL.rawValue)
      #expect(error.errorText.contains(words), "\(error.errorText)")
    }
  }
}
