import TestSupport
import Testing
import TouchClient

@Suite("How much a connection attaches to")
struct AttachmentLimitTests {
  @Test("all paths together have as many bytes as the limit says, and not one more (F5)")
  func paths() throws {
    let directory = try TemporaryDirectory()
    let connection = try TouchConnection(
      path: directory.file("nobody.sock"), name: "many", options: .reconnect)
    for number in 0..<21 {
      let path = "\(number)/"
      _ = try connection.attach(to: path + String(repeating: "a", count: 3072 - path.utf8.count))
    }
    _ = try connection.attach(to: String(repeating: "b", count: 65536 - 21 * 3072 - 1))
    _ = try connection.attach(to: "c")
    let error = #expect(throws: TouchClientError.self) { try connection.attach(to: "d") }
    #expect(error?.description.contains("can have 65536 bytes together") == true)
  }
}
