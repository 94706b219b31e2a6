import Signals
import TestSupport
import Testing
import TouchModel

@Suite("Faults injected into recordings")
struct FaultTests {
  /// What became of real contacts and of faults.
  private struct Tally {
    var real = 0
    var lost = 0
    var ghosts = 0
    var bounces = 0
    /// Contacts that began where no real one landed.
    var extra = 0
  }

  private func tally(seed: UInt64) throws -> Tally {
    var random = SeededGenerator(seed: seed)
    var tally = Tally()
    for name in Recording.names {
      let recording = try Recording(name)
      for _ in 0..<12 {
        let panel = FaultyPanel(recording, &random)
        var bench = SignalBench {
          $0.bridge = .init(milliseconds: 25)
          $0.minimumContactMilliseconds = 15
        }
        panel.play(&bench)
        var began: [Point] = []
        for case .down(_, _, _, let point, _) in bench.events { began.append(point) }
        for landing in panel.landings {
          if let index = began.firstIndex(of: landing) {
            began.remove(at: index)
          } else {
            tally.lost += 1
          }
        }
        tally.real += panel.landings.count
        tally.ghosts += panel.ghostCount
        tally.bounces += panel.bounceCount
        tally.extra += began.count
        #expect(bench.mistake == nil)
      }
    }
    return tally
  }

  @Test("99 % of ghosts are dropped, 95 % of bounces bridged, and no tap is lost (N2, N3)")
  func ghostsAndBounces() throws {
    let seed = Seeds.fresh()
    let tally = try tally(seed: seed)
    let words: Comment = "\(tally), seed \(seed)"
    print("faults: \(words)")
    #expect(tally.real > 100 && tally.bounces > 50 && tally.ghosts > 300)
    #expect(Double(tally.lost) <= 0.001 * Double(tally.real), words)
    // Whatever begins elsewhere is a ghost or the rest of a bounce.
    #expect(Double(tally.extra) <= 0.01 * Double(tally.ghosts), words)
    #expect(Double(tally.extra) <= 0.05 * Double(tally.bounces), words)
  }
}
