import Configuration
import Exchange
import Gestures
import Layout
import Routing
import TouchModel

/// A random world, played through the daemon's pipeline and to the oracle at once.
final class GestureSimulation {
  struct Bug: Error { var text: String }

  private let world: GestureWorld
  private let oracle: OracleGestureRouter
  private var pipeline: TouchPipeline
  private var clients: [ClientID] = []
  private var attachments: [Routing.AttachmentID] = []
  private var events: ReusableArray<DeviceEvent> = []
  private var grammar = GestureGrammar()
  private let specs: [String: RecognizerSpec]

  init(_ world: GestureWorld) throws {
    self.world = world
    let configuration = try Configuration.parse([("world.toml", world.toml)])
    oracle = OracleGestureRouter(world, configuration.layout)
    specs = Dictionary(configuration.gestures.map { ($0.path, $0) }) { first, _ in first }
    pipeline = TouchPipeline(
      layout: configuration.layout, gestures: configuration.gestures,
      options: RouterOptions(configuration))
    for index in world.programs.indices {
      clients.append(ClientID(slot: UInt32(index), generation: 1))
      attachments.append(try attach(index, at: Timestamp(microseconds: 0)))
    }
    pipeline.finishDeliveries()
  }

  private func attach(_ program: Int, at time: Timestamp) throws -> Routing.AttachmentID {
    let request = AttachRequest(
      path: world.programs[program].path, handles: world.programs[program].handles,
      passes: world.programs[program].passes,
      handlesGestures: world.programs[program].handlesGestures)
    return try pipeline.attach(request, by: clients[program], at: time).id
  }

  /// Plays a story. Throws a ``Bug`` where pipeline and oracle differ.
  func play(_ steps: [GestureStep]) throws {
    var time = Timestamp(microseconds: 0)
    for step in steps {
      time = Timestamp(microseconds: UInt64(step.time) * 1000)
      try advance(before: time)
      try play(step.happening, at: time)
    }
    try advance(before: nil)
    let end = max(time, Timestamp(microseconds: lastMoment))
    pipeline.cancelAll(.requested, at: end)
    oracle.cancelAll(at: end)
    try compare("cancelAll", at: end)
    try grammar.finish()
    guard pipeline.router.gestureDeadline == nil else {
      throw Bug(text: "something is due though nothing waits (G15)")
    }
  }

  private var lastMoment: UInt64 = 0

  /// Lets time go on up to that moment, or until nothing is due. Rule G15.
  private func advance(before limit: Timestamp?) throws {
    while true {
      let deadline = [pipeline.router.gestureDeadline, oracle.gestures.deadline].compactMap(\.self)
        .min()
      guard let deadline, limit.map({ deadline < $0 }) ?? true else { return }
      lastMoment = deadline.microseconds
      guard lastMoment < 1_000_000_000 else { throw Bug(text: "time does not end (G15)") }
      if pipeline.router.gestureDeadline == deadline { pipeline.advance(to: deadline) }
      if oracle.gestures.deadline == deadline { oracle.advance(to: deadline) }
      try compare("deadline", at: deadline)
    }
  }

  private func play(_ happening: GestureStep.Happening, at time: Timestamp) throws {
    switch happening {
    case .frame(let device, let contacts): try play(contacts, of: device, at: time)
    case .lose(let device, let reason):
      pipeline.consume([.lost(Self.id(of: device), reason: reason, time: time)])
      oracle.lose(device, reason, at: time)
      try compare("lost", at: time)
    case .accept(let program, let slot):
      if let touch = oracle.accept(program, slot, at: time) {
        pipeline.accept(touch, through: attachments[program], by: clients[program], at: time)
      }
      try compare("accept", at: time)
    case .decline(let program, let slot):
      if let touch = oracle.decline(program, slot, at: time) {
        pipeline.decline(touch, through: attachments[program], by: clients[program], at: time)
      }
      try compare("decline", at: time)
    case .go, .come, .stopReading, .read: try playProgram(happening, at: time)
    case .remove(let path):
      if oracle.remove(path, at: time), let id = pipeline.router.recognizers.id(of: path) {
        pipeline.remove(id, at: time)
      }
      try compare("remove", at: time)
    case .add(let path):
      if oracle.add(path), let spec = specs[path] { pipeline.put(spec, at: time) }
      try compare("add", at: time)
    case .arrange(let number):
      let new = try Configuration.parse([("world.toml", world.toml(number))]).layout
      oracle.arrange(new, at: time)
      pipeline.replaceLayout(new, at: time)
      try compare("arrange", at: time)
    case .reload(let number, let edition):
      let text = world.toml(number, edition: edition)
      let new = try Configuration.parse([("world.toml", text)])
      oracle.arrange(
        new.layout, world.gestures(of: number, edition: edition), at: time)
      pipeline.replaceLayout(new.layout, gestures: new.gestures, at: time)
      try compare("reload", at: time)
    case .change(let path, let edition):
      let next = world.gestures(of: 0, edition: edition).first { $0.path == path }
      let text = world.toml(0, edition: edition)
      let specs = try Configuration.parse([("world.toml", text)]).gestures
      guard let next, let spec = specs.first(where: { $0.path == path }) else { return }
      if oracle.change(next, at: time) { pipeline.put(spec, at: time) }
      try compare("change", at: time)
    }
  }

  private func playProgram(_ happening: GestureStep.Happening, at time: Timestamp) throws {
    switch happening {
    case .go(let program) where oracle.go(program, at: time):
      pipeline.gone(clients[program], at: time)
      grammar.go(program)
    case .come(let program) where oracle.come(program):
      attachments[program] = try attach(program, at: time)
    case .stopReading(let program) where oracle.stopReading(program, at: time):
      pipeline.setUnresponsive(clients[program], true, at: time)
    case .read(let program) where oracle.read(program):
      pipeline.setUnresponsive(clients[program], false, at: time)
    default: break
    }
    try compare("\(happening)", at: time)
  }

  private static func id(of device: Int) -> DeviceID { DeviceID(UInt32(device + 1)) }

  /// Plays those contacts that a touchscreen could report.
  private func play(
    _ contacts: [GestureStep.Contact], of number: Int, at time: Timestamp
  ) throws {
    let device = Self.id(of: number)
    var slots: Set<Int32> = []
    let contacts = contacts.filter { contact in
      oracle.isDown(contact.slot, of: number) == (contact.change != .began)
        && slots.insert(contact.slot).inserted
    }
    guard !contacts.isEmpty else { return }
    events.removeAll()
    for contact in contacts {
      let (slot, place) = (contact.slot, contact.place)
      switch contact.change {
      case .began:
        events.append(
          .down(device, slot: slot, screen: ScreenIndex(0), location: place, time: time))
      case .moved: events.append(.motion(device, slot: slot, location: place, time: time))
      case .ended: events.append(.up(device, slot: slot, time: time))
      case .cancelled: events.append(.cancel(device, slot: slot, reason: .palm, time: time))
      }
    }
    events.append(.frame(device, time: time))
    pipeline.consume(events)
    oracle.frame(contacts, of: number, at: time)
    try compare("frame", at: time)
  }

  // MARK: Comparing

  private func compare(_ occasion: String, at time: Timestamp) throws {
    let deliveries = pipeline.hasUntaken ? pipeline.deliveries : Deliveries()
    let told = GestureMoment(deliveries, clients) { pipeline.router.recognizer($0)?.path ?? "" }
    let difference =
      told.difference(from: oracle.gestures.takeEvents(), oracle.takeRecords())
      ?? grammar.take(told)
    if let difference {
      throw Bug(text: "\(occasion) at \(Double(time.microseconds) / 1000) ms: \(difference)")
    }
    let before = pipeline.checker.violationCount
    pipeline.finishDeliveries()
    if pipeline.checker.violationCount > before, let violation = pipeline.checker.latestViolation {
      throw Bug(text: "the stream checker (T5): \(violation)")
    }
  }
}
