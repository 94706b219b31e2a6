import TestSupport
import Testing
import TouchModel

@testable import Gestures

@Suite("Recognizers that come and go")
struct ChangingRecognizersTests {
  private static let kinds: [GestureKind] = [
    .taps(1), .taps(2), .taps(3), .pan(), .pan(slop: 20, .horizontal), .press,
  ]
  private static let scripts = [
    "began 0 9 9;frame;ended 0;frame;wait 100;began 0 9 9;frame;wait 10;ended 0;frame",
    "began 0 300 200;frame;wait 30;moved 0 330 200;frame;wait 30;ended 0;frame",
    "began 0 9 9;frame;wait 600;moved 0 40 9;frame;ended 0;frame",
  ]

  private func named(
    _ name: String, of names: [String], _ random: inout some RandomNumberGenerator
  ) -> Named {
    let depth = Int.random(in: 0..<3, using: &random)
    return Named(name, Self.kinds.randomElement(using: &random) ?? .press, depth: depth).with {
      $0.description.hasPriority = Int.random(in: 0..<5, using: &random) == 0
      // Those that come later wait for those before, so there is no circle.
      let before = names.prefix { $0 != name }
      if Bool.random(using: &random) { $0.after = before.suffix(1) }
      if Bool.random(using: &random) {
        $0.simultaneous = Array(names.shuffled(using: &random).prefix(2))
      }
    }
  }

  @Test(
    "those that came one by one, amid others that went, are as those that were there (G5 to G7)")
  func asIfTheyHadBeenThere() {
    for seed in Seeds.fresh(300) {
      var random = SeededGenerator(seed: seed)
      let names = ["a", "b", "c", "d", "e", "f"]
      let recognizers = names.map { named($0, of: names, &random) }
      let others = ["x", "y", "z"].map { named($0, of: names + ["x", "y", "z"], &random) }
      for script in Self.scripts {
        let fresh = GestureBench(recognizers)
        let grown = GestureBench(recognizers, amid: others, shuffling: seed)
        _ = (fresh.play(script), grown.play(script))
        #expect(grown.finish() == fresh.finish(), "seed \(seed): \(recognizers)")
      }
    }
  }

  @Test("one that is put in the place of another one keeps its rank, and that one's touches (G5)")
  func replaced() {
    let bench = GestureBench([Named("first", .pan()), Named("second", .pan())])
    _ = bench.play("began 0 300 200;frame")
    bench.put(Named("first", .pan()))
    #expect(!bench.isIdle)
    bench.put(Named("first", .pan(slop: 5)))
    _ = bench.play(
      "ended 0;frame;wait 10;began 0 300 200;frame;moved 0 330 200;frame;ended 0;frame")
    #expect(
      bench.finish() == [
        "0 second failed: lifted before", "10 first began", "10 second failed: first recognized",
        "10 first ended",
      ])
  }
}
