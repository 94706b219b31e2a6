import Layout
import Measuring
import TouchModel

/// What it takes to change a list in a layout and the hit-tester that goes along with it, and to
/// look up a point in a list that was changed.
enum Lists {
  static func time() throws(LayoutError) {
    print("\na change of a list, and a lookup in it as compiled and after: us and ns\n")
    print(row(["rows", "first us", "scroll us", "frame us", "hidden us", "compiled", "scrolled"]))
    for rows in [10, 1000, 10_000, 100_000] {
      let description = Layouts.list(rows)
      var limits = LayoutLimits.default
      limits.views = 2_000_000
      let layout = try Layout(description, limits: limits)
      var tester = HitTester(layout)
      var changed = [lookup(tester)]
      let start = processorTime()
      var editor = LayoutEditor(layout, of: description, limits: limits)
      scroll(&editor, &tester, 0)
      var times = [processorTime() - start]
      for change in [scroll, moveRow, hideRow] {
        times.append(
          median(
            (0..<501).map { number in
              let start = processorTime()
              change(&editor, &tester, number)
              return processorTime() - start
            }))
      }
      changed.append(lookup(tester))
      print(
        row(["\(rows)"] + times.map { fixed($0 / 1000, 1) } + changed.map { fixed($0, 1) }))
    }
  }

  private static func row(_ cells: [String]) -> String {
    cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
  }

  private static func set(
    _ path: String, _ property: ViewChange.Property, _ editor: inout LayoutEditor,
    _ tester: inout HitTester
  ) {
    precondition(editor.apply([[ViewChange(path, property)]]) == [nil], "it is possible")
    tester.move(to: editor.layout)
  }

  private static func scroll(_ editor: inout LayoutEditor, _ tester: inout HitTester, _ n: Int) {
    set("w/list", .boundsOrigin(Point(x: 0, y: Double(n % 40) * 7)), &editor, &tester)
  }

  private static func moveRow(_ editor: inout LayoutEditor, _ tester: inout HitTester, _ n: Int) {
    let frame = Rect(x: Double(n % 9), y: 50, width: 1800, height: 50)
    set("w/list/1", .frame(frame), &editor, &tester)
  }

  private static func hideRow(_ editor: inout LayoutEditor, _ tester: inout HitTester, _ n: Int) {
    set("w/list/1", .hidden(n % 2 == 0), &editor, &tester)
  }

  /// Nanoseconds, as a median of rounds.
  private static func lookup(_ tester: HitTester) -> Double {
    var random = SeededGenerator(state: 11)
    let points = (0..<20_000).map { _ in
      Point(
        x: Double.random(in: 0..<Layouts.size.width, using: &random),
        y: Double.random(in: 0..<Layouts.size.height, using: &random))
    }
    var sum = 0
    let times = (0..<21).map { _ in
      let start = processorTime()
      for point in points {
        sum &+= Int(tester.hitTest(point, on: ScreenIndex(0))?.rawValue ?? -1)
      }
      return (processorTime() - start) / Double(points.count)
    }
    precondition(sum != 0, "something was hit")
    return median(times)
  }
}
