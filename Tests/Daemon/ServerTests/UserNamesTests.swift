import Foundation
import TestSupport
import Testing

@testable import Server

@Suite("UserNames")
struct UserNamesTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("passwd") }

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  @Test("the file is read once for any number of names, known or not (F1)")
  func once() throws {
    try write("root:x:0:0::/root:/bin/sh\nkiosk:x:1000:1000::/:/bin/sh\n")
    var names = UserNames(path: path)
    #expect(names.readCount == 0)
    for uid in UInt32(0)..<2000 {
      let name = names.name(of: uid, at: UInt64(uid) * 100_000)
      #expect(name == (uid == 0 ? "user root" : uid == 1000 ? "user kiosk" : "uid \(uid)"))
    }
    #expect(names.readCount == 1)
  }

  @Test("a changed file is read again after 10 s, or when it is to be looked at again")
  func changed() throws {
    try write("kiosk:x:1000:1000::/:/bin/sh\n")
    var names = UserNames(path: path)
    #expect(names.name(of: 1000, at: 1) == "user kiosk")
    try write("till:x:1000:1000::/:/bin/sh\n")
    #expect(names.name(of: 1000, at: 10_000_000) == "user kiosk")
    #expect(names.name(of: 1000, at: 10_000_001) == "user till")
    try write("shop:x:1000:1000::/:/bin/sh\n")
    names.lookAgain()
    #expect(names.name(of: 1000, at: 10_000_002) == "user shop")
    unlink(path)
    names.lookAgain()
    #expect(names.name(of: 1000, at: 10_000_003) == "uid 1000")
    #expect(names.readCount == 3)
  }

  @Test("files that are read side by side have their own names")
  func sideBySide() async throws {
    let long = String(repeating: "long", count: 1000)
    try write((0..<500).map { "u\($0):x:\($0):0:\(long):/:/bin/sh\n" }.joined())
    let path = path
    let wrong = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<50).count { _ in
            var names = UserNames(path: path)
            return (0..<500).contains { names.name(of: $0, at: 0) != "user u\($0)" }
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test("of a long file the first 1024 users have names (F5)")
  func long() throws {
    try write((0..<5000).map { "u\($0):x:\($0):0::/:/bin/sh\n" }.joined())
    var names = UserNames(path: path)
    #expect(names.name(of: 1023, at: 0) == "user u1023")
    #expect(names.name(of: 1024, at: 0) == "uid 1024")
  }
}
