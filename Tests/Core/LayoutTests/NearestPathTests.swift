import TestSupport
import Testing
import TouchModel

@testable import Layout

@Suite("The path that was meant")
struct NearestPathTests {
  /// The plain distance, as the oracle: letters to insert, remove, replace or swap.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var table = [[Int]](
      repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
    for row in 0...left.count { table[row][0] = row }
    for column in 0...right.count { table[0][column] = column }
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    for row in 1...left.count {
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var cost = min(
          table[row - 1][column - 1] + (isSame ? 0 : 1), table[row - 1][column] + 1,
          table[row][column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          cost = min(cost, table[row - 2][column - 2] + 1)
        }
        table[row][column] = cost
      }
    }
    return table[left.count][right.count]
  }

  @Test("the distance along the diagonal is the plain one, where it is small enough to matter")
  func diagonal() {
    let seed = Seeds.fresh()
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<3_000 {
      let name = (0..<1 + next(12)).map { _ in UInt8(ascii: "a") + UInt8(next(3)) }
      var other = name
      for _ in 0..<next(5) {
        let place = next(other.count + 1)
        switch next(3) {
        case 0: other.insert(UInt8(ascii: "a") + UInt8(next(3)), at: place)
        case 1 where place < other.count: other.remove(at: place)
        default: if place + 1 < other.count { other.swapAt(place, place + 1) }
        }
      }
      let plain = Self.distance(name, other)
      let allowed = min(NearestName.mostWrong, max(1, max(name.count, other.count) / 3))
      var search = NearestName(name)
      let isNear = other.withUnsafeBytes { search.consider($0) }
      #expect(
        isNear == (plain > 0 && plain <= allowed && !other.isEmpty),
        "seed \(seed): \(name) and \(other): \(plain)")
    }
  }

  /// Names that are hard to tell apart: the work is done to their ends.
  private static func similar(_ count: Int, length: Int) -> [String] {
    (0..<count).map { number in
      let digits = String(number)
      return String(repeating: "x", count: length - digits.count) + digits
    }
  }

  /// The most that a search may have compared: it ends once the limit is passed, with one name.
  private static let bound = NearestName.workLimit + NearestName.longestName * 7 + 16

  @Test("whatever is asked, and in whatever layout, the work is bounded (F1, F5, S3)")
  func bounded() throws {
    var many = Scene()
    for name in Self.similar(1_200, length: 250) {
      many.window(name, Rect(0, 0, 10, 10), application: "app" + name.dropFirst(3))
    }
    for name in Self.similar(3_000, length: 200) {
      many.view("\(Self.similar(1, length: 250)[0])/\(name)", Rect(0, 0, 1, 1))
    }
    let layout = try many.layout()
    let window = Self.similar(1, length: 250)[0]
    let long = String(repeating: "x", count: 3000)
    let paths = [
      String(repeating: "x", count: 249) + "y", String(repeating: "x", count: 248) + "yy",
      window + "/" + String(repeating: "x", count: 198) + "yy", long, window + "/" + long,
      "app:" + long, "app:app" + String(repeating: "x", count: 244) + "yyy",
      String(repeating: "x/", count: 1500), String(repeating: "/", count: 3000),
      window + "@" + long,
      "", "@", "app:",
    ]
    for path in paths {
      var search = NearestPath(in: layout)
      _ = search.find(path)
      #expect(search.work <= Self.bound, "\(path.prefix(40)) of \(path.utf8.count) bytes")
    }
    // All of that would hold for a search that does nothing.
    var search = NearestPath(in: layout)
    #expect(search.find(String(repeating: "x", count: 246) + "yyyy") == nil)
    #expect(search.work > 10_000)
  }

  @Test("a name longer than a name may be is not looked for")
  func longName() throws {
    var scene = Scene()
    scene.window("home", Rect(0, 0, 10, 10))
    let layout = try scene.layout()
    var search = NearestPath(in: layout)
    #expect(search.find(String(repeating: "h", count: 256)) == nil)
    #expect(search.work == 0)
  }

  @Test("letters that were swapped are one mistake, and the nearest of several wins")
  func nearest() {
    func nearest(to name: String, among names: [String]) -> String? {
      var search = NearestName(name.utf8)
      return search.nearest(among: names)
    }
    #expect(nearest(to: "hmoe", among: ["help", "home", "hole"]) == "home")
    #expect(nearest(to: "home", among: ["home"]) == nil)
    #expect(nearest(to: "xyz", among: ["home", ""]) == nil)
    #expect(nearest(to: "", among: ["a"]) == nil)
  }
}
