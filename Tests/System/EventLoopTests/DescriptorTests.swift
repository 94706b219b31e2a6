import EventLoop
import Glibc
import Testing

@Suite("Descriptors")
struct DescriptorTests {
  @Test("a readable descriptor calls its handler with what it is ready for")
  func readable() throws {
    let loop = try EventLoop()
    let pair = DescriptorPair()
    var heard: [Readiness] = []
    try loop.addDescriptor(pair.left, interest: .read) { ready in
      heard.append(ready)
      _ = pair.drain()
    }
    pair.poke()
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    #expect(heard == [.read])
    #expect(try !loop.runTurn(timeoutMicroseconds: 0), "drained, it is not ready again")
  }

  @Test("a hang-up is reported unasked")
  func hangUp() throws {
    let loop = try EventLoop()
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    var heard: Readiness = []
    try loop.addDescriptor(ends[0], interest: []) { heard = $0 }
    close(ends[1])
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    #expect(heard.contains(.hangUp))
    close(ends[0])
  }

  @Test("write interest is heard only while it is set")
  func interest() throws {
    let loop = try EventLoop()
    let pair = DescriptorPair()
    var heard: [Readiness] = []
    let source = try loop.addDescriptor(pair.left, interest: .read) { heard.append($0) }
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
    source.setInterest([.read, .write])
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    #expect(heard == [.write])
    source.setInterest(.read)
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
  }

  @Test("a source that cancels itself in its handler is let go of and never fires again")
  func cancelsItself() throws {
    let loop = try EventLoop()
    let pair = DescriptorPair()
    var fired = 0
    weak var weakSource: EventSource?
    do {
      let source = try loop.addDescriptor(pair.left, interest: .read) { _ in
        fired += 1
        weakSource?.cancel()
      }
      weakSource = source
    }
    #expect(weakSource != nil, "the loop owns its sources")
    pair.poke()
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    #expect(weakSource == nil, "nothing keeps a cancelled source")
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
    #expect(fired == 1)
  }

  @Test("a ready source that another one's handler cancels never fires")
  func cancelsAnother() throws {
    let loop = try EventLoop()
    let pairs = [DescriptorPair(), DescriptorPair()]
    var sources: [EventSource] = []
    var fired = 0
    for pair in pairs {
      let source = try loop.addDescriptor(pair.left, interest: .read) { _ in
        fired += 1
        _ = pairs.map { $0.drain() }
        for source in sources { source.cancel() }
      }
      sources.append(source)
    }
    for pair in pairs { pair.poke() }
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    for pair in pairs { pair.poke() }
    #expect(try !loop.runTurn(timeoutMicroseconds: 0))
    #expect(fired == 1, "whichever came first, the other was ready and cancelled")
    #expect(sources.allSatisfy { !$0.isActive })
  }

  @Test("a descriptor number used again after a cancel belongs to the new source alone")
  func reusedDescriptor() throws {
    let loop = try EventLoop()
    var heard: [String] = []
    let pair = DescriptorPair()
    let first = dup(pair.left)
    let old = try loop.addDescriptor(first, interest: .read) { _ in heard.append("old") }
    pair.poke()
    old.cancel()
    let other = DescriptorPair()
    // Closes it and takes its number in one: between two calls another test could take it.
    #expect(dup2(other.left, first) == first)
    try loop.addDescriptor(first, interest: .read) { _ in
      heard.append("new")
      _ = other.drain()
    }
    #expect(try !loop.runTurn(timeoutMicroseconds: 0), "only the old one had something to read")
    other.poke()
    #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000))
    #expect(heard == ["new"])
    close(first)
  }

  @Test("of sources ready at once, the input's is dispatched first (F1)")
  func priority() throws {
    let loop = try EventLoop()
    let pairs = (0..<8).map { _ in DescriptorPair() }
    var order: [Int] = []
    for (index, pair) in pairs.enumerated() {
      try loop.addDescriptor(
        pair.left, interest: .read, priority: index == 5 ? .input : .normal
      ) { _ in
        order.append(index)
        _ = pair.drain()
      }
      pair.poke()
    }
    for _ in pairs { #expect(try loop.runTurn(timeoutMicroseconds: 5_000_000)) }
    #expect(order.first == 5)
    #expect(order.sorted() == Array(0..<8))
  }

  @Test("a descriptor that cannot be watched is an error that names it")
  func refused() throws {
    let loop = try EventLoop()
    let error = #expect(throws: EventLoopError.self) {
      try loop.addDescriptor(1_000_000, interest: .read) { _ in }
    }
    #expect(error?.description == "watching descriptor 1000000: Bad file descriptor")
  }

  @Test("the loop lets go of its sources when it ends, and a source that outlives it is harmless")
  func loopEnds() throws {
    let pair = DescriptorPair()
    var source: EventSource?
    weak var captured: DescriptorPair?
    do {
      let loop = try EventLoop()
      let other = DescriptorPair()
      captured = other
      source = try loop.addDescriptor(pair.left, interest: .read) { _ in }
      try loop.addDescriptor(other.left, interest: .read) { _ in _ = other.drain() }
    }
    #expect(captured == nil, "the loop's end has released the handlers")
    source?.cancel()
  }
}
