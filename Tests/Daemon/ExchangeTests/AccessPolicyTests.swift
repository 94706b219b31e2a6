import Configuration
import Layout
import Routing
import Testing
import TouchModel

@testable import Exchange

@Suite("Access policy")
struct AccessPolicyTests {
  private static let text = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    application = "app"
    [[view]]
    path = "home/bar"
    frame = [0, 0, 800, 50]
    controller = "bar"
    [[view]]
    path = "home/bar/back"
    frame = [0, 0, 50, 50]
    [[access]]
    path = "home/bar"
    users = ["7"]

    """

  private static let me = ClientID(slot: 1, generation: 1)

  private func program(user: UInt32, isControl: Bool = false) -> ConnectedProgram {
    ConnectedProgram(
      client: Self.me, isControl: isControl, user: user, groups: [], name: "pid 1 (me)")
  }

  private func right(
    _ path: String, _ program: ConnectedProgram, holding held: String...
  ) throws -> AccessPolicy.Right? {
    let configuration = try Configuration.parse([(file: "test.toml", text: Self.text)])
    var pipeline = TouchPipeline(layout: configuration.layout)
    for path in held {
      _ = try pipeline.attach(
        AttachRequest(path: path), by: program.client, at: Timestamp(microseconds: 0))
    }
    let holders = pipeline.router.attachments
    let policy = AccessPolicy(configuration, layout: configuration.layout, holders)
    return try policy.right(to: ViewChange(path, .hidden(true)), by: program)
  }

  @Test(
    "a change is made by the nearest attachment up the chain, by a rule, or by control (L6, F7)")
  func rights() throws {
    let one = AccessPolicy.Right.attachment(AttachmentID(1))
    #expect(try right("home", program(user: 5), holding: "home", "app:app") == one)
    #expect(try right("home", program(user: 5), holding: "app:app") == one)
    #expect(try right("home/bar/back", program(user: 7)) == .rule(within: 2))
    #expect(try right("home/bar/back", program(user: 7), holding: "home/bar") == .rule(within: 2))
    #expect(try right("home", program(user: 5, isControl: true)) == .control)
    #expect(try right("home/none", program(user: 5)) == nil)
    // What a recognizer is set by is what its view is.
    #expect(try right("home/bar/back#x", program(user: 7)) == .rule(within: 2))
    #expect(try right("home#x", program(user: 5), holding: "home") == one)
    #expect(try right("screen:panel#x", program(user: 5, isControl: true)) == nil)
  }

  @Test("nothing that a program holds gives a right that a rule takes (F7, S21)")
  func refusals() {
    for held in [["home"], ["home/bar"], ["home/bar/back"], ["app:app"], ["home/bar@bar"]] {
      for path in ["home/bar/back", "home/bar/back#x", "home/bar#x", "screen:panel#x"] {
        #expect(throws: AccessPolicy.Refusal.self) {
          _ = try right(path, program(user: 5), holding: held[0])
        }
      }
    }
    #expect(throws: AccessPolicy.Refusal.self) { _ = try right("home", program(user: 7)) }
    #expect(throws: AccessPolicy.Refusal.self) { _ = try right("home", program(user: 0)) }
  }
}
