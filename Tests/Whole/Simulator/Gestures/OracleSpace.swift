import Layout
import TouchModel

/// How a recognizer's view lies on the screen: turned, and scaled alike both ways. Rule G16.
struct OracleSpace {
  private let toView: AffineTransform
  private let bounds: Rect
  /// How long a point of the screen is in the view.
  private let scale: Double

  init(toView: AffineTransform, bounds: Rect) {
    self.toView = toView
    self.bounds = bounds
    scale = toView.determinant.magnitude.squareRoot()
  }

  /// That of a recognizer in a layout.
  init(of gesture: SimulatedGesture, in layout: Layout) {
    if let view = gesture.view.flatMap({ layout.view(at: $0) }) {
      self.init(toView: layout.screenTransform(of: view), bounds: layout.bounds(of: view))
    } else {
      self.init(toView: .identity, bounds: layout.bounds(of: ScreenIndex(0)))
    }
  }

  func convert(_ point: Point) -> Point { toView.apply(point) }

  /// A displacement on the screen, in the view's coordinates.
  func displacement(_ vector: Point) -> Point {
    let (end, start) = (toView.apply(vector), toView.apply(.zero))
    return Point(x: end.x - start.x, y: end.y - start.y)
  }

  /// A displacement on the screen by the view's axes, in points of the screen.
  func turned(_ vector: Point) -> Point {
    let vector = displacement(vector)
    return Point(x: vector.x / scale, y: vector.y / scale)
  }

  /// How far it goes along a direction, or inwards from an edge, and how far across.
  func go(_ vector: Point, _ way: String) -> (along: Double, across: Double) {
    let vector = turned(vector)
    switch way {
    case "horizontal": return (vector.x.magnitude, vector.y.magnitude)
    case "vertical": return (vector.y.magnitude, vector.x.magnitude)
    default: break
    }
    switch way {
    case "right": return (vector.x, vector.y.magnitude)
    case "left": return (-vector.x, vector.y.magnitude)
    case "down": return (vector.y, vector.x.magnitude)
    default: return (-vector.y, vector.x.magnitude)
    }
  }

  /// The way in from an edge.
  static func inwards(from edge: String) -> String {
    ["left": "right", "right": "left", "top": "down", "bottom": "up"][edge] ?? ""
  }

  /// How far inside of an edge, in points of the screen.
  func depth(of point: Point, from edge: String) -> Double {
    let point = convert(point)
    let depth =
      switch edge {
      case "left": point.x - bounds.x
      case "right": bounds.x + bounds.width - point.x
      case "top": point.y - bounds.y
      default: bounds.y + bounds.height - point.y
      }
    return depth / scale
  }
}
