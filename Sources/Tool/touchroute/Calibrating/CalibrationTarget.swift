import Configuration
import Examination
import Layout
import LayoutDrawing
import TouchInput
import TouchModel

/// A touchscreen that is calibrated, with what the configuration says of it now.
struct CalibrationTarget {
  let device: DeviceDescription
  /// The screen that it is mapped to.
  let screen: Screen
  /// The matrix that is in force.
  let present: AffineTransform
  /// What the part of the screen that it covers has in points, along the device's own axes.
  let size: Size
  /// How it is mounted, as far as is known.
  let mounted: Screen.Rotation
  /// The number of the `[[device]]` that matches it already, from 1.
  let rule: Int?
  /// The mapping in force.
  private let mapping: DeviceMapping
  private let isScreenNamed: Bool
  private let hasUdevMatrix: Bool
  private let file: DeviceRuleFile

  /// The first line of the files that this command writes.
  private static let heading = "# Written by touchroute calibrate."

  /// - Parameter screen: The name of its screen, where no `[[device]]` says it.
  init(
    of device: DeviceDescription, _ option: ConfigurationOption, screen name: String?
  ) throws(Failure) {
    let path = option.path ?? Configuration.defaultPath
    file = DeviceRuleFile(of: device, by: "calibrate", beside: path)
    let configuration = try Self.configuration(option, path, without: file)
    let screens = configuration.layout.screens
    let matcher = DeviceMatcher(rules: configuration.devices, screens: screens)
    let assignment = matcher.assignment(of: device)
    if assignment.ignore {
      throw Failure(
        "the configuration ignores \(device.node): remove ignore = true from its [[device]]")
    }
    let matched = assignment.rule.map { configuration.devices[$0] }
    var index = Int(assignment.mapping.screen.rawValue)
    if let name {
      guard matched == nil else {
        throw Failure(
          "[[device]] number \((assignment.rule ?? 0) + 1) of the configuration says which screen "
            + "\(device.node) has, so --screen can't be given")
      }
      guard let found = screens.firstIndex(where: { $0.name == name }) else {
        let names = screens.map(\.name).joined(separator: ", ")
        throw Failure("there is no screen \"\(name)\"; the configuration has \(names)")
      }
      index = found
    }
    self.device = device
    screen = screens[index]
    rule = assignment.rule.map { $0 + 1 }
    isScreenNamed = screens.count > 1
    mounted = matched?.rotation ?? screen.rotation
    mapping = DeviceMapping(
      index: ScreenIndex(Int32(index)), screen: screen, rotation: matched?.rotation,
      region: matched?.region)
    let turns = mounted == .quarter || mounted == .threeQuarters
    size =
      turns
      ? Size(width: mapping.region.height, height: mapping.region.width)
      : Size(width: mapping.region.width, height: mapping.region.height)
    let udev = Self.matrix(device.properties["LIBINPUT_CALIBRATION_MATRIX"])
    hasUdevMatrix = udev != nil
    present =
      matched?.calibration.map { Self.transform($0.map { Double($0) }) } ?? udev
      ?? .identity
  }

  /// The configuration without what this command has written for the touchscreen before.
  private static func configuration(
    _ option: ConfigurationOption, _ path: String, without file: DeviceRuleFile
  ) throws(Failure) -> Configuration {
    guard file.begins(with: heading) else { return try option.load() }
    let files = [path] + Configuration.fragments(with: path).filter { $0 != file.path }
    do throws(ConfigurationError) { return try .load(files: files) } catch {
      throw Failure(error)
    }
  }

  private static func transform(_ matrix: [Double]) -> AffineTransform {
    AffineTransform(
      a: matrix[0], b: matrix[3], c: matrix[1], d: matrix[4], tx: matrix[2], ty: matrix[5])
  }

  /// What udev says, as libinput reads it.
  private static func matrix(_ text: String?) -> AffineTransform? {
    let numbers = (text ?? "").split(separator: " ").compactMap { Double($0) }
    return numbers.count == 6 ? transform(numbers) : nil
  }

  // MARK: Places

  /// The point of the screen where a cross is.
  ///
  /// - Parameter place: As shares of the part of the screen that the touchscreen covers.
  func point(_ place: Point) -> Point {
    let region = mapping.region
    return Point(x: region.x + place.x * region.width, y: region.y + place.y * region.height)
  }

  /// Where the device should say that it was pressed, in its own coordinates from 0 to 1.
  func wanted(_ place: Point) -> Point {
    mapping.transform.inverted()?.apply(point(place)) ?? place
  }

  /// Where a cross is on the panel as it was made, as shares of its width and height.
  func panelPlace(_ place: Point) -> Point { screen.panelPlace(of: point(place)) }

  /// `(96, 58)`.
  func words(_ place: Point) -> String {
    let point = point(place)
    return "(\(Text.number(point.x.rounded())), \(Text.number(point.y.rounded())))"
  }

  // MARK: The rule

  /// What a remedy adds to the configuration.
  func keys(_ remedy: Calibration.Remedy) -> CalibrationKeys {
    CalibrationKeys(remedy, mounted: mounted, hasMatrix: hasUdevMatrix)
  }

  /// The `[[device]]`; where one matches already, what is to be put into that.
  func lines(_ keys: CalibrationKeys) throws(Failure) -> [String] {
    if keys.lines.isEmpty || rule != nil { return keys.lines }
    return keys.rule(for: try match(), screen: isScreenNamed ? screen.name : nil)
  }

  /// What matches the touchscreen and no other one of this machine.
  private func match() throws(Failure) -> DeviceRule.Match {
    var match = DeviceRule.Match(
      name: device.name, vendor: device.vendor, product: device.product)
    let others = try NamedDevice.reports(nil).map(\.description)
      .filter { $0.node != device.node && DeviceMatcher.matches(match, $0) }
    guard !others.isEmpty else { return match }
    if !device.phys.isEmpty, others.allSatisfy({ $0.phys != device.phys }) {
      match.phys = DeviceRule.Match.literally(device.phys)
    } else if let link = device.links.sorted().first {
      match.path = DeviceRule.Match.literally(link)
    }
    return match
  }

  /// Refuses to write where that would have no effect.
  func checkWriting() throws(Failure) {
    guard let rule else { return }
    throw Failure(
      "[[device]] number \(rule) of the configuration matches the touchscreen already, and only "
        + "the first one counts: run this without --write, and add to it what is printed")
  }

  /// Writes a `[[device]]` into conf.d; one that this command wrote before is replaced. Returns the
  /// file's path.
  func write(_ lines: [String]) throws(Failure) -> String {
    try file.write(
      [Self.heading] + lines, replacing: file.begins(with: Self.heading))
    return file.path
  }
}
