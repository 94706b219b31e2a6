import Testing
import TouchClient

/// Recognizers that a program asks for wrongly: the library says so, and sends nothing.
@Suite("Recognizers of a client")
struct GestureRequestTests {
  private func sentence(_ request: () throws -> Void) throws -> String {
    try #require(throws: TouchClientError.self) { try request() }.description
  }

  @Test("what can't be is refused in a sentence, and nothing is sent (G1)")
  func wrong() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path, name: "wrong")
    let home = try connection.attach(to: "home", options: .gestures)
    var many = GestureRecognizer.pan("many")
    many.touches = 3...11
    var single = GestureRecognizer(.pinch, "single")
    single.touches = 1...2
    var slow = GestureRecognizer.tap("slow")
    slow.durationMilliseconds = 60_001
    var near = GestureRecognizer.pan("near")
    near.slop = -1
    for (recognizer, words) in [
      (GestureRecognizer.pan(""), "it needs a name"),
      (GestureRecognizer(.swipe, "no-way"), "a swipe needs a direction"),
      (GestureRecognizer(.edgePan, "no-edge"), "an edge pan needs an edge"),
      (single, "a pinch and a rotation need two fingers at least"),
      (many, "fingers and taps must be 10 at most"), (slow, "a number out of range"),
      (near, "a number out of range"), (.pan("a\0b"), "a text with NUL"),
    ] {
      let text = try sentence { try connection.addGesture(recognizer, to: home) }
      #expect(text.contains(words), "\(text)")
    }
    #expect(
      try sentence { try connection.addGesture(.pan("scroll"), to: AttachmentID(77)) }
        == "there is no attachment 77, or it is being detached")
    #expect(
      try sentence { try connection.removeGesture(GestureID(77)) }
        == "there is no recognizer 77, or it is being removed")
  }

  @Test("a recognizer that the daemon does not have yet is taken away at once (G1)")
  func early() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path, name: "early")
    let home = try connection.attach(to: "home", options: .gestures)
    let scroll = try connection.addGesture(.pan("scroll"), to: home)
    #expect(try connection.enableGesture(scroll, false) == nil)
    #expect(try connection.removeGesture(scroll) == nil)
    #expect(
      try sentence { try connection.enableGesture(scroll) }
        == "there is no recognizer \(scroll.rawValue), or it is being removed")
    for number in 0..<128 { try connection.addGesture(.tap("tap\(number)"), to: home) }
    #expect(
      try sentence { try connection.addGesture(.tap("more"), to: home) }
        == "a connection can have 128 recognizers")
  }
}
