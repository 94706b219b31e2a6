import Logging
import Testing

@testable import DaemonLog

@Suite("Daemon, what a line of the log is")
struct StandardErrorLogTests {
  @Test("a line is what ends with a line feed; nothing else in it moves the cursor or ends it")
  func printable() {
    let text = "first\n\tsecond \u{1b}[2J\r\u{2028}forged\u{202e}"
    #expect(
      StandardErrorLog.lines(of: text, .warning, true, prefix: "")
        == "<4>first\n<4>\tsecond \\u001b[2J\\u000d\\u2028forged\\u202e\n")
    #expect(
      StandardErrorLog.lines(of: "a\r\nb", .info, false, prefix: "touchrouted: info: ")
        == "touchrouted: info: a\\u000d\ntouchrouted: info: b\n")
  }
}
