import Configuration
import TestSupport
import Testing

@Suite("Whether a configuration has changed")
struct FingerprintTests {
  @Test("every byte of every file counts, and the accounts; a file that is touched does not")
  func changes() throws {
    let directory = try TemporaryDirectory()
    let main = try directory.write("touchroute.toml", "a = 1\n")
    let accounts = try directory.write("passwd", "kiosk:x:1000:")
    func fingerprint() -> ConfigurationFingerprint? {
      ConfigurationFingerprint(of: main, accounts: [accounts])
    }
    let first = try #require(fingerprint())
    try directory.write("touchroute.toml", "a = 1\n")
    #expect(fingerprint() == first)
    var seen = [first]
    func expectNew() throws {
      let new = try #require(fingerprint())
      #expect(!seen.contains(new))
      seen.append(new)
    }
    try directory.write("touchroute.toml", "a = 2\n")
    try expectNew()
    try directory.write("conf.d/10.toml", "# none")
    try expectNew()
    try directory.write("conf.d/10.toml", "b = 1")
    try expectNew()
    try directory.write("conf.d/20.toml", "b = 1")
    try expectNew()
    // The rules for access go by names.
    try directory.write("passwd", "kiosk:x:1001:")
    try expectNew()
    #expect(ConfigurationFingerprint(of: main + ".not") == nil)
  }
}
