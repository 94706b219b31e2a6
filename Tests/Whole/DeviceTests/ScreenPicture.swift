import Foundation
import TestSupport

/// A picture of the guest's screen, which QEMU has taken.
struct ScreenPicture {
  private let width: Int
  private let pixels: Data

  /// The folder of the host's that they come into; nil where there is no screen.
  static let folder = ProcessInfo.processInfo.environment["TOUCHROUTE_PICTURES"]

  /// Has one taken, which stays in the folder.
  init(_ name: String) throws {
    guard let folder = Self.folder else { throw Missing("TOUCHROUTE_PICTURES, a folder") }
    let file = "\(folder)/\(name).ppm"
    try? FileManager.default.removeItem(atPath: file)
    try FileHandle(forWritingTo: URL(filePath: Self.port())).write(
      contentsOf: Data("\(name)\n".utf8))
    for _ in 0..<3000 {
      if let data = try? Data(contentsOf: URL(filePath: file)), let picture = Self(data) {
        self = picture
        return
      }
      usleep(10_000)
    }
    throw Missing("the picture \(file)")
  }

  /// Nil where it is not there as a whole. A PPM: `P6`, the size, the largest value, the pixels.
  private init?(_ data: Data) {
    let words = data.prefix(40).split(maxSplits: 4) { $0 == 0x20 || $0 == 0x0a }
    guard words.count == 5, let width = Self.number(words[1]), let height = Self.number(words[2])
    else { return nil }
    let start = words[4].startIndex
    guard data.count - start == 3 * width * height else { return nil }
    self.width = width
    pixels = data[start...]
  }

  private static func number(_ word: Data) -> Int? { Int(String(decoding: word, as: UTF8.self)) }

  /// The device of the port that takes their names.
  private static func port() throws -> String {
    let ports = "/sys/class/virtio-ports"
    for port in try FileManager.default.contentsOfDirectory(atPath: ports) {
      let name = try? String(contentsOfFile: "\(ports)/\(port)/name", encoding: .utf8)
      if name == "pictures\n" { return "/dev/\(port)" }
    }
    throw Missing("a port for pictures; see scripts/guest --pictures")
  }

  /// Red, green and blue of a pixel.
  func parts(_ x: Int, _ y: Int) -> [UInt8] {
    let start = pixels.startIndex + 3 * (y * width + x)
    return Array(pixels[start..<start + 3])
  }

  /// `red`, `green` or `blue`, where a pixel is that above all; else `grey`.
  func colour(_ x: Int, _ y: Int) -> String {
    let most = zip(["red", "green", "blue"], parts(x, y)).filter { $0.1 > 90 }
    return most.count == 1 ? most[0].0 : "grey"
  }
}
