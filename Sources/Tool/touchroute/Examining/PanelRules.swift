import Configuration
import Glibc
import Layout
import TouchInput
import TouchModel

/// What the configuration says of touchscreens that are examined.
struct PanelRules {
  /// The device rules, without their filters: a device is examined as it is.
  let matcher: DeviceMatcher
  /// The main file; nil where there is none.
  private let path: String?

  /// A touchscreen with what is said of it.
  struct Panel {
    var description: DeviceDescription
    var region: Rect
  }

  /// - Parameter size: The size of the one screen, instead of a configuration.
  init(_ option: ConfigurationOption, size: Size?) throws(Failure) {
    if let size {
      path = nil
      matcher = DeviceMatcher(
        rules: [], screens: [Screen(name: "screen", size: size)])
      return
    }
    let configuration: Configuration
    do throws(Failure) { configuration = try option.load() } catch {
      guard option.path == nil else { throw error }
      throw Failure(
        "\(Configuration.defaultPath) is missing or not valid, so the size of the screen is not "
          + "known: give it by --size, such as --size 800x480")
    }
    path = option.path ?? Configuration.defaultPath
    let rules = configuration.devices.map { rule in
      var rule = rule
      rule.signal = SignalSettings()
      rule.grab = false
      rule.ignore = false
      return rule
    }
    matcher = DeviceMatcher(rules: rules, screens: configuration.layout.screens)
  }

  /// What is said of a touchscreen.
  func panel(_ description: DeviceDescription) -> Panel {
    Panel(description: description, region: matcher.assignment(of: description).mapping.region)
  }

  /// Writes a proposal into conf.d. Returns the file's path.
  func save(_ lines: [String], for device: DeviceDescription) throws(Failure) -> String {
    guard let path else { throw Failure("--write needs a configuration") }
    if let rule = matcher.assignment(of: device).rule {
      throw Failure(
        "not written: [[device]] number \(rule + 1) of the configuration matches the touchscreen "
          + "already, and only the first one counts: add the lines to it")
    }
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let file = "\(parent)conf.d/doctor-\(Self.fileName(of: device)).toml"
    if mkdir("\(parent)conf.d", 0o755) != 0, errno != EEXIST {
      throw Self.failure(parent + "conf.d")
    }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw Failure("\(file) is there already: remove it, or add the lines to it")
      }
      throw Self.failure(file)
    }
    let text = "# Proposed by touchroute doctor.\n" + lines.map { $0 + "\n" }.joined()
    let written = Array(text.utf8).withUnsafeBytes {
      Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    let isWhole = written == text.utf8.count && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWhole else {
      unlink(file)
      errno = code
      throw Self.failure(file)
    }
    return file
  }

  private static func failure(_ path: String) -> Failure {
    Failure("\(path) can't be written: \(String(cString: strerror(errno)))")
  }

  /// Letters, digits and hyphens of a touchscreen's name, or its id.
  private static func fileName(of device: DeviceDescription) -> String {
    let name = device.name.lowercased().map {
      $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
    }
    let words = String(name.prefix(60)).split(separator: "-").joined(separator: "-")
    return words.isEmpty ? device.id.split(separator: ":").joined(separator: "-") : words
  }
}
