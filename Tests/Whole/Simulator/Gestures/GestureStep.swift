import TestSupport
import TouchModel

/// What happens at a moment of a random world: a frame, or what a program decides. Any sequence
/// makes sense, so that one that fails can be shortened.
struct GestureStep {
  struct Contact {
    enum Change: String { case began, moved, ended, cancelled }

    var slot: Int32
    var change: Change
    var place = Point.zero
  }

  enum Happening {
    /// Of a touchscreen.
    case frame(Int, [Contact])
    /// A program by its index, and a slot of the first touchscreen.
    case accept(Int, Int32)
    case decline(Int, Int32)
    /// A touchscreen is unplugged or suspended, and comes back.
    case lose(Int, CancelReason)
    /// A program goes away, and comes back to hold what it held.
    case go(Int)
    case come(Int)
    /// A program stops reading, and reads again.
    case stopReading(Int)
    case read(Int)
    /// A recognizer is taken away, and added again behind the others.
    case remove(String)
    case add(String)
    /// Another arrangement of the world's is in force.
    case arrange(Int)
    /// Another configuration is in force: an arrangement with an edition of the recognizers.
    case reload(Int, Int)
    /// A recognizer is as an edition has it from now on.
    case change(String, Int)
  }

  /// Milliseconds.
  var time: Int
  var happening: Happening

  /// A random story of at most some 100 frames.
  static func story(
    of world: GestureWorld, using generator: inout SeededGenerator
  ) -> [GestureStep] {
    var writer = StoryWriter(world)
    return writer.write(using: &generator)
  }

  /// Its lines of a script for `touchroute rehearse`.
  func script(_ world: GestureWorld) -> String {
    switch happening {
    case .frame(let device, let contacts):
      (device == 0 ? "" : "# of touchscreen \(device):\n")
        + contacts.map { contact in
          let hasPlace = contact.change == .began || contact.change == .moved
          let place = hasPlace ? " \(contact.place.x) \(contact.place.y)" : ""
          return "\(contact.change) \(contact.slot)\(place)\n"
        }.joined() + "frame\n"
    case .accept(let program, let slot): "accept \(world.programs[program].path) \(slot)\n"
    case .decline(let program, let slot): "decline \(world.programs[program].path) \(slot)\n"
    default: "# \(happening)\n"
    }
  }
}

/// Writes strokes of fingers, and merges those of one time into frames.
private struct StoryWriter {
  /// A frame of a touchscreen.
  private struct Moment: Hashable {
    var time: Int
    var device: Int
  }

  private let world: GestureWorld
  private var contacts: [Moment: [GestureStep.Contact]] = [:]
  private var device = 0
  private var decisions: [(time: Int, happening: GestureStep.Happening)] = []
  private var slot: Int32 = 0

  private var programs: Int { world.programs.count }

  init(_ world: GestureWorld) { self.world = world }

  mutating func write(using generator: inout SeededGenerator) -> [GestureStep] {
    var time = 0
    let devices = generator.oneIn(4) ? 2 : 1
    for _ in 0..<(2 + generator.below(7)) {
      device = generator.below(devices)
      let end = stroke(at: time, using: &generator)
      time = generator.oneIn(3) ? time : end
      time += generator.pick([0, 8, 20, 50, 100, 150, 151, 200, 340, 350, 351, 600])
    }
    if generator.oneIn(2) { addUpheaval(before: time, using: &generator) }
    let frames = contacts.map {
      ($0.key.time, GestureStep.Happening.frame($0.key.device, $0.value))
    }
    // What is held back is told apart from the frame at hand by times.
    let mayDivide = !world.gestures.contains(where: \.delaysBegan)
    return (frames + decisions.map { ($0.time, $0.happening) })
      .sorted { $0.0 < $1.0 || ($0.0 == $1.0 && $0.1.order < $1.1.order) }
      .flatMap { GestureStep(time: $0.0, happening: $0.1).frames(mayDivide) }
  }

  /// Some of what happens to touchscreens, programs, recognizers and the layout.
  private mutating func addUpheaval(
    before end: Int, using generator: inout SeededGenerator
  ) {
    for _ in 0..<(1 + generator.below(4)) {
      let time = generator.below(max(1, end))
      let program = generator.below(programs)
      let later = time + generator.below(400)
      switch generator.below(7) {
      case 0:
        let reason: CancelReason = generator.oneIn(2) ? .deviceRemoved : .suspended
        decisions.append((time, .lose(generator.below(2), reason)))
      case 1: decisions += [(time, .go(program)), (later, .come(program))]
      case 2: decisions += [(time, .stopReading(program)), (later, .read(program))]
      case 3:
        let path = generator.pick(world.gestures).path
        decisions.append((time, .remove(path)))
        if generator.oneIn(2) { decisions.append((later, .add(path))) }
      default:
        decisions.append((time, .arrange(generator.below(GestureWorld.arrangementCount))))
      }
    }
  }

  private mutating func add(
    _ change: GestureStep.Contact.Change, _ slot: Int32, _ place: Point,
    at time: Int
  ) {
    contacts[Moment(time: time, device: device), default: []]
      .append(.init(slot: slot, change: change, place: place))
  }

  private mutating func stroke(at start: Int, using generator: inout SeededGenerator) -> Int {
    let anywhere = Point(
      x: Double(generator.below(generator.oneIn(3) ? 30 : 700)),
      y: Double(generator.below(generator.oneIn(3) ? 30 : 480)))
    let place = generator.oneIn(2) ? Point(x: 200, y: 300) : anywhere
    let fingers = generator.pick([1, 1, 1, 2, 2, 3])
    let first = slot
    slot = (slot + Int32(fingers)) % 10
    var places: [Point] = []
    var ends = start
    for finger in 0..<fingers {
      let down = start + (generator.oneIn(2) ? 0 : generator.pick([1, 20, 50, 150, 151]))
      places.append(
        Point(
          x: place.x + Double(finger * generator.below(80)),
          y: place.y + Double(generator.below(30) * finger)))
      add(.began, (first + Int32(finger)) % 10, places[finger], at: down)
      ends = max(ends, down)
    }
    let moved = move(&places, first, from: ends, using: &generator)
    ends = moved + generator.pick([0, 8, 40, 41, 100, 500, 750])
    for finger in 0..<fingers {
      let up = ends + (generator.oneIn(2) ? 0 : generator.below(60))
      let isPalm = generator.oneIn(16)
      add(isPalm ? .cancelled : .ended, (first + Int32(finger)) % 10, .zero, at: up)
    }
    if generator.oneIn(4) {
      let time = start + generator.below(300)
      let program = generator.below(programs)
      decisions.append(
        (time, generator.oneIn(2) ? .accept(program, first) : .decline(program, first)))
    }
    return ends
  }

  /// Moves fingers all one way, about each other, or each as it likes.
  private mutating func move(
    _ places: inout [Point], _ first: Int32, from start: Int, using generator: inout SeededGenerator
  ) -> Int {
    let way = generator.below(6)
    var time = start
    let step = generator.pick([1.0, 2, 5, 8, 10, 12.5])
    let (x, y) = generator.pick([(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, 0.5), (0.75, 1)])
    guard way > 0 else { return time }
    for _ in 0..<generator.below(12) {
      time += generator.pick([1, 8, 8, 16, 16, 40, 41, 101])
      for finger in places.indices where !generator.oneIn(6) {
        var place = places[finger]
        switch way {
        case 1, 2: place = Point(x: place.x + x * step, y: place.y + y * step)
        case 3:
          let out = finger == 0 ? -1.0 : Double(finger)
          place = Point(x: place.x + out * x * step, y: place.y + out * y * step)
        case 4:
          let out = finger == 0 ? -1.0 : 1.0
          place = Point(
            x: place.x + out * step * Double(generator.below(3)),
            y: place.y - out * step * Double(generator.below(3)))
        default:
          place = Point(
            x: place.x + Double(generator.below(21) - 10),
            y: place.y + Double(generator.below(21) - 10))
        }
        if place == places[finger] { continue }
        places[finger] = place
        add(.moved, (first + Int32(finger)) % 10, place, at: time)
      }
    }
    return time
  }
}

extension GestureStep.Happening {
  /// Frames come before what programs make of them.
  fileprivate var order: Int {
    if case .frame(let device, _) = self { device } else { 2 }
  }
}

extension GestureStep {
  /// It, or at some times two frames of one time, as of a touchscreen that is read late.
  fileprivate func frames(_ mayDivide: Bool) -> [GestureStep] {
    guard mayDivide, case .frame(let device, let contacts) = happening, contacts.count > 1,
      time % 11 == 3
    else { return [self] }
    return [contacts.prefix(1), contacts.dropFirst()].map {
      GestureStep(time: time, happening: .frame(device, Array($0)))
    }
  }

  /// The contacts of a frame; none where it is none.
  var contacts: [Contact] {
    get { if case .frame(_, let contacts) = happening { contacts } else { [] } }
    set { if case .frame(let device, _) = happening { happening = .frame(device, newValue) } }
  }
}
