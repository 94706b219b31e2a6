import CTouchroute
import Configuration
import Exchange
import Layout
import Routing
import Server
import TouchModel

/// Blankers, locks, and who watches screens and idleness. Rules D1 to D9.
extension SimulatedWorld {
  private static let screens = ["left", "right", "nowhere"]

  private static func screen(_ number: Int) -> String { screens[number % screens.count] }

  // MARK: - Steps

  /// The program of a number, of either socket, which comes when it is wanted.
  private func anyProgram(_ number: Int) -> Program? {
    let place = number % (Step.programs + Step.injectors)
    return program(at: place, place < Step.programs ? .client : .control)
  }

  func askOfScreens(_ step: Step) {
    if step.kind == .answer { return answer(step[0]) }
    guard let program = anyProgram(step[0]) else { return }
    switch step.kind {
    case .power:
      program.set(
        ScreenRequest(Self.screen(step[1]), isOn: step[2] == 1, claims: step[3] == 1))
    case .watchScreens: program.watchScreens(step[1] == 1)
    case .lock:
      program.lock(
        LockRequest(
          Self.screen(step[1]),
          TouchLocks.Request(
            milliseconds: UInt64(step[2]),
            exceptions: step.numbers.dropFirst(4).map {
              RandomLayout.paths[$0 % RandomLayout.paths.count]
            }, exit: TouchLocks.Exit(rawValue: UInt16(step[3] % 4)))))
    case .unlock: program.unlock(Self.screen(step[1]))
    case .watchIdle:
      program.watchIdle(
        IdleWatches.Request(
          scope: Self.scope(step[1]), milliseconds: UInt64(step[2]),
          ignoresInhibitors: step[3] % 2 == 1, ignoresInjected: step[3] / 2 % 2 == 1))
    case .unwatchIdle:
      let own = oracle.idle.watches.filter { $0.client == program.client }.map(\.id)
      program.unwatchIdle(own.isEmpty ? 7_000 : own[step[1] % own.count])
    default:
      guard !program.attachments.isEmpty else { return }
      program.inhibitIdle(
        program.attachments[step[1] % program.attachments.count], step[2] == 1)
    }
  }

  private static func scope(_ number: Int) -> IdleWatches.Scope {
    switch number % 8 {
    case 0, 1: .seat
    case 2, 3: .screen(screen(number % 2))
    case 4: .screen("nowhere")
    default: .window(["u", "v", "w"][number % 3])
    }
  }

  /// The blanker of a screen that is waking says that the light is on.
  private func answer(_ number: Int) {
    settle()
    let panels = oracle.screens.panels
    let panel = panels[number % panels.count]
    guard panel.state == .waking, let blanker = panel.blanker, let program = programs[blanker],
      program.isReading
    else { return }
    program.set(ScreenRequest(panel.screen.name, isOn: true))
  }

  /// What fingers do that takes its time.
  func rest(_ step: Step, _ device: Int) {
    switch step.kind {
    case .taps:
      for _ in 0..<step[1] {
        touch([.init(.down, device, 0, step[3], step[4])], device)
        pass(30)
        touch([.init(.up, device, 0)], device)
        pass(step[2])
      }
    case .press:
      touch([.init(.down, device, 1, step[2], step[3])], device)
      pass(step[1])
      touch([.init(.up, device, 1)], device)
    default:
      let corners = [(20, 10), (180, 10), (20, 90), (180, 90)]
      let (one, other) = (corners[step[1] % 4], corners[step[2] % 4])
      touch(
        [.init(.down, device, 2, one.0, one.1), .init(.down, device, 3, other.0, other.1)], device)
      pass(step[3])
      touch([.init(.up, device, 2), .init(.up, device, 3)], device)
    }
  }

  private func touch(_ steps: [Step], _ device: Int) {
    for step in steps + [Step(.mark, device)] { take(step) }
  }

  private func pass(_ milliseconds: Int) {
    settle()
    advance(by: UInt64(milliseconds) * 1_000)
  }

  // MARK: - What the daemon carries out

  private func mayDarken(_ program: Program, _ screen: String) -> Bool {
    program.isAdministrator || settings.configured.mayDarken(screen, program.user)
  }

  func carryOut(ofScreens request: Request, of program: Program, _ serial: UInt32) {
    switch request {
    case .setScreen(let request):
      if let code = refusal(of: request, by: program) {
        return program.stream.expect(.refused(serial: serial, code: code.rawValue))
      }
      guard let index = oracle.screens.index(of: request.screen) else { return }
      oracle.setScreen(
        index, isOn: request.isOn, claims: request.claims, by: program.client, at: time)
    case .watchScreens(let isWanted):
      oracle.screens.watch(program.client, isWanted, at: time)
    case .lock(let request):
      if let code = refusal(of: request, by: program) {
        return program.stream.expect(.refused(serial: serial, code: code.rawValue))
      }
      guard let index = oracle.screens.index(of: request.screen) else { return }
      oracle.lock(
        index, request.lock, by: program.client, isAdministrator: program.isAdministrator, at: time)
    case .unlock(let name):
      var code = refusal(ofLocking: name, by: program)
      if code == nil, let index = oracle.screens.index(of: name),
        !oracle.screens.unlock(index, .requested)
      {
        code = TOUCHROUTE_ERROR_INVALID
      }
      if let code {
        return program.stream.expect(.refused(serial: serial, code: code.rawValue))
      }
    case .watchIdle(let request): return watchIdle(request, of: program, serial)
    case .unwatchIdle(let watch):
      if !oracle.idle.remove(watch, of: program.client) {
        return program.stream.expect(
          .refused(serial: serial, code: TOUCHROUTE_ERROR_INVALID.rawValue))
      }
    case .inhibitIdle(let attachment, let isWanted):
      if let code = inhibit(attachment, isWanted, of: program) {
        return program.stream.expect(.refused(serial: serial, code: code.rawValue))
      }
    default: return found("a request that nobody made: \(request)")
    }
    collect()
    program.stream.expect(.done(serial: serial, total: 0))
  }

  private func refusal(
    of request: ScreenRequest, by program: Program
  ) -> touchroute_error_code? {
    if oracle.screens.index(of: request.screen) != nil, !mayDarken(program, request.screen) {
      return TOUCHROUTE_ERROR_NOT_ALLOWED
    }
    let refusal = oracle.screens.refusal(
      of: (request.screen, request.isOn, request.claims), by: program.client,
      isAdministrator: program.isAdministrator, at: time)
    return switch refusal {
    case nil: nil
    case .noScreen: TOUCHROUTE_ERROR_INVALID
    case .held: TOUCHROUTE_ERROR_HELD
    case .notBlanker: TOUCHROUTE_ERROR_NOT_ALLOWED
    case .tooOften: TOUCHROUTE_ERROR_LIMIT
    }
  }

  private func refusal(of request: LockRequest, by program: Program) -> touchroute_error_code? {
    if let code = refusal(ofLocking: request.screen, by: program) { return code }
    let limit = settings.configured.configuration.limits.lockSeconds
    if request.lock.milliseconds > UInt64(limit) * 1_000 { return TOUCHROUTE_ERROR_LIMIT }
    let isThere = request.lock.exceptions.allSatisfy(oracle.layout.hasView)
    if !isThere { return TOUCHROUTE_ERROR_NO_RESPONDER }
    guard let index = oracle.screens.index(of: request.screen), !program.isAdministrator else {
      return nil
    }
    return oracle.screens.isLockedTooOften(index, at: time) ? TOUCHROUTE_ERROR_LIMIT : nil
  }

  private func refusal(ofLocking name: String, by program: Program) -> touchroute_error_code? {
    guard let index = oracle.screens.index(of: name) else { return TOUCHROUTE_ERROR_INVALID }
    if !mayDarken(program, name) { return TOUCHROUTE_ERROR_NOT_ALLOWED }
    let isLocked = oracle.screens.isLocked(
      index, for: program.client, isAdministrator: program.isAdministrator)
    return isLocked ? TOUCHROUTE_ERROR_HELD : nil
  }

  private func watchIdle(
    _ request: IdleWatches.Request, of program: Program, _ serial: UInt32
  ) {
    if let code = refusal(of: request, by: program) {
      return program.stream.expect(.refused(serial: serial, code: code.rawValue))
    }
    let known = Set(oracle.idle.watches.map(\.id))
    let all = exchange.pipeline.idle.watches(of: program.client).map(\.id)
    guard let id = all.max(), !known.contains(id) else {
      return found("a watch has none of its own numbers: \(all), known \(known)")
    }
    oracle.idle.add(id, request, of: program.client, at: time)
    program.stream.expect(.done(serial: serial, total: id))
  }

  private func refusal(
    of request: IdleWatches.Request, by program: Program
  ) -> touchroute_error_code? {
    switch request.scope {
    case .seat: return nil
    case .screen(let name):
      return oracle.screens.index(of: name) == nil ? TOUCHROUTE_ERROR_INVALID : nil
    case .window(let name):
      if !oracle.layout.hasView(name) { return TOUCHROUTE_ERROR_NO_RESPONDER }
      let isHeld = oracle.holders[name]?.client == program.client
      return isHeld || program.isAdministrator ? nil : TOUCHROUTE_ERROR_NOT_ALLOWED
    }
  }

  private func inhibit(
    _ id: AttachmentID, _ isWanted: Bool, of program: Program
  ) -> touchroute_error_code? {
    let held = oracle.holders.values.first { $0.id == id && $0.client == program.client }
    guard let held else { return TOUCHROUTE_ERROR_NOT_ATTACHED }
    let isWindow = !held.path.contains("/") && !held.path.contains("@") && !held.path.contains(":")
    if !isWindow { return TOUCHROUTE_ERROR_INVALID }
    var inhibitors = oracle.idle.inhibitors
    inhibitors[id] = isWanted ? (held.path, "") : nil
    inhibit(by: inhibitors)
    return nil
  }

  private func inhibit(by inhibitors: [AttachmentID: (window: String, screen: String)]) {
    var present: [AttachmentID: (window: String, screen: String)] = [:]
    for held in oracle.holders.values where inhibitors[held.id] != nil {
      let screen = oracle.layout.screen(of: held.path).map {
        oracle.layout.layout.screens[Int($0.rawValue)].name
      }
      present[held.id] = (held.path, screen ?? "")
    }
    oracle.idle.inhibit(present, at: time)
  }

  // MARK: - What follows from other things

  /// Ends what those may no longer do whom no rule names. Rules D5 and D9.
  func reviewScreens() {
    oracle.screens.review(at: time) { client, screen in
      programs[client].map { mayDarken($0, screen) } ?? false
    }
    collect()
  }

  /// Ends what clients watch and inhibit that they hold no longer. Rules D7 and D8.
  func reviewIdle() {
    inhibit(by: oracle.idle.inhibitors)
    let (holders, screens, layout) = (oracle.holders, oracle.screens, oracle.layout)
    oracle.idle.removeAll { watch in
      switch watch.request.scope {
      case .seat: false
      case .screen(let name): screens.index(of: name) == nil
      case .window(let name):
        !layout.hasView(name)
          || holders[name]?.client != watch.client
            && programs[watch.client]?.isAdministrator != true
      }
    }
    collect()
  }

  /// Hands what the oracle has to tell of screens and idleness to the programs that are to read it.
  func collectNotices() {
    for (client, notice) in oracle.screens.said + oracle.idle.said {
      guard let program = programs[client] else {
        found("the oracle tells \(client), which is gone, \(notice)")
        continue
      }
      program.stream.expect(notice)
    }
    oracle.screens.removeSaid()
    oracle.idle.removeSaid()
  }

  /// Who reads has been told all that it is to be told.
  func checkNotices(_ program: Program) {
    guard program.isReading, !program.isBad, !program.isGone, !program.isClosed,
      let notice = program.stream.owedNotices.first
    else { return }
    found("\(program.client) was not told \(notice)")
  }

  /// Screens, locks and watches are what the oracle says.
  func compareScreens() {
    for (index, panel) in oracle.screens.panels.enumerated() {
      let number = ScreenIndex(Int32(index))
      let state = exchange.pipeline.router.screens.state(of: number)
      if state != panel.state {
        found("screen \(panel.screen.name) is \(state), expected \(panel.state)")
      }
      let lock = exchange.pipeline.router.locks.lock(of: number)
      if lock?.end != panel.lock?.end || lock?.request.exceptions != panel.lock?.request.exceptions
      {
        found("lock \(String(describing: lock)), expected \(String(describing: panel.lock))")
      }
    }
    compareWatches()
    let inhibiting = Set(exchange.pipeline.idle.inhibiting)
    if inhibiting != Set(oracle.idle.inhibitors.keys) {
      found("\(inhibiting) inhibit, expected \(oracle.idle.inhibitors.keys)")
    }
  }

  private func compareWatches() {
    let count = exchange.pipeline.idle.count { _ in true }
    guard count > 0 || !oracle.idle.watches.isEmpty else { return }
    for program in programs.all where !program.isGone {
      let watches = exchange.pipeline.idle.watches(of: program.client)
      let expected = oracle.idle.watches.filter { $0.client == program.client }
        .sorted { $0.id < $1.id }
      guard !watches.elementsEqual(expected, by: { $0.id == $1.id && $0.isIdle == $1.isIdle })
      else { continue }
      found("\(program.client) watches \(watches), expected \(expected)")
    }
  }
}
