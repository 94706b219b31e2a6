import TestSupport
import Testing
import TouchModel

@testable import Layout

@Suite("What is charged for what is set and added")
struct KeptBytesTests {
  /// What docs/configuration.md says of a property that is set.
  private func bytes(of property: ViewChange.Property) -> Int {
    switch property {
    case .shape(.polygon(let points)): 256 + 64 + 16 * points.count
    case .inside(.children(let names)):
      names.reduce(256) { $0 + 64 + $1.utf8.count }
    case .hit(.redirect(let path)), .hit(.first(let path)): 256 + 64 + path.utf8.count
    case .label(let text), .feedback(let text): text.isEmpty ? 256 : 256 + 64 + text.utf8.count
    default: 256
    }
  }

  private func bytes(of editor: LayoutEditor, by setter: LayoutSetter) -> Int {
    let set = editor.changes.filter { $0.setter == setter }
      .reduce(0) { $0 + bytes(of: $1.change.property) }
    let added = editor.added.filter { $0.setter == setter }
      .reduce(0) { $0 + 3072 + 4 * $1.view.path.utf8.count }
    return set + added
  }

  @Test("what is charged is by the list, whatever is set, refused, added and ends (F5)")
  func charges() throws {
    var description = LayoutDescription(screens: [
      Screen(name: "s", size: Size(width: 300, height: 100))
    ])
    let whole = ViewProperties(frame: FrameDescription(Rect(x: 0, y: 0, width: 300, height: 100)))
    description.windows = [.init(name: "w", screen: ScreenIndex(0), properties: whole)]
    description.views = ["w/a", "w/b"].map { .init(path: $0, properties: whole) }
    var editor = LayoutEditor(try Layout(description), of: description)
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let number = UInt32.random(in: 1...3, using: &random)
      let setter: LayoutSetter =
        number == 3
        ? .named(1, within: UInt16.random(in: 0...2, using: &random)) : .attachment(number)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: _ = editor.end { other, _ in other == setter }
      case 1:
        _ = editor.apply([[SetChange(ViewChange("w/a", .hidden(true)), by: .administrator(0))]])
      case 2, 3:
        let name = "w/a/" + String(repeating: "n", count: Int.random(in: 1...9, using: &random))
        let view = LayoutDescription.View(path: name, properties: whole)
        _ = editor.apply([.add(view)], by: .attachment(number))
      case 4:
        _ = editor.added.first.map { editor.apply([.remove($0.view.path)], by: $0.setter) }
      case 5: _ = editor.move(to: try Layout(description), of: description, limits: .default)
      default:
        let properties: [ViewChange.Property] = [
          .alpha(0.5), .alpha(2), .hidden(true), .inside(.children(["nn"])),
          .label("Menü"), .label(""), .feedback("click"), .feedback(""), .hit(.redirect("n")),
          .shape(
            .polygon((0..<Int.random(in: 3...9, using: &random)).map { Point(x: Double($0), y: 0) })
          ),
        ]
        let property = try #require(properties.randomElement(using: &random))
        let path = try #require(["w/a", "w/b"].randomElement(using: &random))
        let before = editor.keptBytes { $0 == setter }
        let isRefused = Bool.random(using: &random)
        var growth = 0
        let change = SetChange(ViewChange(path, property), by: setter)
        let refusal = editor.apply(
          [[change]],
          charging: { _, bytes in
            growth = bytes
            return isRefused ? "no" : nil
          })
        let now = editor.keptBytes { $0 == setter }
        #expect(now == (refusal == [nil] ? before + growth : before), "seed \(seed)")
        if isRefused { #expect(refusal != [nil]) }
      }
      for setter in Set(editor.changes.map(\.setter) + editor.added.map(\.setter)) {
        let isAdministrator = setter == .administrator(0)
        let expected = isAdministrator ? 0 : bytes(of: editor, by: setter)
        try #require(
          editor.keptBytes { $0 == setter } == expected, "seed \(seed), round \(round): \(setter)")
      }
    }
    _ = editor.end { setter, _ in setter != .administrator(0) }
    #expect(editor.allKeptBytes == 0, "seed \(seed)")
  }
}
