import CTouchroute
import Testing

@testable import Server

/// What a client has sent so far, and what of it is a request.
@Suite("Requests as they arrive")
struct RequestDecoderTests {
  @Test("what the next request asks for is known once it is there whole, and not before (F1)")
  func nextOpcode() {
    let request = RequestBytes.hide(serial: 2, "left/list")
    for count in 0..<request.count {
      var decoder = RequestDecoder()
      decoder.unread = Array(request.prefix(count))
      #expect(decoder.nextOpcode == nil, "\(count) of \(request.count) bytes")
    }
    var decoder = RequestDecoder()
    decoder.unread = request
    #expect(decoder.nextOpcode == .set)
  }
}
