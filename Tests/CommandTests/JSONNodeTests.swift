import Foundation
import Testing

@testable import touchroute

/// What the tool's JSON is, by Foundation's encoder.
@Suite("JSON")
struct JSONNodeTests {
  struct Sample: Encodable {
    struct Inner: Encodable {
      var zebra: [Double]
      var apple: [String: Int]
    }

    enum Phase: String, Encodable { case began }

    var text = "a \"quoted\" \\ path/with/slashes, \n\r\t\u{1}\u{1f} and grüße 👆"
    var truth = true
    var counts: [UInt64] = [0, .max]
    var negative = Int32.min
    var numbers = [0, -0.0, 400, 0.1, 1.5e-7, 1e300, -33.25]
    var none: Int?
    var some: Int? = 7
    var optionals: [Int?] = [nil, 1]
    var phase = Phase.began
    var inner = Inner(zebra: [], apple: ["b": 1, "a": 2])
    var empty: [String: String] = [:]
    var pairs = [[1.0, 2.0], []]
  }

  @Test("a value is written as Foundation's encoder writes it, with its keys in order")
  func sameAsFoundation() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let expected = String(decoding: try encoder.encode(Sample()), as: UTF8.self)
    #expect(try jsonLine(Sample()) == expected)
  }

  @Test("a number that JSON does not have is an error, not a line")
  func notANumber() {
    #expect(throws: Failure.self) { try jsonLine([Double.nan]) }
  }
}
