import Glibc
import TestSupport
import Testing
import TouchModel

@testable import ConsoleDrawing

@Suite("Drawing on the framebuffer console")
struct ConsoleDrawingTests {
  /// Memory of rows that are longer than their pixels, as a graphics card has them.
  private final class Memory {
    let bytes: UnsafeMutableRawPointer
    let lineLength: Int
    let height: Int
    static let fence: UInt8 = 0xa5

    init(width: Int, height: Int, format: PixelFormat) {
      lineLength = width * format.byteCount + 12
      self.height = height
      // A row before and a row behind, which nothing may be drawn into.
      bytes = .allocate(byteCount: lineLength * (height + 2), alignment: 8)
      memset(bytes, Int32(Self.fence), lineLength * (height + 2))
    }

    deinit { bytes.deallocate() }

    var start: UnsafeMutableRawPointer { bytes + lineLength }

    func pixel(_ x: Int, _ y: Int, _ format: PixelFormat) -> UInt32 {
      (0..<format.byteCount).reduce(0) { value, index in
        let place = y * lineLength + x * format.byteCount + index
        return value | UInt32(start.load(fromByteOffset: place, as: UInt8.self)) << (8 * index)
      }
    }

    /// Whether nothing outside of the picture was written.
    func isUnharmed(width: Int, _ format: PixelFormat) -> Bool {
      let inside = width * format.byteCount
      return (0..<lineLength * (height + 2)).allSatisfy { offset in
        let (row, column) = (offset / lineLength, offset % lineLength)
        return (1...height).contains(row) && column < inside
          || bytes.load(fromByteOffset: offset, as: UInt8.self) == Self.fence
      }
    }
  }

  private static let formats: [(name: String, format: PixelFormat, white: UInt32, green: UInt32)] =
    [
      ("palette", .palette, 2, 3),
      ("565", rgb(2, (11, 5), (5, 6), (0, 5)), 0xffff, 0b00000_110010_00000),
      ("888", rgb(3, (16, 8), (8, 8), (0, 8)), 0xffffff, 0x00c800),
      ("BGRX", rgb(4, (0, 8), (8, 8), (16, 8)), 0xffffff, 0x00c800),
      ("10 bits", rgb(4, (20, 10), (10, 10), (0, 10)), 0x3fc_ff3fc, 0x320 << 10),
    ]

  private static func rgb(
    _ count: Int, _ red: (UInt32, UInt32), _ green: (UInt32, UInt32), _ blue: (UInt32, UInt32)
  ) -> PixelFormat {
    PixelFormat(
      byteCount: count, red: .init(offset: red.0, length: red.1),
      green: .init(offset: green.0, length: green.1), blue: .init(offset: blue.0, length: blue.1))
  }

  @Test("the next cross is white, one that is done is green, in every format", arguments: 0..<5)
  func crosses(_ index: Int) {
    let (_, format, white, green) = Self.formats[index]
    let (width, height) = (320, 240)
    let memory = Memory(width: width, height: height, format: format)
    let canvas = Canvas(
      memory.start, width: width, height: height, lineLength: memory.lineLength, format: format)
    CrossPicture([
      Point(x: 0.1, y: 0.1), Point(x: 0.5, y: 0.75), Point(x: 0.9, y: 0.5),
    ]).draw(next: 1, in: canvas)
    #expect(memory.pixel(32, 24, format) == green)
    #expect(memory.pixel(160, 180, format) == white)
    #expect(memory.pixel(160 - 15, 180, format) == white)
    #expect(memory.pixel(160, 180 + 15, format) == white)
    #expect(memory.pixel(160 - 15, 180 + 15, format) == 0)
    let grey = memory.pixel(288, 120, format)
    #expect(![0, white, green].contains(grey))
    #expect(memory.pixel(100, 100, format) == 0)
    #expect(memory.isUnharmed(width: width, format))
  }

  @Test("what lies beyond the picture is left out, whatever is drawn")
  func edges() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let format = Self.formats[Int.random(in: 0..<5, using: &random)].format
      let width = Int.random(in: 1...60, using: &random)
      let height = Int.random(in: 1...60, using: &random)
      let memory = Memory(width: width, height: height, format: format)
      let canvas = Canvas(
        memory.start, width: width, height: height, lineLength: memory.lineLength, format: format)
      let places = (0..<3).map { _ in
        Point(
          x: .random(in: -0.2...1.2, using: &random), y: .random(in: -0.2...1.2, using: &random))
      }
      CrossPicture(places).draw(next: 1, in: canvas)
      canvas.fill(
        x: .random(in: -80...80, using: &random), y: .random(in: -80...80, using: &random),
        width: .random(in: 0...200, using: &random), height: .random(in: 0...200, using: &random),
        .white)
      #expect(memory.isUnharmed(width: width, format), "seed \(seed)")
    }
  }

  @Test("a node that is no framebuffer is refused with a sentence")
  func refused() throws {
    func sentence(_ path: String) -> (String, Bool) {
      do throws(Framebuffer.Failure) {
        _ = try Framebuffer(path)
        return ("", false)
      } catch { return (error.sentence, error.isMissing) }
    }
    #expect(
      sentence("/dev/null") == (
        "/dev/null is no framebuffer: name another one by --framebuffer", false
      ))
    let directory = try TemporaryDirectory()
    try directory.write("fb", "640x480")
    #expect(sentence(directory.file("fb")).0.contains("is no framebuffer"))
    #expect(sentence("/dev/fb-none") == ("there is no /dev/fb-none", true))
    #expect(sentence("/").0.hasPrefix("/ can't be opened: "))
  }
}
