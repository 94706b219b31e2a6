import FoundationEssentials
import InspectorLink
import Layout
import LayoutDrawing
import TouchModel
import TouchScripts

/// The layouts that pages have had drawn, of which they then ask what a touch would hit.
struct Drawings {
  private struct Drawing: Encodable {
    var drawing: UInt32
    var svg: String
  }

  private struct Place: Decodable {
    var drawing: UInt32
    /// An index.
    var screen: Int
    var x: Double
    var y: Double
  }

  private var kept: [(number: UInt32, layout: ListedLayout)] = []
  private var last: UInt32 = 0
  /// So many layouts are kept.
  private static let most = 16

  /// Draws a layout, of JSON; the drawing and its number as JSON.
  mutating func draw(_ json: [UInt8]) throws -> String {
    let listed = ListedLayout(try PicturedLayout(json: Data(json)))
    let screens = listed.layout.screens.indices.map { ScreenIndex(Int32($0)) }
    let lines: [String]
    do throws(SVGDocument.TooManyViews) {
      lines = try SVGDocument(
        listed.layout, screens: screens, notes: listed.titles, zones: listed.zones
      ).lines
    } catch {
      throw Failure(
        "at most \(SVGDocument.maximumViews) views can be drawn, and there are \(error.count)")
    }
    last &+= 1
    kept.append((last, listed))
    if kept.count > Self.most { kept.removeFirst() }
    return try jsonLine(Drawing(drawing: last, svg: lines.joined(separator: "\n")))
  }

  /// What a touch at a point of a drawing would hit, as `hit-test --json` says it.
  func hit(_ json: [UInt8]) throws -> String {
    guard let place = try? JSONDecoder().decode(Place.self, from: Data(json)) else {
      throw Failure("a hit-test needs drawing, screen, x and y")
    }
    guard let listed = kept.first(where: { $0.number == place.drawing })?.layout else {
      throw Failure("that drawing is not kept any more: draw it again")
    }
    guard listed.layout.screens.indices.contains(place.screen), place.x.isFinite, place.y.isFinite
    else { throw Failure("there is no such place on the drawing's screens") }
    let (layout, screen) = (listed.layout, ScreenIndex(Int32(place.screen)))
    let point = Point(x: place.x, y: place.y)
    let isOnScreen = layout.bounds(of: screen).contains(point)
    let target = isOnScreen ? HitTester(layout).hitTest(point, on: screen) : nil
    let answer = HitAnswer(point, on: screen, target: target, isOnScreen: isOnScreen, in: layout)
    let gestures = isOnScreen ? listed.gestures(at: target, on: screen) : []
    return try jsonLine(HitReport(answer, gestures, trace: nil, in: layout))
  }
}

/// What pages ask for that is answered without a daemon.
extension Drawings {
  /// Answers a request; nil where it is not about a drawing.
  mutating func answer(_ message: InspectorMessage) throws -> InspectorMessage? {
    switch message.kind {
    case .draw: InspectorMessage(.json, message.number, try draw(message.body))
    case .hit: InspectorMessage(.json, message.number, try hit(message.body))
    default: nil
    }
  }
}
