import Configuration
import Foundation
import Layout
import TestSupport
import Testing
import TouchModel

/// The layout of a configuration, and what it answers, as text.
struct ExampleLayout {
  var configuration: Configuration
  private let tester: HitTester

  var layout: Layout { configuration.layout }

  /// That of `config/examples/NAME.toml`, after a change where one is wanted.
  init(_ name: String, _ change: (inout LayoutDescription) -> Void = { _ in }) throws {
    let file = Repository.root.appending(path: "config/examples/\(name).toml")
    var configuration = try Configuration.load(files: [file.path])
    change(&configuration.layoutDescription)
    configuration.layout = try Layout(configuration.layoutDescription)
    self.init(configuration)
  }

  init(_ configuration: Configuration) {
    self.configuration = configuration
    tester = HitTester(configuration.layout)
  }

  /// The path of the view at a point, `-` for none; of the first screen, where none is named.
  func target(_ x: Double, _ y: Double, on screen: String? = nil) throws -> String {
    let index = try self.screen(screen)
    let point = Point(x: x, y: y)
    let found = tester.hitTest(point, on: index)
    // What is found does not depend on whether somebody watches (H8).
    #expect(tester.trace(point, on: index).target == found, "\(x), \(y)")
    return found.map(layout.path(of:)) ?? "-"
  }

  /// The calls of a hit-test, a line each.
  func trace(_ x: Double, _ y: Double, on screen: String? = nil) throws -> [String] {
    try tester.trace(Point(x: x, y: y), on: self.screen(screen)).lines(layout)
  }

  /// The names of the views whose hitTest is called, in the order of the calls.
  func asked(_ x: Double, _ y: Double, on screen: String? = nil) throws -> String {
    let trace = try tester.trace(Point(x: x, y: y), on: self.screen(screen))
    return trace.steps.compactMap { step in
      if case .hit(let view) = step { layout.name(of: view) } else { nil }
    }.joined(separator: ", ")
  }

  private func screen(_ name: String?) throws -> ScreenIndex {
    guard let name else { return ScreenIndex(0) }
    let index = try #require(layout.screens.firstIndex { $0.name == name })
    return ScreenIndex(Int32(index))
  }
}
