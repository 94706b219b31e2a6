import Testing
import TouchInput
import TouchModel

@Suite("Mapping to a screen")
struct DeviceMappingTests {
  /// A panel of 800 x 480 that is mounted upright is a screen of 480 x 800.
  private func screen(_ rotation: Screen.Rotation) -> Screen {
    let isUpright = rotation == .quarter || rotation == .threeQuarters
    return Screen(
      name: "panel",
      size: isUpright ? Size(width: 480, height: 800) : Size(width: 800, height: 480),
      rotation: rotation)
  }

  private func mapping(_ rotation: Screen.Rotation, _ region: Rect? = nil) -> DeviceMapping {
    DeviceMapping(index: ScreenIndex(0), screen: screen(rotation), region: region)
  }

  @Test("a quarter of the panel's width and half of its height, in each mounting")
  func rotations() {
    func place(_ rotation: Screen.Rotation) -> Point {
      mapping(rotation).location(x: 0.25, y: 0.5)
    }
    #expect(place(.none) == Point(x: 200, y: 240))
    #expect(place(.quarter) == Point(x: 240, y: 200))
    #expect(place(.half) == Point(x: 600, y: 240))
    #expect(place(.threeQuarters) == Point(x: 240, y: 600))
  }

  @Test("a digitizer's own rotation holds in place of its panel's, and fills the same region")
  func ownRotation() {
    for panel in Screen.Rotation.allCases {
      for digitizer in Screen.Rotation.allCases {
        let mapping = DeviceMapping(
          index: ScreenIndex(0), screen: screen(panel), rotation: digitizer)
        let size = screen(panel).size
        let expected: (x: Double, y: Double) =
          switch digitizer {
          case .none: (0.25, 0.125)
          case .quarter: (0.875, 0.25)
          case .half: (0.75, 0.875)
          case .threeQuarters: (0.125, 0.75)
          }
        #expect(
          mapping.location(x: 0.25, y: 0.125)
            == Point(x: expected.x * size.width, y: expected.y * size.height))
      }
    }
  }

  @Test("the panel's top left corner is at the viewer's top right after a quarter turn, and so on")
  func corners() {
    let edge = Point(x: 480 - 1.0 / 128, y: 800 - 1.0 / 128)
    #expect(mapping(.none).location(x: 0, y: 0) == Point(x: 0, y: 0))
    #expect(mapping(.quarter).location(x: 0, y: 0) == Point(x: edge.x, y: 0))
    #expect(mapping(.half).location(x: 0, y: 0) == Point(x: edge.y, y: edge.x))
    #expect(mapping(.threeQuarters).location(x: 0, y: 0) == Point(x: 0, y: edge.y))
  }

  @Test("a device's first and last units are inside the screen, however it is mounted (T8, H3)")
  func edges() {
    let units = 4096.0
    for rotation in Screen.Rotation.allCases {
      let mapping = mapping(rotation)
      for x in [0, (units - 1) / units, 1] {
        for y in [0, (units - 1) / units, 1] {
          let place = mapping.location(x: x, y: y)
          #expect(mapping.region.contains(place), "\(rotation) (\(x), \(y)) at \(place)")
        }
      }
    }
  }

  @Test("the far edge stays inside in single precision, up to 65,536 points (H3)")
  func singlePrecision() {
    for size in [0.001, 1, 480, 65_536] {
      let screen = Screen(name: "s", size: Size(width: size, height: size), rotation: .half)
      let place = DeviceMapping(index: ScreenIndex(0), screen: screen).location(x: 0, y: 0)
      #expect(Float(place.x) >= 0 && Float(place.x) < Float(size))
      let scrolled = 65_536 - size
      #expect(Float(place.y + scrolled) < Float(size + scrolled) || size < 1)
    }
  }

  @Test("beyond the panel is beyond the region, not its edge (T8)")
  func beyond() {
    for rotation in Screen.Rotation.allCases {
      let mapping = mapping(rotation)
      for (x, y) in [(-0.001, 0.5), (1.001, 0.5), (0.5, -0.001), (0.5, 1.001)] {
        #expect(!mapping.region.contains(mapping.location(x: x, y: y)))
      }
    }
  }

  @Test("a region is a part of the screen as its viewer sees it, after the rotation")
  func regions() {
    let region = Rect(x: 100, y: 40, width: 200, height: 400)
    func place(_ rotation: Screen.Rotation) -> Point {
      mapping(rotation, region).location(x: 0.25, y: 0.5)
    }
    #expect(place(.none) == Point(x: 150, y: 240))
    #expect(place(.quarter) == Point(x: 200, y: 140))
    #expect(place(.half) == Point(x: 250, y: 240))
    #expect(place(.threeQuarters) == Point(x: 200, y: 340))
    for rotation in Screen.Rotation.allCases {
      let far = mapping(rotation, region).location(x: 1, y: 1)
      let near = mapping(rotation, region).location(x: 0, y: 0)
      #expect(region.contains(far) && region.contains(near), "a neighbour's region begins there")
    }
  }

  @Test("two turns of a quarter are one of a half, for every place")
  func composition() {
    let quarter = mapping(.quarter)
    for (x, y) in [(0.1, 0.2), (0.5, 0.5), (0.9, 0.3), (0.75, 0.875)] {
      let once = quarter.location(x: x, y: y)
      let twice = quarter.location(x: once.x / 480, y: once.y / 800)
      let half = mapping(.half).location(x: x, y: y)
      #expect(abs(twice.x / 480 - half.x / 800) < 1e-12)
      #expect(abs(twice.y / 800 - half.y / 480) < 1e-12)
    }
  }
}
