import CLinux
import Glibc

/// The framebuffer console's memory. What was on it before is there again once this is gone.
package final class Framebuffer {
  /// Why it can't be drawn on.
  package struct Failure: Error, Equatable {
    /// One sentence that names the node and says what to do.
    package let sentence: String
    /// Whether there is no such node.
    package let isMissing: Bool

    fileprivate init(_ sentence: String, isMissing: Bool = false) {
      self.sentence = sentence
      self.isMissing = isMissing
    }
  }

  /// What is drawn on.
  package let canvas: Canvas
  private let descriptor: CInt
  private let memory: UnsafeMutableRawPointer
  private let size: Int
  private let former: [UInt8]
  private let formerColors: Palette?

  /// Opens a framebuffer, such as `/dev/fb0`.
  package init(_ path: String) throws(Failure) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.refusal(path, errno) }
    do throws(Failure) {
      let (look, format) = try Self.look(at: descriptor, path)
      size = Int(look.size)
      let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
      guard let mapped, mapped != MAP_FAILED else {
        let code = errno
        throw Failure("the memory of \(path) can't be had: \(Self.text(code))")
      }
      memory = mapped
      let start =
        Int(look.y_offset) * Int(look.line_length)
        + Int(look.x_offset) * format.byteCount
      canvas = Canvas(
        mapped + start, width: Int(look.width), height: Int(look.height),
        lineLength: Int(look.line_length), format: format)
      former = Array(UnsafeRawBufferPointer(start: mapped, count: size))
      formerColors = look.has_palette != 0 ? Palette(of: descriptor) : nil
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    // Of a panel that can't be blanked there is nothing to be said.
    _ = clinux_framebuffer_unblank(descriptor)
    if formerColors != nil { Palette.own.set(descriptor) }
  }

  deinit {
    UnsafeMutableRawBufferPointer(start: memory, count: size).copyBytes(from: former)
    formerColors?.set(descriptor)
    munmap(memory, size)
    close(descriptor)
  }

  private static func look(
    at descriptor: CInt, _ path: String
  ) throws(Failure) -> (clinux_framebuffer, PixelFormat) {
    var look = clinux_framebuffer()
    guard clinux_framebuffer_look(descriptor, &look) == 0 else {
      throw Failure("\(path) is no framebuffer: name another one by --framebuffer")
    }
    guard look.is_packed != 0, [8, 16, 24, 32].contains(look.bits_per_pixel) else {
      throw Failure(
        "\(path) has \(look.bits_per_pixel) bits a pixel, in a form that can't be drawn: 8, 16, "
          + "24 and 32 in packed pixels can")
    }
    let format =
      look.has_palette != 0
      ? .palette
      : PixelFormat(
        byteCount: Int(look.bits_per_pixel) / 8, red: part(look.red), green: part(look.green),
        blue: part(look.blue))
    let row =
      (UInt64(look.x_offset) + UInt64(look.width)) * UInt64(format.byteCount)
    let end =
      (UInt64(look.y_offset) + UInt64(look.height)) * UInt64(look.line_length)
    guard look.width > 0, look.height > 0, row <= UInt64(look.line_length),
      look.has_palette == 0 || look.bits_per_pixel == 8, end <= UInt64(look.size)
    else {
      throw Failure(
        "\(path) says \(look.width) by \(look.height) pixels, which do not fit its memory of "
          + "\(look.size) bytes: name another one by --framebuffer")
    }
    return (look, format)
  }

  private static func part(_ bits: clinux_bits) -> PixelFormat.Part {
    PixelFormat.Part(offset: bits.offset, length: bits.length)
  }

  private static func refusal(_ path: String, _ code: CInt) -> Failure {
    switch code {
    case ENOENT, ENODEV, ENXIO: Failure("there is no \(path)", isMissing: true)
    case EACCES, EPERM:
      Failure("\(path) may not be opened: join group video, or run as root")
    default: Failure("\(path) can't be opened: \(text(code))")
    }
  }

  private static func text(_ code: CInt) -> String { String(cString: clinux_error_text(code)) }

  /// The colours of the first numbers.
  private struct Palette {
    private var red: [UInt16]
    private var green: [UInt16]
    private var blue: [UInt16]

    /// Those of ``Color``.
    static let own = Palette(Color.allCases.map(\.parts))

    private init(_ colors: [(red: UInt8, green: UInt8, blue: UInt8)]) {
      red = colors.map { UInt16($0.red) * 257 }
      green = colors.map { UInt16($0.green) * 257 }
      blue = colors.map { UInt16($0.blue) * 257 }
    }

    /// Those in force; nil where they can't be read.
    init?(of descriptor: CInt) {
      self = .own
      let count = UInt32(red.count)
      guard clinux_framebuffer_get_colors(descriptor, 0, count, &red, &green, &blue) == 0
      else { return nil }
    }

    func set(_ descriptor: CInt) {
      var (red, green, blue) = (red, green, blue)
      _ = clinux_framebuffer_set_colors(
        descriptor, 0, UInt32(red.count), &red, &green, &blue)
    }
  }
}
