package import TouchModel

/// One event of an input device, as in linux/input.h.
package struct EvdevEvent: Equatable, Sendable {
  /// When it happened, on the clock of the recording.
  package var time: Timestamp
  /// EV_ABS and so on.
  package var type: UInt16
  /// ABS_MT_SLOT and so on.
  package var code: UInt16
  /// The value.
  package var value: Int32

  /// An event.
  package init(time: Timestamp, type: UInt16, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }
}
