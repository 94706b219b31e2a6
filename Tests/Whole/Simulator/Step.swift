import TestSupport
import TouchModel

/// One thing that happens in a simulated world. Any sequence of steps makes sense, so that a script
/// that fails can be shortened step by step: what a step names by number is taken modulo what there
/// is, and where there is nothing it does nothing.
struct Step: Equatable, CustomStringConvertible {
  enum Kind: String, CaseIterable {
    /// device, slot, x, y
    case down
    /// device, slot, x, y
    case motion
    /// device, slot
    case up
    /// device, slot
    case palm
    /// device
    case mark
    /// device, slot, x, y: down and up again, each a frame
    case tap
    /// device, frames in each of which its fingers move
    case drag
    /// device, 0 for removed and 1 for suspended
    case lost
    /// client, path, handles, passes, 1 to take over, 1 for history, 1 to wait
    case attach
    /// client, which of its attachments
    case detach
    /// client: hangs up, whatever is on its way
    case leave
    /// client, which of the touches that began for it
    case accept
    /// client, which of the touches that began for it
    case decline
    /// client: reads no more
    case stall
    /// client: reads everything from now on
    case drain
    /// client: reads what is in its socket, once
    case nibble
    /// client, path, which property, a number that its value is made of
    case set
    /// client, which of its attachments, what, which view, a number: adds, removes, changes views
    case views
    /// client: hangs up and comes back, with what it held and the views that it had added
    case comeBack
    /// client, which: takes over what another holds and has added views through
    case seize
    /// client, pings
    case flood
    /// client, what
    case babble
    /// client, bytes, path: attaches, and sends only so many bytes of that
    case half
    /// client, bytes, path: the same, and hangs up
    case cutOff
    /// client, path, how many: attaches to one path after the other, taking over
    case hoard
    /// client, path, which property, a number, how many: sets a view again and again
    case storm
    /// client, path, what: sets what no view can be
    case spoil
    /// client, what: asks for what is for the control socket
    case trespass
    /// client, another, which of its touches or attachments, what: decides for it, or detaches it
    case filch
    /// which layout
    case layout
    /// nothing: by the request
    case cancelAll
    /// which touch: by the request
    case cancel
    /// injector, screen, then for each contact slot, what, x, y
    case inject
    /// injector: hangs up, and takes its touchscreen along
    case unplug
    /// nothing: another daemon goes on for the one that was there
    case restart
    /// milliseconds
    case wait
    /// program, screen, 1 for on, 1 to be its blanker
    case power
    /// which screen: if it is waking, its blanker says that it is on
    case answer
    /// program, 1 to be told of screens
    case watchScreens
    /// program, screen, milliseconds, what fingers end it, then paths that are left out
    case lock
    /// program, screen
    case unlock
    /// program, which, milliseconds, 1 despite inhibitors and 2 but for injected touches
    case watchIdle
    /// program, which of its watches
    case unwatchIdle
    /// program, which of its attachments, 1 to inhibit
    case inhibit
    /// device, how many, milliseconds between, x, y
    case taps
    /// device, two corners, milliseconds
    case corners
    /// device, milliseconds, x, y
    case press
  }

  var kind: Kind
  var numbers: [Int]

  init(_ kind: Kind, _ numbers: Int...) {
    self.kind = kind
    self.numbers = numbers
  }

  /// The step of a line such as `down 0 1 120 40`.
  init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ")
    guard let kind = words.first.flatMap({ Kind(rawValue: String($0)) }) else { return nil }
    self.kind = kind
    numbers = words.dropFirst().compactMap { Int($0) }
    guard numbers.count == words.count - 1 else { return nil }
  }

  var description: String {
    ([kind.rawValue] + numbers.map(String.init)).joined(separator: " ")
  }

  /// The number at a place; 0 where there is none.
  subscript(place: Int) -> Int { place < numbers.count ? numbers[place] : 0 }
}

extension Step {
  static let devices = 3
  static let slots = 4
  static let clients = 5
  static let adversaries = 3
  static let injectors = 2
  /// Programs of the client socket.
  static let programs = clients + adversaries

  /// What may happen next. Fingers go down in the places that `point` gives, some of them outside.
  static func random(using generator: inout SeededGenerator) -> Step {
    let device = generator.below(devices)
    let slot = generator.below(slots) - 1
    let client = generator.below(clients)
    switch generator.below(100) {
    case 0..<14:
      return Step(.down, device, slot, generator.below(230) - 10, generator.below(130) - 10)
    case 14..<17:
      return Step(.tap, device, slot, generator.below(200), generator.below(100))
    case 17..<32:
      return Step(.motion, device, slot, generator.below(260) - 30, generator.below(160) - 30)
    case 32..<34: return Step(.drag, device, generator.below(generator.oneIn(16) ? 160 : 20))
    case 34..<43: return Step(.up, device, slot)
    case 43..<44: return Step(.palm, device, slot)
    case 44..<61: return Step(.mark, device)
    case 61..<66: return randomInjection(using: &generator)
    case 66..<67: return Step(.lost, device, generator.below(2))
    case 67..<75: return randomAttach(using: &generator)
    case 75..<76: return Step(.detach, client, generator.below(8))
    case 76..<77:
      switch generator.below(8) {
      case 0: return Step(.babble, client, generator.below(9))
      case 1, 2: return Step(.leave, client)
      case 3: return Step(.comeBack, client)
      case 4: return generator.oneIn(2) ? Step(.restart) : Step(.seize, client, generator.below(6))
      default: return Step(.flood, client, generator.below(60))
      }
    case 77..<79: return Step(.nibble, client)
    case 79..<81: return Step(.accept, client, generator.below(6))
    // Mostly of the touch that began last, so that it is not too late.
    case 81..<90: return Step(.decline, client, generator.below(generator.oneIn(3) ? 6 : 1))
    case 90..<91: return Step(.stall, client)
    case 91..<94: return Step(.drain, client)
    case 94..<95:
      if generator.oneIn(2) { return Step(.layout, generator.below(8)) }
      if generator.oneIn(2) { return randomViews(of: client, using: &generator) }
      return Step(
        .set, client, generator.below(64), generator.below(ViewChange.Property.kinds),
        generator.below(100))
    case 95..<96: return generator.oneIn(3) ? Step(.cancelAll) : Step(.cancel, generator.below(8))
    default:
      if generator.oneIn(4) { return randomViews(of: client, using: &generator) }
      return Step(.wait, generator.oneIn(4) ? 100 + generator.below(200) : generator.below(40))
    }
  }

  /// What happens where programs have views of their own, and they, their holders and the daemon
  /// come and go.
  static func life(using generator: inout SeededGenerator) -> Step {
    let client = generator.below(clients)
    switch generator.below(12) {
    case 0: return Step(.comeBack, client)
    case 1: return Step(.seize, client, generator.below(6))
    case 2: return generator.oneIn(2) ? Step(.restart) : Step(.layout, generator.below(8))
    case 3, 4: return randomAttach(using: &generator)
    default: return randomViews(of: client, using: &generator)
    }
  }

  /// What happens where screens go dark and are locked, and programs wait for nobody to touch
  /// anything.
  static func ofScreens(using generator: inout SeededGenerator) -> Step {
    let program = generator.below(programs + injectors)
    let screen = generator.oneIn(4) ? 1 : 0
    let device = generator.below(devices)
    switch generator.below(32) {
    case 0..<6:
      return Step(
        .power, program, screen, generator.oneIn(3) ? 1 : 0, generator.oneIn(4) ? 0 : 1)
    case 6..<9: return Step(.answer, screen)
    case 9..<11: return Step(.watchScreens, program, generator.oneIn(4) ? 0 : 1)
    case 11..<14:
      var step = Step(
        .lock, program, screen, generator.pick([1_000, 1_500, 4_000, 25_000, 40_000]),
        generator.below(4))
      for _ in 0..<generator.below(3) { step.numbers.append(generator.below(64)) }
      return step
    case 14..<15: return Step(.unlock, program, screen)
    case 15..<18:
      return Step(
        .watchIdle, program, generator.below(8), generator.pick([1_000, 1_001, 1_500, 3_000]),
        generator.below(4))
    case 18..<19: return Step(.unwatchIdle, program, generator.below(4))
    case 19..<21:
      return Step(.inhibit, program, generator.below(8), generator.oneIn(3) ? 0 : 1)
    case 21..<24:
      return Step(
        .taps, device, generator.pick([2, 2, 2, 3, 5, 5]), generator.pick([20, 100, 300, 400]),
        generator.below(200), generator.below(100))
    case 24..<26:
      return Step(
        .corners, device, generator.below(4), generator.below(4),
        generator.pick([500, 2_990, 3_000, 3_100]))
    case 26..<28:
      return Step(
        .press, device, generator.pick([100, 490, 500, 700]), generator.below(200),
        generator.below(100))
    default: return Step(.wait, generator.pick([60, 250, 600, 1_200, 2_500]))
    }
  }

  /// What an adversary does, one of so many.
  static func mischief(of adversaries: Int, using generator: inout SeededGenerator) -> Step {
    let client = clients + generator.below(adversaries)
    let path = generator.below(64)
    switch generator.below(100) {
    case 0..<20:
      var step = randomAttach(using: &generator)
      step.numbers[0] = client
      step.numbers[4] = generator.below(2)
      return step
    case 20..<25: return Step(.hoard, client, path, 2 + generator.below(16))
    case 25..<33:
      return Step(
        .storm, client, path, generator.below(6), generator.below(100), 2 + generator.below(80))
    case 33..<45:
      return Step(
        .set, client, path, generator.below(ViewChange.Property.kinds), generator.below(100))
    case 45..<50: return Step(.accept, client, generator.below(6))
    case 50..<64: return Step(.decline, client, generator.below(2))
    case 64..<67: return Step(.detach, client, generator.below(8))
    case 67..<70: return Step(.half, client, generator.below(64), path)
    case 70..<72: return Step(.cutOff, client, generator.below(64), path)
    case 72..<74: return Step(.leave, client)
    case 74..<76: return Step(.babble, client, generator.below(Nonsense.kinds))
    case 76..<80: return Step(.trespass, client, generator.below(4))
    case 80..<88:
      return Step(
        .filch, client, generator.below(programs), generator.below(6), generator.below(3))
    case 88..<90: return Step(.stall, client)
    case 90..<93: return Step(.drain, client)
    case 93..<94: return Step(.flood, client, generator.below(200))
    case 94..<96: return randomViews(of: client, using: &generator)
    default: return Step(.spoil, client, path, generator.below(4))
    }
  }

  /// Whether a program that does nobody any harm does it.
  var isGood: Bool {
    switch kind {
    case .babble, .leave, .comeBack, .flood, .stall, .nibble, .cutOff: false
    default: true
    }
  }

  private static func randomViews(
    of client: Int, using generator: inout SeededGenerator
  ) -> Step {
    Step(
      .views, client, generator.below(8), generator.below(8), generator.below(6),
      generator.below(100))
  }

  private static func randomInjection(using generator: inout SeededGenerator) -> Step {
    let injector = generator.below(injectors)
    if generator.oneIn(20) { return Step(.unplug, injector) }
    var step = Step(.inject, injector, generator.oneIn(8) ? generator.below(4) : 0)
    for _ in 0...generator.below(2) {
      step.numbers += [
        generator.below(3), generator.below(generator.oneIn(8) ? 22 : 17),
        generator.below(230) - 10, generator.below(130) - 10,
      ]
    }
    return step
  }

  static func randomAttach(using generator: inout SeededGenerator) -> Step {
    let handles = generator.oneIn(3) ? 1 + generator.below(15) : 15
    let passes = generator.oneIn(2) ? generator.below(16) : 0
    let high = RandomLayout.high
    let path = generator.oneIn(2) ? generator.below(64) : high[generator.below(high.count)]
    return Step(
      .attach, generator.below(clients), path, handles, passes & handles,
      generator.oneIn(4) ? 1 : 0, generator.below(2), generator.oneIn(3) ? 1 : 0)
  }
}
