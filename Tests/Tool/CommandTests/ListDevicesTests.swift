import Foundation
import TestSupport
import Testing

@Suite("touchroute list-devices")
struct ListDevicesTests {
  /// A device as the command describes it.
  private struct Listing: Decodable {
    struct Device: Decodable {
      var node: String
      var isTouchscreen: Bool
      var sentences: [String]
    }
    var devices: [Device]
  }

  @Test("Every input device of the machine is listed with what is to be said of it")
  func all() throws {
    let directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
    let result = try Command.run(
      ["list-devices", "--config", "panel.toml", "--json"], in: directory.url)
    #expect(result.status == 0)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let listing = try decoder.decode(Listing.self, from: Data(result.output.utf8))
    let nodes = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/input")) ?? []
    #expect(listing.devices.count == nodes.count { $0.hasPrefix("event") })
    #expect(listing.devices.allSatisfy { !$0.sentences.isEmpty })
    let text = try Command.run(["list-devices", "--config", "panel.toml"], in: directory.url)
    #expect(listing.devices.allSatisfy { text.output.contains($0.node) })
    #expect(!listing.devices.isEmpty || text.output == "there is no input device\n")
  }

  @Test("A configuration that was named must be valid")
  func badConfiguration() throws {
    let result = try Command.run(["list-devices", "--config", "/nowhere/a.toml"])
    #expect(
      result
        == .init(status: 1, output: "", errors: "/nowhere/a.toml: there is no such file\n"))
  }
}
