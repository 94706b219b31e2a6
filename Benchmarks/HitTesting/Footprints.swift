import CAllocationCount
import Layout
import Measuring

/// How many bytes of the heap a view takes, in each of the forms in which a daemon keeps it.
enum Footprints {
  static func count() throws(LayoutError) {
    print(
      "\nbytes of the heap a view: the daemon keeps all of these, the editor once something is set\n"
    )
    print(row(["layout", "views", "described", "laid out", "compiled", "together", "editor"]))
    let layouts: [(String, () -> LayoutDescription)] = [
      ("wide 1,000", { Layouts.wide(1_000) }), ("wide 100,000", { Layouts.wide(100_000) }),
      ("nested 100x100x100", { Layouts.nested([10, 10, 10], [10, 10, 10]) }),
    ]
    for (name, make) in layouts { print(try row(cells(name, make))) }
  }

  private static func cells(
    _ name: String, _ make: () -> LayoutDescription
  ) throws(LayoutError) -> [String] {
    var limits = LayoutLimits.default
    limits.views = 2_000_000
    let start = allocated_bytes()
    // As long as it has to be: arrays that have grown one by one are half empty.
    var description = make()
    description.views = Array(description.views.lazy.map(\.self))
    let described = allocated_bytes()
    let layout = try Layout(description, limits: limits)
    let laidOut = allocated_bytes()
    let tester = HitTester(layout)
    let compiled = allocated_bytes()
    let editor = LayoutEditor(layout, of: description, limits: limits)
    let edited = allocated_bytes()
    let views = Double(layout.viewCount)
    let steps = [
      described - start, laidOut - described, compiled - laidOut, compiled - start,
      edited - compiled,
    ]
    withExtendedLifetime((description, tester, editor)) {}
    return [name, "\(layout.viewCount)"] + steps.map { fixed(Double($0) / views, 0) }
  }

  private static func row(_ cells: [String]) -> String {
    cells.enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(1, (index == 0 ? 20 : 11) - cell.count))
      return index == 0 ? cell + padding : padding + cell
    }.joined()
  }
}
