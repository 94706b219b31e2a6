import CTouchroute
import Layout
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("change_views on the wire")
struct ViewParsingTests {
  private static func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private static func padded(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    while bytes.count % 8 != 0 { bytes.append(0) }
    return bytes
  }

  private static func property(
    _ property: touchroute_property, _ values: [Double], words: String = "", points: [Double] = []
  ) -> [UInt8] {
    let head = touchroute_property_value(
      property: UInt16(property.rawValue), point_count: UInt16(points.count / 2),
      words_size: UInt16(words.utf8.count), value_count: UInt16(values.count))
    return bytes(head) + values.flatMap(bytes) + padded(words) + points.flatMap(bytes)
  }

  private static func step(
    _ kind: UInt32, _ path: String, controller: String = "", _ properties: [UInt8]...
  ) -> [UInt8] {
    let head = touchroute_view_step(
      kind: UInt16(kind), property_count: UInt16(properties.count),
      path_size: UInt16(path.utf8.count), controller_size: UInt16(controller.utf8.count))
    return bytes(head) + padded(path) + padded(controller) + properties.flatMap(\.self)
  }

  private static func message(_ steps: [UInt8]..., count: UInt32? = nil) -> [UInt8] {
    var fixed = touchroute_change_views()
    fixed.serial = 7
    fixed.attachment = 3
    fixed.step_count = count ?? UInt32(steps.count)
    var bytes = bytes(fixed) + steps.flatMap(\.self)
    RequestBytes.setHeader(
      &bytes, size: UInt32(bytes.count), opcode: UInt16(TOUCHROUTE_CHANGE_VIEWS.rawValue))
    return bytes
  }

  private static func parse(_ bytes: [UInt8]) throws(RequestError) -> ClientMessage {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return try ClientMessage(.changeViews, UnsafeRawBufferPointer(memory))
  }

  private static let add = TOUCHROUTE_STEP_ADD.rawValue
  private static let frame = property(TOUCHROUTE_PROPERTY_FRAME, [1, 2, 3, 4])

  @Test("views that are added, removed and changed are read as they are written (L7)")
  func steps() throws {
    let triangle: [Double] = [0, 0, 9, 0, 9, 9]
    let message = try Self.parse(
      Self.message(
        Self.step(
          Self.add, "row-1", controller: "pages", Self.frame,
          Self.property(TOUCHROUTE_PROPERTY_SHAPE, [3, 0], points: triangle),
          Self.property(TOUCHROUTE_PROPERTY_HIT, [4], words: "icon"),
          Self.property(TOUCHROUTE_PROPERTY_ORDER, [2])),
        Self.step(TOUCHROUTE_STEP_REMOVE.rawValue, "row-2/x"),
        Self.step(
          TOUCHROUTE_STEP_CHANGE.rawValue, "",
          Self.property(TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN, [0, 40]))))
    var view = ViewProperties(frame: FrameDescription(Rect(x: 1, y: 2, width: 3, height: 4)))
    view.controller = "pages"
    view.shape = .polygon([Point(x: 0, y: 0), Point(x: 9, y: 0), Point(x: 9, y: 9)])
    view.hit = .redirect("icon")
    #expect(message.serial == 7)
    #expect(
      message.body
        == .request(
          .changeViews(
            ViewsRequest(
              [
                .add("row-1", view, order: 2), .remove("row-2/x"),
                .change("", [.boundsOrigin(Point(x: 0, y: 40))]),
              ], through: AttachmentID(3)))))
  }

  @Test("what can't be is refused, and its step is named; what is broken ends the session (F4, L7)")
  func mistakes() {
    func error(_ bytes: [UInt8]) -> String {
      do throws(RequestError) {
        _ = try Self.parse(bytes)
        return "none"
      } catch { return (error.isFatal ? "fatal " : "") + error.text }
    }
    let row = Self.step(Self.add, "row", Self.frame)
    #expect(error(Self.message(row, Self.step(9, "x"))).hasSuffix("there is no kind of step 9"))
    #expect(
      error(Self.message(row, Self.step(Self.add, "x")))
        == "change_views: step 2, add of \"x\": a view that is added needs a frame")
    #expect(
      error(
        Self.message(
          Self.step(Self.add, "x", Self.frame, Self.property(TOUCHROUTE_PROPERTY_LEVEL, [1])))
      ).contains("step 1, add of \"x\": level is no property"))
    #expect(
      error(Self.message(Self.step(3, "x", Self.property(TOUCHROUTE_PROPERTY_HIDDEN, [0, 0]))))
        .contains("step 1, \"x\": hidden: its values are 1, not 2"))
    #expect(error(Self.message(Self.step(3, "x"))).contains("it changes nothing"))
    #expect(error(Self.message(Self.step(2, "x", Self.frame))).contains("has no properties"))
    #expect(
      error(Self.message(Self.step(3, "x", controller: "c", Self.frame))).contains("controller"))
    #expect(error(Self.message(count: 0)).hasPrefix("fatal change_views: it has no step"))
    #expect(error(Self.message(row, count: 2)).hasPrefix("fatal"))
    #expect(error(Self.message(row, row, count: 1)).hasPrefix("fatal"))
    #expect(error(Self.message(row, count: .max)).hasPrefix("fatal"))
    #expect(error(Self.message(Self.step(Self.add, "", Self.frame))).hasPrefix("fatal"))
    let long = String(repeating: "a", count: 3_080)
    #expect(error(Self.message(Self.step(Self.add, long, Self.frame))).contains("3080 bytes"))
    for size in stride(from: 24, to: Self.message(row).count, by: 8) {
      #expect(error(Array(Self.message(row).prefix(size))).hasPrefix("fatal"))
    }
  }

  @Test("only change_views may have 64 KiB, and the memory for it is there only meanwhile (F5)")
  func sizes() throws {
    let world = try World()
    let client = try world.greeted()
    let rows = (0..<900).map { Self.step(Self.add, "row-\($0)", Self.frame) }
    var fixed = touchroute_change_views()
    fixed.serial = 7
    fixed.step_count = 900
    var bytes = Self.bytes(fixed) + rows.flatMap(\.self)
    RequestBytes.setHeader(
      &bytes, size: UInt32(bytes.count), opcode: UInt16(TOUCHROUTE_CHANGE_VIEWS.rawValue))
    client.send(bytes + RequestBytes.plain(TOUCHROUTE_PING, serial: 8))
    try world.turnUntilIdle()
    guard case .changeViews(let request) = world.requests.first?.1 else {
      Issue.record("no change_views")
      return
    }
    #expect(request.steps.count == 900)
    #expect(try world.message(for: client).opcode == TOUCHROUTE_PONG.rawValue)
  }
}
