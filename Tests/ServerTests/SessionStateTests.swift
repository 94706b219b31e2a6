import Testing

@testable import Server

@Suite("The state of a session")
struct SessionStateTests {
  private let hello = Hello(version: 1, name: "test")

  @Test("it goes from hello over changes to its end, which is told once")
  func life() {
    var state = SessionState()
    #expect(state.isGreeting && !state.isOpen && !state.isOver)
    state.open(hello)
    #expect(state.isOpen && state.hello == hello)
    state.awaitChange()
    #expect(state.isOpen && state.awaitsChange)
    state.changeCame()
    #expect(state.isOpen && !state.awaitsChange)
    state.end("it left")
    #expect(state.isOver && !state.isLost && state.mustBeTold)
    state.endWasTold()
    #expect(!state.mustBeTold)
    state.lose("it did not read its last words")
    #expect(state.isLost && !state.mustBeTold)
  }

  @Test("the first reason to end is the one that is told")
  func firstReason() {
    var state = SessionState()
    state.lose("it hung up")
    state.end("the daemon is stopping")
    #expect(state.endReason == "it hung up" && state.isLost && state.mustBeTold)
  }

  @Test("what can't happen to it where it is, traps")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      var state = SessionState()
      state.awaitChange()
    }
    await #expect(processExitsWith: .failure) {
      var state = SessionState()
      state.open(Hello(version: 1, name: "once"))
      state.open(Hello(version: 1, name: "twice"))
    }
    await #expect(processExitsWith: .failure) {
      var state = SessionState()
      state.open(Hello(version: 1, name: "test"))
      state.changeCame()
    }
    await #expect(processExitsWith: .failure) {
      var state = SessionState()
      state.end("it left")
      state.endWasTold()
      state.endWasTold()
    }
  }
}
