import CLibevdev

/// One event of the kernel's input layer, without its time.
package struct InputEvent: Equatable, Sendable {
  /// EV_ABS and so on.
  package var type: UInt16
  /// ABS_MT_SLOT and so on.
  package var code: UInt16
  /// The value.
  package var value: Int32

  /// The event of that type, code and value.
  package init(type: UInt16, code: UInt16, value: Int32) {
    self.type = type
    self.code = code
    self.value = value
  }

  /// A place of a contact or the like.
  package static func absolute(_ code: Int32, _ value: Int32) -> InputEvent {
    InputEvent(type: UInt16(EV_ABS), code: UInt16(code), value: value)
  }

  /// A key or button.
  package static func key(_ code: Int32, _ value: Int32) -> InputEvent {
    InputEvent(type: UInt16(EV_KEY), code: UInt16(code), value: value)
  }

  /// The mark at the end of a frame.
  package static let report = InputEvent(
    type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0)

  /// The mark at the end of a contact, of multitouch protocol A.
  package static let contactReport = InputEvent(
    type: UInt16(EV_SYN), code: UInt16(SYN_MT_REPORT), value: 0)

  /// Whether it is the mark at the end of a frame.
  package var isReport: Bool { self.type == UInt16(EV_SYN) && code == UInt16(SYN_REPORT) }
}
