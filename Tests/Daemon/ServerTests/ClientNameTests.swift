import CTouchroute
import Testing

@testable import Server

@Suite("Names of clients")
struct ClientNameTests {
  @Test(
    "a name that can't be printed as it is is refused at hello, in words (F4, S33)",
    arguments: [
      ("nav\nERROR: stolen", "U+000A"), ("\u{1b}[2J", "U+001B"), ("\u{202e}gnp.exe", "U+202E"),
      ("a\u{200b}b", "U+200B"), ("a\u{2028}b", "U+2028"), ("\u{9b}31m", "U+009B"),
      ("\u{e0041}", "U+E0041"), ("   ", "nothing that can be seen"),
      ("\u{3164}", "nothing that can be seen"),
    ])
  func refused(name: String, words: String) throws {
    let world = try World()
    let client = try world.connect()
    client.send(RequestBytes.hello(name: name))
    let last = try world.lastWords(to: client)
    #expect(last.count == 2)
    #expect(last.first?.errorText.contains(words) == true, "\(last.first?.errorText ?? "")")
    #expect(last.first?.errorText.hasSuffix("choose another name") == true)
    // What it says can be printed itself.
    #expect(last.first?.errorText.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
  }

  @Test("names in every script are names", arguments: ["nav-app 2", "Küche", "ナビ", "🚗 dash", "x"])
  func accepted(name: String) throws {
    let world = try World()
    _ = try world.greeted(name: name)
  }
}
