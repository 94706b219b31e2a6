import Glibc

/// Reads a frame whose touches only moved or ended, as the recorder writes it: nearly all lines of
/// a record are such. Of any other line it makes nothing, which is then for the JSON decoder.
struct FrameScanner {
  private let end: UnsafePointer<UInt8>
  private var next: UnsafePointer<UInt8>

  /// A scanner of a line, which a byte ends that is no part of a number.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard let start = line.baseAddress else { return nil }
    next = start
    end = start + line.count
  }

  /// The frame; nil where it is another line, or another form of such a line.
  mutating func frame() -> RecordedFrame? {
    guard take("{\"device\":"), let device = number(), take(",\"event\":\"frame\",\"screen\":"),
      let screen = number(), take(",\"sequence\":"), let sequence = number(),
      take(",\"time_us\":"), let time = number(), take(",\"touches\":[")
    else { return nil }
    guard let device = UInt32(exactly: device), let screen = UInt32(exactly: screen) else {
      return nil
    }
    var touches: [RecordedTouch] = []
    repeat {
      guard let touch = touch() else { return nil }
      touches.append(touch)
    } while take(",")
    guard take("]}"), next == end else { return nil }
    return RecordedFrame(
      device: device, screen: screen, sequence: sequence, time_us: time, touches: touches)
  }

  private mutating func touch() -> RecordedTouch? {
    guard take("{\"at\":["), let x = decimal(), take(","), let y = decimal(),
      take("],\"id\":"), let id = number(), take(",\"phase\":\"")
    else { return nil }
    let phase = take("moved") ? "moved" : "ended"
    guard phase == "moved" || take("ended"), take("\"}") else { return nil }
    return RecordedTouch(id: id, phase: phase, at: [x, y])
  }

  private mutating func take(_ text: StaticString) -> Bool {
    guard end - next >= text.utf8CodeUnitCount,
      memcmp(next, text.utf8Start, text.utf8CodeUnitCount) == 0
    else { return false }
    next += text.utf8CodeUnitCount
    return true
  }

  /// A whole number as JSON has it: without zeros in front.
  private mutating func number() -> UInt64? {
    var value: UInt64 = 0
    let start = next
    while let digit = digit() {
      let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(UInt64(digit))
      if isLarge || isLarger { return nil }
      value = sum
    }
    let isPadded = next - start > 1 && start.pointee == UInt8(ascii: "0")
    return next == start || isPadded ? nil : value
  }

  private mutating func digit() -> UInt8? {
    guard next < end, case let digit = next.pointee &- UInt8(ascii: "0"), digit <= 9 else {
      return nil
    }
    next += 1
    return digit
  }

  /// A number as JSON has it, which is less than strtod takes.
  private mutating func decimal() -> Double? {
    let start = next
    _ = take("-")
    let first = next
    guard digit() != nil else { return nil }
    while digit() != nil {}
    if next - first > 1, first.pointee == UInt8(ascii: "0") { return nil }
    if take(".") {
      guard digit() != nil else { return nil }
      while digit() != nil {}
    }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      guard digit() != nil else { return nil }
      while digit() != nil {}
    }
    let value = start.withMemoryRebound(to: CChar.self, capacity: end - start) { strtod($0, nil) }
    return value.isFinite ? value : nil
  }
}
