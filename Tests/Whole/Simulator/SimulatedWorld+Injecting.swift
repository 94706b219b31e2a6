import CTouchroute
import Layout
import Routing
import TouchModel
import Server
import Exchange

/// What clients of the control socket do to touches. Rules F7 and R9.
extension SimulatedWorld {
  /// The program of that number on the control socket, which comes when it is wanted.
  private func injector(_ number: Int) -> Program? {
    program(at: Step.programs + number % Step.injectors, .control)
  }

  func inject(_ step: Step) {
    guard let program = injector(step[0]) else { return }
    let down = injectors[program.client]?.down ?? []
    var contacts: [InjectedContact] = []
    for first in stride(from: 2, to: step.numbers.count, by: 4) {
      let slot = Int32(truncatingIfNeeded: step[first])
      let phase = Self.phase(step[first + 1], isDown: down.contains(slot))
      let place = Point(x: Double(step[first + 2]), y: Double(step[first + 3]))
      contacts.append(
        InjectedContact(slot: slot, phase: phase, location: phase.isFinal ? .zero : place))
    }
    program.inject(contacts, ScreenIndex(Int32(truncatingIfNeeded: step[1])))
  }

  /// Mostly what a finger can do: it goes down, and mostly moves until it is lifted.
  private static func phase(_ number: Int, isDown: Bool) -> TouchPhase {
    switch number {
    case 0..<16: !isDown ? .began : number < 10 ? .moved : .ended
    case 16: .cancelled
    default: [.began, .moved, .stationary, .ended, .cancelled][number % 5]
    }
  }

  /// By the request: a touch that is live, or every touch, or one that is not there.
  func askToCancel(_ step: Step) {
    guard let program = injector(0) else { return }
    if step.kind == .cancelAll { return program.cancel(nil) }
    let live = oracle.touches.values.filter(\.isLive).map(\.id).sorted()
    program.cancel(live.isEmpty ? TouchID(1 << 40) : live[step[0] % live.count])
  }

  /// The oracle's part of inject, after the daemon's.
  func carryOut(
    inject contacts: [InjectedContact], on screen: ScreenIndex, of program: Program,
    _ serial: UInt32
  ) {
    var injector = injectors.take(program.client)
    let events = injector.events(
      contacts, on: screen, of: oracle.layout.layout.screens.count, at: time)
    guard let events else {
      return program.stream.expect(
        .refused(serial: serial, code: TOUCHROUTE_ERROR_INVALID.rawValue))
    }
    injectors[program.client] = injector
    for event in events { route(event, flags: .injected) }
    compareObservations()
    collect()
    program.stream.expect(.done(serial: serial, total: injector.device.rawValue))
  }

  /// The oracle's part of cancel.
  func carryOut(cancel touch: TouchID?, of program: Program, _ serial: UInt32) {
    let live = oracle.touches.values.filter { $0.isLive && $0.id == touch ?? $0.id }
    if touch != nil, live.isEmpty {
      return program.stream.expect(
        .refused(serial: serial, code: TOUCHROUTE_ERROR_INVALID.rawValue))
    }
    oracle.cancel(.requested, at: time) { other, _ in other.id == touch ?? other.id }
    collect()
    program.stream.expect(.done(serial: serial, total: UInt32(live.count)))
  }

  /// A client is gone, and with it its touchscreen.
  func removeInjector(of client: ClientID) {
    guard let injector = injectors.remove(client) else { return }
    route(.lost(injector.device, reason: .deviceRemoved, time: time), flags: .injected)
    collect()
  }
}
