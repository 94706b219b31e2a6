import Glibc

/// Reads frames, and what recognizers came to, as programs write them, in any order of their keys:
/// nearly all lines of a record are such. Of any other line it makes nothing: it is for the JSON
/// decoder, as is one with an escape, a further key or a mistake.
struct LineScanner {
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var next: UnsafePointer<UInt8>

  /// A scanner of a line, which a byte ends that is no part of a number.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard let start = line.baseAddress else { return nil }
    (self.start, next) = (start, start)
    end = start + line.count
  }

  /// The line; nil where it is another one, or in another form.
  mutating func line() -> RecordLine? {
    if let frame = frame() { return .frame(frame) }
    next = start
    return gesture().map { .gesture($0) }
  }

  // MARK: - Lines

  private mutating func frame() -> RecordedFrame? {
    var isFrame: Bool?
    var device, screen: UInt32?
    var sequence, time: UInt64?
    var touches: [RecordedTouch]?
    let isWhole = object { line in
      if line.key("device") { return Self.put(line.number(), in: &device) }
      if line.key("event") { return Self.put(line.take("\"frame\"") ? true : nil, in: &isFrame) }
      if line.key("screen") { return Self.put(line.number(), in: &screen) }
      if line.key("sequence") { return Self.put(line.number(), in: &sequence) }
      if line.key("time_us") { return Self.put(line.number(), in: &time) }
      return line.key("touches")
        && Self.put(line.list { item in item.touch() }, in: &touches)
    }
    guard isWhole, next == end, isFrame != nil, let device, let screen, let sequence, let time,
      let touches
    else { return nil }
    return RecordedFrame(
      device: device, screen: screen, sequence: sequence, time_us: time, touches: touches)
  }

  private mutating func touch() -> RecordedTouch? {
    var id: UInt64?
    var phase: String?
    var rest = RecordedTouch(id: 0, phase: "", at: nil)
    let isWhole = object { line in
      if line.key("at") { return Self.put(line.list { $0.decimal() }, in: &rest.at) }
      if line.key("id") { return Self.put(line.number(), in: &id) }
      if line.key("phase") { return Self.put(line.text(), in: &phase) }
      if line.key("target") { return Self.put(line.text(), in: &rest.target) }
      if line.key("chain") {
        return Self.put(line.list { item in item.link() }, in: &rest.chain)
      }
      if line.key("flags") { return Self.put(line.list { $0.text() }, in: &rest.flags) }
      if line.key("taps") { return Self.put(line.number(), in: &rest.taps) }
      if line.key("cancel_reason") { return Self.put(line.text(), in: &rest.cancel_reason) }
      return line.key("discard_reason") && Self.put(line.text(), in: &rest.discard_reason)
    }
    guard isWhole, let id, let phase else { return nil }
    (rest.id, rest.phase) = (id, phase)
    return rest
  }

  private mutating func link() -> RecordedLink? {
    var path, outcome: String?
    var attachment: UInt32?
    var pid: Int32?
    var phases: [String]?
    let isWhole = object { line in
      if line.key("path") { return Self.put(line.text(), in: &path) }
      if line.key("outcome") { return Self.put(line.text(), in: &outcome) }
      if line.key("attachment") { return Self.put(line.number(), in: &attachment) }
      if line.key("pid") { return Self.put(line.number(), in: &pid) }
      return line.key("phases") && Self.put(line.list { $0.text() }, in: &phases)
    }
    guard isWhole, let path, let outcome else { return nil }
    return RecordedLink(
      path: path, outcome: outcome, attachment: attachment, pid: pid, phases: phases ?? [])
  }

  private mutating func gesture() -> RecordedGestureEvent? {
    var isGesture: Bool?
    var path, state: String?
    var time: UInt64?
    var rest = RecordedGestureEvent(path: "", state: "", time_us: 0)
    let isWhole = object { line in
      if line.key("event") {
        return Self.put(line.take("\"gesture\"") ? true : nil, in: &isGesture)
      }
      if line.key("path") { return Self.put(line.text(), in: &path) }
      if line.key("kind") { return Self.put(line.text(), in: &rest.kind) }
      if line.key("state") { return Self.put(line.text(), in: &state) }
      if line.key("time_us") { return Self.put(line.number(), in: &time) }
      if line.key("touch") { return Self.put(line.number(), in: &rest.touch) }
      if line.key("pid") { return Self.put(line.number(), in: &rest.pid) }
      if line.key("cancel_reason") { return Self.put(line.text(), in: &rest.cancel_reason) }
      return line.key("reason") && Self.put(line.text(), in: &rest.reason)
    }
    guard isWhole, next == end, isGesture != nil, let path, let state, let time else { return nil }
    (rest.path, rest.state, rest.time_us) = (path, state, time)
    return rest
  }

  // MARK: - JSON

  /// Puts a value where there is none yet.
  private static func put<Value>(_ value: Value?, in place: inout Value?) -> Bool {
    guard place == nil, let value else { return false }
    place = value
    return true
  }

  private mutating func object(_ member: (inout LineScanner) -> Bool) -> Bool {
    guard take("{") else { return false }
    repeat {
      skipBlanks()
      guard member(&self) else { return false }
    } while take(",")
    return take("}")
  }

  private mutating func list<Item>(_ item: (inout LineScanner) -> Item?) -> [Item]? {
    guard take("[") else { return nil }
    var items: [Item] = []
    repeat {
      skipBlanks()
      guard let item = item(&self) else { return nil }
      items.append(item)
    } while take(",")
    return take("]") ? items : nil
  }

  private mutating func key(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard end - next > count + 2, next[0] == UInt8(ascii: "\""),
      memcmp(next + 1, name.utf8Start, count) == 0, next[count + 1] == UInt8(ascii: "\"")
    else { return false }
    next += count + 2
    guard take(":") else { return false }
    skipBlanks()
    return true
  }

  private mutating func skipBlanks() {
    while next < end, next.pointee == UInt8(ascii: " ") { next += 1 }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - next >= count, memcmp(next, text.utf8Start, count) == 0 else { return false }
    next += count
    return true
  }

  /// A text in which nothing is escaped.
  private mutating func text() -> String? {
    guard take("\"") else { return nil }
    let first = next
    while next < end, next.pointee != UInt8(ascii: "\"") {
      guard next.pointee != UInt8(ascii: "\\"), next.pointee >= 0x20 else { return nil }
      next += 1
    }
    let bytes = UnsafeBufferPointer(start: first, count: next - first)
    return take("\"") ? String(validating: bytes, as: UTF8.self) : nil
  }

  /// A whole number as JSON has it: without zeros in front.
  private mutating func number<Value: FixedWidthInteger>() -> Value? {
    var value: UInt64 = 0
    let first = next
    while let digit = digit() {
      let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(UInt64(digit))
      if isLarge || isLarger { return nil }
      value = sum
    }
    let isPadded = next - first > 1 && first.pointee == UInt8(ascii: "0")
    return next == first || isPadded ? nil : Value(exactly: value)
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
    let first = next
    let isNegative = take("-")
    let whole = next
    var digits: UInt64 = 0
    var count = takeDigits(&digits)
    guard count > 0, count == 1 || whole.pointee != UInt8(ascii: "0") else { return nil }
    var scale = 1.0
    if take(".") {
      let decimals = takeDigits(&digits)
      guard decimals > 0 else { return nil }
      count += decimals
      for _ in 0..<min(decimals, 16) { scale *= 10 }
    }
    let hasExponent = take("e") || take("E")
    if hasExponent {
      if !take("-") { _ = take("+") }
      guard takeDigits(&digits) > 0 else { return nil }
    }
    // Both are exact, so the quotient is the number that is nearest.
    if !hasExponent, count <= 15 { return Double(digits) / (isNegative ? -scale : scale) }
    let value = first.withMemoryRebound(to: CChar.self, capacity: end - first) { strtod($0, nil) }
    return value.isFinite ? value : nil
  }

  /// Takes digits, which are added to those before; how many.
  private mutating func takeDigits(_ digits: inout UInt64) -> Int {
    let first = next
    while let digit = digit() { digits = digits &* 10 &+ UInt64(digit) }
    return next - first
  }
}
