import TestSupport
import Testing
import TouchModel

@testable import Signals

@Suite("Palms (N12)")
struct PalmTests {
  private func bench(_ size: Double? = nil, _ aspect: Double? = nil) -> SignalBench {
    SignalBench { $0.palm = .init(size: size, aspect: aspect) }
  }

  @Test("a contact of the size of a palm never begins; one that grows is cancelled for good (N12)")
  func size() {
    var bench = bench(25)
    bench.observe()
    bench.size(0, 25, 20)
    bench.play("0 down 0 100 100")
    bench.size(1, 10, 9)
    bench.play("10 down 1 200 100; 10 move 0 100 101")
    bench.size(1, 24.9, 9)
    bench.play("20 move 1 201 100")
    bench.size(1, 25, 9)
    bench.play("30 move 1 202 100")
    bench.size(1, 10, 9)
    bench.play("40 move 1 203 100; 50 up 1; 50 up 0")
    // The next contact in the slot is another one.
    bench.play("60 down 1 300 100; 70 up 1")
    #expect(
      bench.text == """
        10: +a 200 100
        20: a 201 100
        30: !a palm
        60: +b 300 100
        70: -b
        """)
    #expect(bench.notes == ["0 palm 100 100", "30 palm 202 100 of a"])
    #expect(bench.stage.counts(of: SignalBench.device)?[.palm] == 2)
  }

  @Test("a long contact is a palm from 10 mm on; a side of 0 is not known (N12)")
  func aspect() {
    for (major, minor, isPalm) in [
      (9.9, 1, false), (10, 4, true), (10, 4.1, false), (30, 0, false), (0, 0, false),
      (40, 40, false), (25, 10, true),
    ] {
      var bench = bench(nil, 2.5)
      bench.size(0, major, minor)
      bench.play("0 down 0 100 100; 10 up 0")
      #expect(bench.text.isEmpty == isPalm, "\(major) by \(minor)")
    }
  }

  @Test("sizes of slots without a contact, and of devices without the filter, change nothing (N12)")
  func strays() {
    var palms = bench(25)
    for slot in [-1, 255, 256, Int32.max, Int32.min] { palms.size(slot, 100, 100) }
    palms.play("0 down -1 100 100; 10 up -1; 20 down 3 100 100; 30 up 3")
    #expect(palms.text == "0: +a 100 100\n10: -a\n20: +b 100 100\n30: -b")
    var others = SignalBench { $0.edge = 4 }
    others.size(0, 100, 100)
    others.play("0 down 0 100 100; 10 up 0")
    #expect(others.text == "0: +a 100 100\n10: -a")
  }
}
