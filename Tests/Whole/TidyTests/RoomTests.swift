import Foundation
import TestSupport
import Testing

/// Who may know whom: the table of ARCHITECTURE.md, kept by a test.
@Suite("Rooms")
struct RoomTests {
  /// What the files of a room may import, beside the Swift library and Glibc.
  static let mayImport: [String: Set<String>] = [
    "TouchModel": [],
    "Layout": ["TouchModel"],
    "Wire": ["TouchModel"],
    "Gestures": ["TouchModel"],
    "Signals": ["TouchModel"],
    "Routing": ["Gestures", "Layout", "TouchModel", "Wire"],
    "LayoutDrawing": ["Layout", "TouchModel"],
    "ConsoleDrawing": ["CLinux", "TouchModel"],
    "DeviceRecordings": ["CLibevdev", "TouchModel"],
    "Examination": ["DeviceRecordings", "Signals", "TouchModel"],
    "Blanking": ["Layout", "TouchModel"],
    "InspectorLink": [],
    "Recovery": [],
    "touchroute-inspect": ["InspectorLink", "NIOCore", "NIOHTTP1", "NIOPosix"],
    "TouchScripts": [
      "Configuration", "DeviceRecordings", "FoundationEssentials", "Gestures", "Layout", "Routing",
      "Signals", "TouchClient", "TouchModel",
    ],
    "EventLoop": ["CSystemd", "CLinux"],
    "TouchInput": [
      "CLibinput", "CLinux", "EventLoop", "Signals", "TouchModel", "Logging",
    ],
    "Configuration": ["CToml", "Gestures", "Layout", "TouchModel"],
    "Server": [
      "CTouchroute", "CLinux", "EventLoop", "Gestures", "Routing", "Layout", "TouchModel", "Wire",
      "Logging",
    ],
    "DaemonLog": ["EventLoop", "TouchModel", "Logging"],
    "Exchange": [
      "CLinux", "CTouchroute", "Configuration", "EventLoop", "Gestures", "Layout", "Routing",
      "Server", "TouchModel", "Wire", "Logging",
    ],
    "TouchClient": ["CTouchroute", "TouchModel", "Wire"],
    "touchrouted": [
      "CLinux", "CTouchroute", "Configuration", "DaemonLog", "EventLoop", "Exchange", "Layout",
      "Routing", "Server", "Signals", "TouchInput", "TouchModel", "Logging",
    ],
    "touchroute": [
      "ArgumentParser", "Blanking", "CLinux", "CLogind", "CTouchroute", "Configuration",
      "ConsoleDrawing", "DeviceRecordings", "Examination", "FoundationEssentials", "Gestures",
      "InspectorLink", "Layout", "LayoutDrawing", "Recovery", "TouchClient", "TouchInput",
      "TouchModel", "TouchScripts",
    ],
  ]

  @Test("the table of ARCHITECTURE.md says of each room in Swift what it may import")
  func table() throws {
    let packages = ["swift-argument-parser": "ArgumentParser"]
    var rows: [String: Set<String>] = [:]
    for line in try SourceTree.file("ARCHITECTURE.md").lines {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, Int(cells[0]) != nil, Self.mayImport[cells[1]] != nil else {
        continue
      }
      let names = cells[3] == "-" ? [] : cells[3].components(separatedBy: ", ")
      rows[cells[1]] = Set(names.map { packages[$0] ?? $0 })
    }
    // Of swift-log the page says in a sentence who uses it.
    #expect(rows == Self.mayImport.mapValues { $0.subtracting(["Logging"]) })
  }

  @Test("no room imports what the table does not allow it", arguments: mayImport.keys.sorted())
  func imports(room: String) throws {
    let allowed = try #require(Self.mayImport[room]).union(["Glibc", "Musl", "Synchronization"])
    var found: [String] = []
    for file in try SourceTree.files(below: folder(of: room), endings: [".swift"]) {
      for line in file.lines {
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), keyword <= 1, words.count > keyword + 1
        else { continue }
        let module = String(words[keyword + 1])
        if !allowed.contains(module) { found.append("\(file.path) imports \(module)") }
      }
    }
    #expect(found == [])
  }

  @Test("every folder of Sources is a room of the table, or a face of a C library, in its group")
  func roomsAreKnown() throws {
    let faces: Set = [
      "CLibinput", "CLibevdev", "CSystemd", "CLinux", "CToml", "CTouchroute", "CLo",
      "CLogind", "CMosquitto",
    ]
    let inC: Set = [
      "COutput", "touchroute-uinput", "CFeed", "CTuio", "touchroute-tuio", "touchroute-mqtt",
      "touchroute-feedback",
    ]
    let rooms = try Self.groups().flatMap(\.value)
    #expect(Set(rooms).subtracting(faces).subtracting(inC).subtracting(Self.mayImport.keys) == [])
  }

  @Test("ARCHITECTURE.md names the rooms of each group of Sources")
  func groupsAreNamed() throws {
    var named: [String: Set<String>] = [:]
    for line in try SourceTree.file("ARCHITECTURE.md").lines {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let group = cells[0].wholeMatch(of: #/`Sources/(\w+)`/#) else {
        continue
      }
      named[String(group.1)] = Set(cells[2].components(separatedBy: ", "))
    }
    #expect(named == (try Self.groups().mapValues { Set($0) }))
  }

  /// The folders of Sources, each with the rooms in it.
  private static func groups() throws -> [String: [String]] {
    let sources = Repository.root.appendingPathComponent("Sources")
    let groups = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    return Dictionary(
      uniqueKeysWithValues: try groups.map { group in
        let folder = sources.appendingPathComponent(group).path
        return (group, try FileManager.default.contentsOfDirectory(atPath: folder))
      })
  }

  private func folder(of room: String) throws -> String {
    let group = try #require(try Self.groups().first { $0.value.contains(room) }?.key)
    return "Sources/\(group)/\(room)"
  }

  /// The rooms that are public, each with the reason. All others are for this package alone.
  static let isPublic = [
    "TouchClient": "a product",
    "TouchModel": "the vocabulary of TouchClient",
    "EventLoop": "the vocabulary of Server",
    "Layout": "the vocabulary of Routing",
    "Routing": "on a touch's way, where the compiler looks through public functions alone",
    "Signals": "on a touch's way, where the compiler looks through public functions alone",
    "Server": "on a touch's way, where the compiler looks through public functions alone",
    "Wire": "on a touch's way, where the compiler looks through public functions alone",
  ]

  @Test("what only our own targets need is not public")
  func access() throws {
    for room in Self.mayImport.keys.sorted() {
      let lines = try SourceTree.files(below: folder(of: room), endings: [".swift"])
        .flatMap(\.code)
      let isPublic = lines.contains { line in
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
        return words.first == "public" && words.dropFirst().first != "import"
      }
      #expect(isPublic == (Self.isPublic[room] != nil), "\(room)")
    }
  }
}
