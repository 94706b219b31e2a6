import CTouchroute
import Layout
import Testing
import TouchModel

@testable import Server

@Suite("Changes of views on the wire")
struct ChangesTests {
  /// A change and its path.
  private func change(_ property: UInt32, _ values: [Double], _ path: String) -> [UInt8] {
    var fixed = touchroute_change()
    fixed.property = property
    fixed.path_size = UInt32(path.utf8.count)
    withUnsafeMutableBytes(of: &fixed.values) { bytes in
      for (index, value) in values.enumerated() {
        bytes.storeBytes(of: value, toByteOffset: index * 8, as: Double.self)
      }
    }
    var bytes = withUnsafeBytes(of: fixed) { Array($0) } + Array(path.utf8)
    while bytes.count % 8 != 0 { bytes.append(0) }
    return bytes
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
    try world.turn { !world.changes.isEmpty }
    #expect(
      world.changes == [
        [
          [
            ViewChange("home", .hidden(true)), ViewChange("home/a", .alpha(0.5)),
            ViewChange("h", .interaction(false)),
            ViewChange("home/bb", .frame(Rect(x: 1, y: 2, width: 3, height: 4))),
            ViewChange("home", .boundsOrigin(Point(x: 6, y: 7))),
            ViewChange(
              "home", .transform(AffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6))),
            ViewChange("home", .order(3)), ViewChange("home", .configured),
          ]
        ]
      ])
  }

  @Test("the numbers of properties are the wire's, and every value is read again from its numbers")
  func numbers() throws {
    typealias Property = ViewChange.Property
    let wire = [
      TOUCHROUTE_PROPERTY_HIDDEN, TOUCHROUTE_PROPERTY_ALPHA, TOUCHROUTE_PROPERTY_INTERACTION,
      TOUCHROUTE_PROPERTY_FRAME, TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN, TOUCHROUTE_PROPERTY_TRANSFORM,
      TOUCHROUTE_PROPERTY_ORDER, TOUCHROUTE_PROPERTY_CONFIGURED,
    ]
    #expect(Property.Kind.allCases.map(\.rawValue) == wire.map(\.rawValue))
    for kind in Property.Kind.allCases {
      let values = (0..<kind.valueCount).map { Double($0 + 1) }
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
      (UInt32(1), [2.0], "hidden: 2.0 is neither 0 nor 1"),
      (3, [.nan], "interaction: nan is neither 0 nor 1"),
      (7, [1.5], "order: 1.5 is no place: they are whole numbers from 0"),
      (7, [-1], "order: -1.0 is no place: they are whole numbers from 0"),
      (7, [1e300], "order: 1e+300 is no place: they are whole numbers from 0"),
      (2, [0.5, 1], "alpha: the values that it does not have must be 0"),
      (8, [1], "configured: the values that it does not have must be 0"),
      (9, [], "there is no property 9"),
    ] {
      client.send(set(serial: 3, change(1, [1], "home"), change(property, values, "home/a")))
      let error = try world.message(for: client)
      #expect(error.load(touchroute_error.self).code == TOUCHROUTE_ERROR_INVALID.rawValue)
      #expect(error.errorText == "set: change 2, of \"home/a\": \(words)")
    }
    #expect(world.changes.isEmpty)
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
