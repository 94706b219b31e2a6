import CTouchroute
import LayoutDrawing
import TouchModel

extension Text {
  /// A reason for people; for scripts it is `word`. The corresponding C function is
  /// touchroute_cancel_reason_name.
  static func words(_ reason: CancelReason) -> String {
    String(cString: touchroute_cancel_reason_name(UInt32(reason.rawValue)))
  }

  /// A moment in seconds, to the millisecond.
  static func seconds(_ time: Timestamp) -> String {
    let milliseconds = time.microseconds / 1000
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// `3 d 4 h`, `12 min`, `8 s`.
  static func duration(seconds: UInt64) -> String {
    if seconds >= 86_400 { return "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h" }
    if seconds >= 3600 { return "\(seconds / 3600) h \(seconds % 3600 / 60) min" }
    return seconds >= 60 ? "\(seconds / 60) min" : "\(seconds) s"
  }

  /// `1 view`, `2 views`.
  static func count(
    _ number: some BinaryInteger, _ noun: String, _ nouns: String? = nil
  ) -> String {
    "\(number) \(number == 1 ? noun : nouns ?? "\(noun)s")"
  }

  /// Four hexadecimal digits.
  static func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
