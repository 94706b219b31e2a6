/// How a colour becomes a pixel's bytes.
package struct PixelFormat: Equatable, Sendable {
  /// Where a colour's part lies in a pixel, in bits.
  package struct Part: Equatable, Sendable {
    var offset: UInt32
    var length: UInt32

    /// A part of so many bits.
    package init(offset: UInt32, length: UInt32) {
      self.offset = offset
      self.length = length
    }

    /// Of 0 to 255.
    fileprivate func bits(of value: UInt8) -> UInt32 {
      guard (1...32).contains(length) else { return 0 }
      return ((UInt32(value) << 24) >> (32 - length)) << offset
    }
  }

  /// Bytes of a pixel: 1 to 4.
  let byteCount: Int
  private let red: Part
  private let green: Part
  private let blue: Part
  private let isPalette: Bool

  /// Pixels of parts.
  package init(byteCount: Int, red: Part, green: Part, blue: Part) {
    self.byteCount = byteCount
    (self.red, self.green, self.blue) = (red, green, blue)
    isPalette = false
  }

  /// Pixels that are the numbers of ``Color``.
  package static let palette = PixelFormat()

  private init() {
    byteCount = 1
    red = Part(offset: 0, length: 0)
    (green, blue) = (red, red)
    isPalette = true
  }

  /// A colour's value, in the machine's byte order.
  func value(of color: Color) -> UInt32 {
    if isPalette { return UInt32(color.rawValue) }
    let (r, g, b) = color.parts
    return red.bits(of: r) | green.bits(of: g) | blue.bits(of: b)
  }
}

/// The colours that are used. Their numbers are those of a palette.
package enum Color: UInt8, Sendable, CaseIterable {
  case black, grey, white, green

  /// Red, green and blue.
  package var parts: (red: UInt8, green: UInt8, blue: UInt8) {
    switch self {
    case .black: (0, 0, 0)
    case .grey: (90, 90, 90)
    case .white: (255, 255, 255)
    case .green: (0, 200, 0)
    }
  }
}
