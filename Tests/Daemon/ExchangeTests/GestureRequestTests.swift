import CAllocationCount
import CThreadCredentials
import Configuration
import DaemonSupport
import Foundation
import Gestures
import Routing
import Server
import TestSupport
import Testing
import TouchClient
import TouchModel

@testable import Exchange

@Suite("Recognizers that programs add")
struct GestureRequestTests {
  /// A program of the test's user, or of another one.
  private func holder(
    _ bench: ExchangeBench, _ path: String, user: UInt32? = nil
  ) throws -> (client: DaemonClient, attachment: TouchClient.AttachmentID) {
    for kind in SocketKind.allCases { try #require(chmod(bench.path(kind), 0o666) == 0) }
    if let user { try #require(thread_become(user, 9, [], 0) == 0) }
    let client: DaemonClient
    do {
      defer { if user != nil { precondition(thread_become_root() == 0, "root again") } }
      client = try DaemonClient(bench.path(.client))
    }
    let attachment = try client.connection.attach(to: path, options: .gestures)
    _ = try client.next(meanwhile: bench.turn, \.geometry)
    return (client, attachment)
  }

  /// Adds a recognizer: nil where it was added, or why it was not.
  private func add(
    _ recognizer: GestureRecognizer, _ bench: ExchangeBench, _ client: DaemonClient,
    _ attachment: TouchClient.AttachmentID
  ) throws -> RequestFailure? {
    try client.connection.addGesture(recognizer, to: attachment)
    return try answer(bench, client)
  }

  private func answer(_ bench: ExchangeBench, _ client: DaemonClient) throws -> RequestFailure? {
    try client.next(meanwhile: bench.turn) { event -> RequestFailure?? in
      event.completion != nil ? .some(nil) : event.failure.map { .some($0) }
    }
  }

  private func isThere(_ bench: ExchangeBench, _ path: String) -> Bool {
    bench.exchange.pipeline.router.recognizers.id(of: path) != nil
  }

  @Test("a client's gesture speaks to that client alone (G13, S28)")
  func speaksToItsClient() throws {
    let bench = try ExchangeBench()
    let (victim, _) = try holder(bench, "left", user: 4001)
    let (other, right) = try holder(bench, "right", user: 4002)
    let (part, button) = try holder(bench, "right/button", user: 4003)
    var tap = GestureRecognizer.tap("tap")
    tap.responder = "left"
    let refused = try #require(try add(tap, bench, other, right))
    #expect(refused.code == .notAllowed)
    #expect(refused.text.contains("this client does not hold \"left\""))
    tap.responder = nil
    #expect(try add(tap, bench, part, button) == nil)
    bench.down(0, 550, 150)
    bench.frame()
    bench.up(0)
    bench.frame()
    try bench.turn()
    func gestures(_ client: DaemonClient) -> [String] {
      client.pending().compactMap {
        if case .gesture(let gesture) = $0 { gesture.path } else { nil }
      }
    }
    #expect(gestures(part) == ["right/button#tap"])
    #expect(gestures(other) == [])
    #expect(gestures(victim) == [])
  }

  @Test("they go with an attachment that ends because a view is made secure (F6, G1)")
  func secured() throws {
    let bench = try ExchangeBench()
    let (owner, _) = try holder(bench, "right", user: 4001)
    let (part, button) = try holder(bench, "right/button", user: 4002)
    #expect(try add(.pan("drag"), bench, part, button) == nil)
    #expect(isThere(bench, "right/button#drag"))
    #expect(try bench.set(owner, Change("right/button", .secure(true))) == nil)
    #expect(!isThere(bench, "right/button#drag"))
  }

  @Test("they count with what their user's programs keep, whatever is asked for next (F5)")
  func budget() throws {
    let bench = try ExchangeBench()
    let text = ExchangeBench.list + "[limits]\nbytes_per_user = 65536\n"
    _ = bench.exchange.apply(try Configuration.parse([(file: "test.toml", text: text)]))
    bench.exchange.endTurn()
    let (client, attachment) = try holder(bench, "left", user: 4001)
    var refused: RequestFailure?
    var count = 0
    while refused == nil, count < 1000 {
      refused = try add(.pan("pan\(count)"), bench, client, attachment)
      count += 1
    }
    #expect(refused?.code == .limit && refused?.text.contains("limits.bytes_per_user") == true)
    let row = Subview("row", frame: Rect(x: 0, y: 0, width: 10, height: 10))
    try client.connection.changeViews([.add(row)], in: attachment)
    #expect(try answer(bench, client)?.text.contains("limits.bytes_per_user") == true)
  }

  @Test("one that is added again may not close a circle through those that name it (G7)")
  func circles() throws {
    let bench = try ExchangeBench()
    let (client, attachment) = try holder(bench, "left")
    let first = try client.connection.addGesture(.pan("first"), to: attachment)
    #expect(try answer(bench, client) == nil)
    var second = GestureRecognizer.pan("second")
    second.after = ["left#first"]
    #expect(try add(second, bench, client, attachment) == nil)
    try client.connection.removeGesture(first)
    #expect(try answer(bench, client) == nil)
    var again = GestureRecognizer.pan("first")
    again.after = ["left#second"]
    #expect(
      try add(again, bench, client, attachment)?.text
        == "gesture \"left#first\": after runs in a circle: it would wait for itself")
    again.after = []
    #expect(try add(again, bench, client, attachment) == nil)
    #expect(
      try add(again, bench, client, attachment)?.text.hasSuffix("it is there already") == true)
  }

  @Test("through no more than 1,024 names is looked for a circle of those that wait (G7, F5, S3)")
  func longWay() throws {
    var text = twoWindows
    for number in 0..<80 {
      let names = (0..<min(number, 64)).map { "\"right#g\(number - 1 - $0)\"" }
      text +=
        "[[gesture]]\nview = \"right\"\nname = \"g\(number)\"\nkind = \"pan\"\n"
        + "after = [\(names.joined(separator: ", "))]\n"
    }
    let bench = try ExchangeBench(text)
    let (client, attachment) = try holder(bench, "left")
    let first = try client.connection.addGesture(.pan("first"), to: attachment)
    #expect(try answer(bench, client) == nil)
    var second = GestureRecognizer.pan("second")
    second.after = ["left#first"]
    #expect(try add(second, bench, client, attachment) == nil)
    try client.connection.removeGesture(first)
    #expect(try answer(bench, client) == nil)
    var again = GestureRecognizer.pan("first")
    again.after = ["right#g79"]
    let refused = try #require(try add(again, bench, client, attachment))
    #expect(refused.code == .limit)
    #expect(refused.text.contains("after leads to more than 1024 names"), "\(refused.text)")
    again.after = ["right#g30"]
    #expect(try add(again, bench, client, attachment) == nil)
  }

  @Test("to add one costs the same beside 10 others and beside 2,000 (F1, S4)")
  func costs() throws {
    var counts: [UInt] = []
    for count in [10, 2_000] {
      var text = twoWindows
      for number in 0..<count {
        text += "[[gesture]]\nview = \"right\"\nname = \"g\(number)\"\nkind = \"pan\"\n"
      }
      let bench = try ExchangeBench(text)
      let (client, attachment) = try holder(bench, "left")
      var fewest = UInt.max
      for round in 0..<12 {
        try client.connection.addGesture(.pan("more\(round)"), to: attachment)
        _ = client.pending()
        let before = allocation_count()
        try bench.turn { isThere(bench, "left#more\(round)") }
        fewest = min(fewest, allocation_count() - before)
        #expect(try answer(bench, client) == nil)
      }
      counts.append(fewest)
    }
    #expect(counts[1] <= counts[0] + 16, "\(counts)")
  }

  @Test("one user's programs may not fill what there is for all (F5, S16)")
  func ofOneUser() throws {
    let bench = try ExchangeBench(twoWindows + "[limits]\ngestures = 8\n")
    let (one, left) = try holder(bench, "left", user: 4001)
    let (two, button) = try holder(bench, "right/button", user: 4001)
    let (other, right) = try holder(bench, "right", user: 4002)
    #expect(try add(.pan("first"), bench, one, left) == nil)
    #expect(try add(.pan("second"), bench, two, button) == nil)
    for (client, attachment) in [(one, left), (two, button)] {
      let refused = try #require(try add(.pan("third"), bench, client, attachment))
      #expect(refused.code == .limit && refused.text.contains("(limits.gestures_per_user)"))
    }
    #expect(try add(.pan("third"), bench, other, right) == nil)
  }

  @Test("one that names more than 64 others is refused (F5, G7, S5)")
  func names() throws {
    let bench = try ExchangeBench()
    let (client, attachment) = try holder(bench, "left")
    #expect(try add(.pan("first"), bench, client, attachment) == nil)
    var second = GestureRecognizer.pan("second")
    second.after = Array(repeating: "left#first", count: 33)
    second.simultaneous = Array(repeating: "left#first", count: 32)
    let refused = try #require(try add(second, bench, client, attachment))
    #expect(refused.code == .limit)
    #expect(
      refused.text
        == "gesture \"left#second\": after and simultaneous name 64 gestures at most")
    second.after.removeLast()
    #expect(try add(second, bench, client, attachment) == nil)
  }

  @Test("one that would never take a touch, as so many come before it, is refused (G2, F5, S5)")
  func ofOneTouch() throws {
    let bench = try ExchangeBench(twoWindows + "[limits]\ngestures_per_touch = 2\n")
    let (inner, button) = try holder(bench, "right/button", user: 4001)
    let (outer, right) = try holder(bench, "right", user: 4002)
    #expect(try add(.pan("a"), bench, inner, button) == nil)
    #expect(try add(.pan("b"), bench, inner, button) == nil)
    // What lies further out comes first, and is not refused for what lies in it.
    #expect(try add(.pan("a"), bench, outer, right) == nil)
    #expect(try add(.pan("b"), bench, outer, right) == nil)
    for (client, attachment) in [(inner, button), (outer, right)] {
      let refused = try #require(try add(.pan("c"), bench, client, attachment))
      #expect(refused.code == .limit)
      #expect(refused.text.contains("a touch is offered to 2 gestures of programs"))
      #expect(refused.text.contains("(limits.gestures_per_touch)"))
    }
  }

  @Test("a reload that gives a view to others takes away what a program has added to it (F6, G1)")
  func reloadedRule() throws {
    let bench = try ExchangeBench()
    let (client, attachment) = try holder(bench, "right", user: 4002)
    var inner = GestureRecognizer.pan("drag")
    inner.view = "right/button"
    #expect(try add(inner, bench, client, attachment) == nil)
    #expect(try add(.pan("drag"), bench, client, attachment) == nil)
    let rule = "[[access]]\npath = \"right/button\"\nusers = [\"4001\"]\n"
    let new = try Configuration.parse([(file: "test.toml", text: twoWindows + rule)])
    _ = bench.exchange.apply(new)
    bench.exchange.endTurn()
    let recognizers = bench.exchange.pipeline.router.recognizers
    #expect(recognizers.id(of: "right/button#drag") == nil)
    #expect(recognizers.id(of: "right#drag") != nil)
  }

  @Test("one user's programs use their share of the numbers for recognizers, no other's (S16)")
  func share() throws {
    let bench = try ExchangeBench()
    let (client, attachment) = try holder(bench, "left")
    bench.exchange.gestures.numbers = NumberShares(of: .gestures, share: 2)
    for name in ["a", "b"] { #expect(try add(.pan(name), bench, client, attachment) == nil) }
    // What is refused for another reason uses none, and what goes gives none back.
    #expect(try add(.pan("b"), bench, client, attachment)?.code == .invalid)
    let (other, button) = try holder(bench, "right/button")
    let refusal = try #require(try add(.pan("c"), bench, other, button))
    #expect(refusal.code == .limit)
    #expect(refusal.text.contains("have added gestures 2 times, which is their share of all"))
    #expect(refusal.text.contains("gesture \"right/button#c\": the programs of this user"))
  }

  @Test("one more is refused once the numbers for recognizers are used up (F1, F5)")
  func numbersUsedUp() throws {
    let bench = try ExchangeBench()
    let (client, attachment) = try holder(bench, "left")
    bench.exchange.update { $0.numbers.recognizer = .max }
    let refusal = try add(.pan("drag"), bench, client, attachment)
    #expect(refusal?.code == .limit)
    #expect(refusal?.text.hasPrefix("the numbers for gestures are used up") == true)
  }
}
