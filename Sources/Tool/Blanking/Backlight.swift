import Glibc

/// A backlight of the machine: the files of a folder in /sys/class/backlight.
package struct Backlight {
  /// Its name, such as `intel_backlight`.
  package let name: String
  /// The brightest that it can be.
  package let maximum: Int
  private let path: String

  /// The most that a file of the kernel's has to say.
  private static let mostBytes = 64
  /// The kernel's numbers of `bl_power`: FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN.
  private static let powerOn = 0
  private static let powerOff = 4

  /// Finds a backlight.
  ///
  /// - Parameters:
  ///   - folder: Where backlights are: /sys/class/backlight.
  ///   - name: Its name; nil for the only one.
  package init(in folder: String, named name: String?) throws(BlankingError) {
    let names = Self.names(in: folder)
    let list = names.joined(separator: ", ")
    if names.isEmpty {
      throw BlankingError(
        "there is no backlight in \(folder): say which commands turn the light off and on, as in "
          + "off 'vbetool dpms off' on 'vbetool dpms on'")
    }
    if let name, !names.contains(name) {
      throw BlankingError("there is no backlight \"\(name)\" in \(folder), only \(list)")
    }
    guard let found = name ?? (names.count == 1 ? names[0] : nil) else {
      throw BlankingError(
        "there are \(names.count) backlights in \(folder), \(list): name one, as in "
          + "light \(names[0])")
    }
    self.name = found
    path = "\(folder)/\(found)"
    let maximum = Self.number(in: "\(path)/max_brightness") ?? 0
    guard (1...Int(Int32.max)).contains(maximum) else {
      throw BlankingError("\(path)/max_brightness has no number from 1 to \(Int32.max)")
    }
    self.maximum = maximum
    guard access("\(path)/brightness", W_OK) == 0 else {
      throw BlankingError(
        "\(path)/brightness can't be written: \(String(cString: strerror(errno))). Run this as "
          + "root, or as the user touchroute-idle, for whose group udev opens it")
    }
  }

  /// How bright it is set to be; nil where the kernel does not say.
  var brightness: Int? {
    Self.number(in: "\(path)/brightness").map { min(max(0, $0), maximum) }
  }

  /// Sets how bright it is.
  func set(_ brightness: Int) throws(BlankingError) {
    try write(brightness, to: "\(path)/brightness")
  }

  /// Whether it is on, whatever its brightness is.
  var isPowered: Bool { (Self.number(in: "\(path)/bl_power") ?? Self.powerOn) == Self.powerOn }

  /// Turns it off beneath its brightness, or on, where it can be.
  func setPowered(_ isPowered: Bool) throws(BlankingError) {
    guard access("\(path)/bl_power", W_OK) == 0 else { return }
    try write(isPowered ? Self.powerOn : Self.powerOff, to: "\(path)/bl_power")
  }

  private func write(_ number: Int, to file: String) throws(BlankingError) {
    let descriptor = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC)
    let text = Array("\(number)\n".utf8)
    let isWritten = descriptor >= 0 && Glibc.write(descriptor, text, text.count) == text.count
    let reason = String(cString: strerror(errno))
    if descriptor >= 0 { close(descriptor) }
    if !isWritten { throw BlankingError("\(file) can't be written: \(reason)") }
  }

  /// The backlights of a folder.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func number(in file: String) -> Int? {
    KeptFile.text(of: file, atMost: mostBytes).flatMap { Int($0) }
  }
}
