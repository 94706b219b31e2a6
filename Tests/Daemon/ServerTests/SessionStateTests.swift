import CTouchroute
import Wire
import Glibc
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("The state of a session")
struct SessionStateTests {
  @Test("it goes from hello over waiting to its end, which is told once")
  func life() {
    var state = SessionState()
    #expect(state.isGreeting && !state.isOpen && !state.isOver)
    state.open()
    #expect(state.isOpen)
    state.wait()
    #expect(state.isOpen && state.isWaiting)
    state.goOn()
    #expect(state.isOpen && !state.isWaiting)
    var isNew = state.end()
    #expect(isNew && state.isOver && !state.isLost && state.mustBeTold)
    state.endWasTold()
    #expect(!state.mustBeTold)
    isNew = state.lose()
    #expect(!isNew && state.isLost && !state.mustBeTold)
  }

  @Test("the first reason to end is the one that is told")
  func firstReason() throws {
    let pair = try SocketPair()
    defer { for end in [pair.inner, pair.outer] { close(end) } }
    let client = ConnectedClient(
      id: ClientID(slot: 0, generation: 1), socket: .client,
      peer: PeerCredentials(pid: 1, uid: 0, gid: 0))
    let session = Session(client, descriptor: pair.inner, queueLimit: 65_536)
    session.lose("it hung up")
    session.end(.stopping, "touchrouted is stopping")
    #expect(session.endReason == "it hung up")
    #expect(session.state.isLost && session.state.mustBeTold && session.queuedBytes == 0)
  }

  @Test("of what it observes it is told how much it missed, be it one message (F7)")
  func missed() throws {
    let pair = try SocketPair()
    defer { close(pair.inner) }
    let client = ConnectedClient(
      id: ClientID(slot: 0, generation: 1), socket: .control,
      peer: PeerCredentials(pid: 1, uid: 0, gid: 0))
    let session = Session(client, descriptor: pair.inner, queueLimit: 65_536)
    let reader = RawClient(pair.outer)
    func observe(_ serial: UInt32) {
      session.append(observed: [FixedMessage.pong(serial: serial)], at: Timestamp(microseconds: 7))
    }
    for missed in [1, 2, 0] {
      let text = String(repeating: "x", count: 40_000)
      if missed > 0 { session.append(.error(serial: 1, .malformed, request: 0, text: text)) }
      for _ in 0..<missed { observe(2) }
      while session.flush() != nil, session.queuedBytes > 0 { reader.receive() }
      observe(3)
      _ = session.flush()
      let opcodes = sequence(state: ()) { _ in reader.next() }.map { message in
        message.opcode == UInt16(TOUCHROUTE_OBSERVED_CHANGE.rawValue)
          ? "lost \(message.load(touchroute_observed_change.self).value)" : "\(message.opcode)"
      }
      let pong = "\(TOUCHROUTE_PONG.rawValue)"
      #expect(
        Array(opcodes.drop { $0 == "\(TOUCHROUTE_ERROR.rawValue)" })
          == (missed > 0 ? ["lost \(missed)", pong] : [pong]))
    }
  }

  @Test("what can't happen to it where it is, traps")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      var state = SessionState()
      state.wait()
    }
    await #expect(processExitsWith: .failure) {
      var state = SessionState()
      state.open()
      state.open()
    }
    await #expect(processExitsWith: .failure) {
      var state = SessionState()
      state.open()
      state.goOn()
    }
    await #expect(processExitsWith: .failure) {
      var state = SessionState()
      _ = state.end()
      state.endWasTold()
      state.endWasTold()
    }
  }
}
