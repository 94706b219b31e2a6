import Testing
import TouchModel

@testable import Signals

@Suite("The filters of a device (N1)")
struct FilterTests {
  private func played(_ script: String, _ change: (inout SignalSettings) -> Void) -> String {
    var bench = SignalBench(change)
    bench.play(script)
    return bench.text
  }

  // MARK: Bridge

  @Test("a contact that is lifted and lands again soon and near goes on as one (N2)")
  func bridge() {
    let bridged = played("0 down 0 10 10;10 up 0;20 down 0 15 10;30 up 0;100 time") {
      $0.bridge = .init(milliseconds: 25)
    }
    #expect(bridged == "0: +a 10 10\n20: a 15 10\n55: -a")
  }

  @Test("in time is in time: the last moment and the last point still bridge (N2)")
  func bridgeBounds() {
    let change = { (settings: inout SignalSettings) in
      settings.bridge = .init(milliseconds: 25, distance: 20)
    }
    #expect(
      played("0 down 0 10 10;10 up 0;35 down 1 30 10;40 up 1;100 time", change)
        == "0: +a 10 10\n35: a 30 10\n65: -a")
    #expect(
      played("0 down 0 10 10;10 up 0;36 down 0 10 10;40 up 0;100 time", change)
        == "0: +a 10 10\n35: -a\n36: +b 10 10\n65: -b")
    #expect(
      played("0 down 0 10 10;10 up 0;20 down 0 31 10;30 up 0;100 time", change)
        == "0: +a 10 10\n20: +b 31 10\n35: -a\n55: -b")
  }

  @Test("a slot that is lifted as another one lands beside it is bridged too (N2)")
  func bridgeInOneReport() {
    #expect(
      played("0 down 0 10 10;10 up 0;10 down 1 12 10;30 up 1;100 time") {
        $0.bridge = .init(milliseconds: 25)
      } == "0: +a 10 10\n10: a 12 10\n55: -a")
    // libinput names the lower slot first: here the one that lands.
    #expect(
      played("0 down 1 10 10;10 down 0 12 10;10 up 1;30 up 0;100 time") {
        $0.bridge = .init(milliseconds: 25)
      } == "0: +a 10 10\n10: a 12 10\n55: -a")
  }

  @Test("what the device cancels is not bridged, and ends at once (N2)")
  func bridgeCancel() {
    #expect(
      played("0 down 0 10 10;10 cancel 0;20 down 0 10 10;30 up 0;100 time") {
        $0.bridge = .init(milliseconds: 25)
      } == "0: +a 10 10\n10: !a palm\n20: +b 10 10\n55: -b")
  }

  // MARK: Least time

  @Test(
    "a contact shorter than min_contact_ms never began, a longer one begins where it landed (N3)")
  func minimumContact() {
    let change = { (settings: inout SignalSettings) in settings.minimumContactMilliseconds = 15 }
    #expect(played("0 down 0 10 10;14 up 0;100 time", change) == "")
    #expect(played("0 down 0 10 10;15 up 0;100 time", change) == "15: +a 10 10\n15: -a")
    #expect(
      played("0 down 0 10 10;8 move 0 12 10;20 move 0 20 10;30 up 0", change)
        == "15: +a 10 10\n15: a 12 10\n20: a 20 10\n30: -a")
  }

  @Test("contacts that flicker are bridged first, and then are long enough (N2, N3)")
  func flicker() {
    let text = played(
      "0 down 0 10 10;5 up 0;10 down 0 10 10;12 up 0;20 down 0 10 10;40 up 0;200 time"
    ) {
      $0.minimumContactMilliseconds = 15
      $0.bridge = .init(milliseconds: 25)
    }
    #expect(text == "20: +a 10 10\n65: -a")
  }

  @Test("a ghost just before a tap beside it does not move where the tap begins (N2, N3)")
  func targetKept() {
    let text = played("0 down 0 10 10;5 up 0;10 down 1 25 10;90 up 1;200 time") {
      $0.minimumContactMilliseconds = 15
      $0.bridge = .init(milliseconds: 25)
    }
    #expect(text == "15: +a 25 10\n115: -a")
  }

  // MARK: Speed

  @Test("a point that no finger can have reached is dropped, and the contact goes on (N5)")
  func outlier() {
    #expect(
      played("0 down 0 10 10;10 move 0 12 10;20 move 0 700 400;30 move 0 16 10;40 up 0") {
        $0.maximumSpeed = 10_000
      } == "0: +a 10 10\n10: a 12 10\n30: a 16 10\n40: -a")
  }

  @Test("a finger that rested where it landed may be as far as it can come in that time (N5)")
  func rested() {
    #expect(
      played("0 down 0 10 10;1000 move 0 110 10;1010 move 0 115 10;1020 up 0") {
        $0.maximumSpeed = 2000
      } == "0: +a 10 10\n1000: a 110 10\n1010: a 115 10\n1020: -a")
  }

  @Test("where the next point is near such a point, another finger began there (N5)")
  func split() {
    let change = { (settings: inout SignalSettings) in settings.maximumSpeed = 10_000 }
    #expect(
      played("0 down 0 10 10;10 move 0 700 400;20 move 0 705 400;30 up 0", change)
        == "0: +a 10 10\n20: -a, +b 700 400\n20: b 705 400\n30: -b")
    #expect(
      played("0 down 0 10 10;10 move 0 700 400;100 time;120 up 0", change)
        == "0: +a 10 10\n40: -a, +b 700 400\n120: -b")
    #expect(
      played("0 down 0 10 10;10 move 0 700 400;20 up 0", change) == "0: +a 10 10\n20: -a")
  }

  // MARK: Ghosts

  @Test("a still contact counts where it was for four seconds after its end (N8)")
  func stillBefore() {
    let change = { (settings: inout SignalSettings) in settings.ghosts = [.samePlace] }
    #expect(
      played("0 down 0 10 10;2500 up 0;6500 down 0 10 10;6510 up 0", change)
        == "0: +a 10 10\n2500: -a")
    #expect(
      played("0 down 0 10 10;2500 up 0;6501 down 0 10 10;6510 up 0", change)
        == "0: +a 10 10\n2500: -a\n6501: +b 10 10\n6510: -b")
  }

  // MARK: Places

  @Test("a contact that lands in a dead zone never begins, wherever it goes (N6)")
  func deadZones() {
    let change = { (settings: inout SignalSettings) in
      settings.deadZones = [Rect(x: 0, y: 0, width: 50, height: 50)]
    }
    #expect(played("0 down 0 49 49;10 move 0 200 200;20 up 0", change) == "")
    #expect(
      played("0 down 0 50 50;10 move 0 20 20;20 up 0", change)
        == "0: +a 50 50\n10: a 20 20\n20: -a")
  }

  @Test("a contact at the edge begins once it has moved as far as the edge is wide (N7)")
  func edge() {
    let change = { (settings: inout SignalSettings) in settings.edge = 5 }
    #expect(played("0 down 0 2 100;10 move 0 6 100;20 up 0", change) == "")
    #expect(
      played("0 down 0 2 100;10 move 0 7 100;20 up 0", change)
        == "10: +a 2 100\n10: a 7 100\n20: -a")
    #expect(played("0 down 0 5 5;10 up 0", change) == "0: +a 5 5\n10: -a")
    #expect(played("0 down 0 795 100;10 up 0", change) == "")
  }

  // MARK: Stuck

  @Test("a contact that does not move for so long is cancelled, and does not begin again (N9)")
  func stuck() {
    let change = { (settings: inout SignalSettings) in
      settings.stuck = .init(milliseconds: 1000, distance: 4)
    }
    #expect(
      played("0 down 0 10 10;500 move 0 13 10;2000 time;2500 move 0 300 300;2600 up 0", change)
        == "0: +a 10 10\n500: a 13 10\n1000: !a stuck")
    #expect(
      played("0 down 0 10 10;500 move 0 15 10;1400 move 0 15 12;1499 time;1499 up 0", change)
        == "0: +a 10 10\n500: a 15 10\n1400: a 15 12\n1499: -a")
  }

  @Test("a stuck contact that bounces stays away (N2, N9)")
  func stuckBounce() {
    #expect(
      played("0 down 0 10 10;1500 up 0;1510 down 0 10 10;1600 up 0;3000 time") {
        $0.stuck = .init(milliseconds: 1000)
        $0.bridge = .init(milliseconds: 25)
      } == "0: +a 10 10\n1000: !a stuck")
  }

  // MARK: The whole

  @Test("a device that is lost takes what waits with it (N1)")
  func lost() {
    var bench = SignalBench { $0.bridge = .init(milliseconds: 25) }
    bench.play("0 down 0 10 10;10 up 0;12 lost")
    #expect(bench.text == "0: +a 10 10\nlost deviceRemoved")
    #expect(bench.stage.nextDeadline == nil)
  }

  @Test("filters that change first end what the former ones held (N1)")
  func configure() {
    var bench = SignalBench { $0.bridge = .init(milliseconds: 25) }
    bench.play("0 down 0 10 10;10 up 0")
    var stage = bench.stage
    var events: ReusableArray<DeviceEvent> = []
    stage.configure(SignalBench.device, SignalSettings(), region: .zero, into: &events)
    #expect(events.count == 2)
    #expect(stage.isOff && stage.nextDeadline == nil)
  }

  @Test("events of slots that are not live go on as they are, for the sequencer to count (N1, T6)")
  func stray() {
    var bench = SignalBench { $0.edge = 1 }
    bench.play("0 move 4 10 10;10 up 5;20 down 0 9 9;30 down 0 8 8")
    #expect(bench.text == "0: stray 10 10\n10: -stray\n20: +a 9 9\n30: -stray")
  }

  @Test("what each filter did is counted (N1)")
  func counts() throws {
    var bench = SignalBench {
      $0.bridge = .init(milliseconds: 25)
      $0.minimumContactMilliseconds = 15
      $0.deadZones = [Rect(x: 700, y: 0, width: 100, height: 100)]
      $0.edge = 4
    }
    bench.play(
      """
      0 down 0 100 100;5 up 0
      100 down 0 750 50;150 up 0
      200 down 0 1 100;250 up 0
      300 down 0 100 100;330 up 0;340 down 0 101 100;400 up 0
      900 time
      """)
    let counts = try #require(bench.stage.counts(of: SignalBench.device))
    #expect(counts.description == "1 bridged, 1 too short, 1 in dead zones, 1 at the edge")
    #expect(counts[.short] == 1 && counts[.ghost] == 0)
    #expect(SignalCounts().description == "")
  }

  @Test("while somebody observes, each filter notes what it did, and where (N1)")
  func notes() {
    var bench = SignalBench {
      $0.bridge = .init(milliseconds: 25)
      $0.minimumContactMilliseconds = 15
      $0.deadZones = [Rect(x: 700, y: 0, width: 100, height: 100)]
      $0.smoothing = .median(depth: 3)
    }
    bench.play("0 down 0 750 50;10 up 0;60 time")
    #expect(bench.stage.notes.isEmpty)
    bench.observe()
    bench.play(
      """
      100 down 0 750 50;150 up 0
      200 down 0 100 100;205 up 0;260 time
      300 down 0 100 100;320 move 0 100 100;330 move 0 300 100
      340 up 0;350 down 0 301 100;400 up 0;500 time
      """)
    #expect(
      bench.notes == [
        "100 dead_zone 750 50", "230 short 100 100", "330 smoothed 300 100 of a",
        "350 bridged 301 100 of a", "350 smoothed 301 100 of a",
      ])
  }
}
