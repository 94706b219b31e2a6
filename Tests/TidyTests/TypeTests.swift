import Foundation
import Testing

/// A type has its state to itself: what may touch it can be read in one sitting.
@Suite("Types")
struct TypeTests {
  static let fileLimit = 3
  static let lineLimit = 400
  static let propertyLimit = 12

  /// The types that are larger, each with the reason.
  static let larger: [String: String] = [
    "Configuration.Field": "reads a value of each kind: a file for each kind's syntax",
    "Configuration.Limits": "one property a limit",
    "Configuration.JSONValue": "values of the schema are made beside what they describe",
    "Gestures.Fingers": "what the fingers of a recogniser measure, value by value",
    "Gestures.GestureKind": "each kind has a file, and says there what is its own",
    "Gestures.Recognizer": "what its kind, its fingers and the frame at hand have come to",
    "Routing.Deliveries.Record": "a touch as clients are told of it, field by field",
    "TouchClient.DescribedView": "a view as clients are told of it, field by field",
    "TouchClient.Gesture": "a gesture as clients are told of it, field by field",
    "TouchClient.GestureRecognizer": "a recogniser as it may be asked for, field by field",
    "TouchClient.RoutedTouch": "a touch as clients are told of it, field by field",
    "touchroute.GestureReport": "an object of JSON, field by field",
    "touchroute.ListedDevices.Device": "an object of JSON, field by field",
    "touchroute.ListenedEvent": "an object of JSON, field by field",
    "touchroute.ListenedEvent.Touch": "an object of JSON, field by field",
    "TouchScripts.RehearsedLine": "an object of JSON, field by field",
    "touchroute.ListenedGesture": "an object of JSON, field by field",
    "touchroute.StatusReport": "an object of JSON, field by field",
    "touchroute.TreeReport.ViewReport": "an object of JSON, field by field",
  ]

  @Test("a type has at most 3 files, 400 lines and 12 stored properties, or is listed")
  func sizes() throws {
    let found = try RoomTests.mayImport.keys.sorted().flatMap { room in
      TypeMeasure.all(
        of: room, in: try SourceTree.files(below: "Sources/\(room)", endings: [".swift"]))
    }
    #expect(found.count > 200)
    let large = found.filter {
      $0.files.count > Self.fileLimit || $0.lines > Self.lineLimit
        || $0.storedProperties > Self.propertyLimit
    }
    let unlisted = large.filter { Self.larger[$0.name] == nil }
    #expect(
      unlisted.map {
        "\($0.name): \($0.files.count) files, \($0.lines) lines, "
          + "\($0.storedProperties) stored properties"
      } == [])
    let listed = Set(Self.larger.keys).subtracting(large.map(\.name)).sorted()
    #expect(listed == [], "listed as larger, and is not: take it off the list")
  }

  @Test("what a type is made of is counted through its extensions, without the types in it")
  func measures() throws {
    let one = SourceFile(
      path: "One.swift",
      lines: """
        final class Outer {
          private let first: Int
          private(set) var second = 2
          var third: Int? {
            didSet { changed() }
          }
          static let shared = 4
          var computed: Int { 5 }
          lazy var sixth: [Int] = { [6] }()

          struct Inner: Sendable {
            var only: Int
          }
        }
        """.components(separatedBy: "\n"))
    let two = SourceFile(
      path: "Two.swift",
      lines: """
        extension Outer {
          var more: Int { 7 }
        }
        extension Array {
          func none() {}
        }
        """.components(separatedBy: "\n"))
    let found = TypeMeasure.all(of: "Room", in: [one, two])
    #expect(found.map(\.name) == ["Room.Outer", "Room.Outer.Inner"])
    #expect(found.map(\.storedProperties) == [4, 1])
    #expect(found.map(\.lines) == [14, 3])
    #expect(found.map(\.files.count) == [2, 1])
  }
}
