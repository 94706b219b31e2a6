import CTouchroute
import Glibc
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

  @Test("a request that comes in two parts behind another one is whole, wherever it is cut")
  func cut() throws {
    let request = RequestBytes.hide(serial: 2, "left/list")
    for count in 1..<request.count {
      var sockets: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
      defer { for socket in sockets { close(socket) } }
      var decoder = RequestDecoder()
      for part in [request + request.prefix(count), Array(request.dropFirst(count))] {
        try #require(write(sockets[0], part, part.count) == part.count)
        _ = decoder.receive(from: sockets[1])
        if decoder.count > request.count { _ = try decoder.next() }
      }
      #expect(decoder.unread == request, "\(count) of \(request.count) bytes")
    }
  }
}
