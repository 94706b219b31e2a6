import Wire
import Layout
import Routing
import TouchModel
import Exchange

extension SimulatedWorld {
  /// What observers are told of a touch's chain is what was delivered: to those that it names, and
  /// to nobody else. In a secure view less is told.
  private func compareChain(
    _ observed: Observation.Record, _ links: some Sequence<Observation.Link>
  ) {
    guard !observed.flags.contains(.secure), !observed.flags.contains(.replayed) else { return }
    let named = links.filter { $0.phases.contains(.began) }.compactMap(\.attachment)
    let told = exchange.pipeline.deliveries.records.filter {
      $0.id == observed.id && $0.phase == .began
    }
    .filter { !$0.flags.contains(.replayed) }.map(\.attachment)
    if Set(told) != Set(named) || told.isEmpty != (observed.discardReason != nil) {
      found("observers are told \(named) of touch \(observed.id), clients are \(told)")
    }
  }

  /// What observers were told of what was just routed.
  func compareObservations() {
    let observations = exchange.pipeline.deliveries.observations
    for frame in observations.frames {
      for record in observations.records[frame.records] where record.phase == .began {
        compareChain(record, observations.chain(of: record, in: frame))
      }
    }
  }

  /// The layout in force is that of the configuration and of what is set still, and who holds what
  /// is as the oracle says.
  private func compareLayout() {
    let (layout, expected) = (exchange.pipeline.router.layout, oracle.layout.layout)
    let paths = (0..<Int32(layout.viewCount)).map { layout.path(of: ViewIndex($0)) }
    guard paths == oracle.layout.viewPaths else {
      return found("views: \(paths), expected \(oracle.layout.viewPaths)")
    }
    for (index, path) in oracle.layout.viewPaths.enumerated() {
      let view = ViewIndex(Int32(index))
      let (left, right) = (layout[view], expected[view])
      if left.frame != right.frame || left.boundsOrigin != right.boundsOrigin
        || left.alpha != right.alpha || left.isHidden != right.isHidden
        || left.interaction != right.interaction || left.isSecure != right.isSecure
      {
        found("\(path) is \(left), expected \(right)")
      }
    }
    let held = exchange.pipeline.router.attachments.all.map { Holding($0.id, $0.client) }
    let expectedHeld = oracle.holders.values.map { Holding($0.id, $0.client) }
    if Set(held) != Set(expectedHeld) { found("held: \(held), expected \(expectedHeld)") }
  }

  private struct Holding: Hashable {
    var attachment: AttachmentID
    var client: ClientID

    init(_ attachment: AttachmentID, _ client: ClientID) {
      self.attachment = attachment
      self.client = client
    }
  }

  /// Who reads knows of all that others hold in its windows, and of nothing else. Rule F6.
  private func compareHolders() {
    for program in programs.all where !program.isGone && !program.isClosed && !program.isBad {
      for window in oracle.holders.values where window.client == program.client {
        guard !window.path.contains("/"), !window.path.contains("@"), !window.path.contains(":")
        else { continue }
        var expected: [String: Program.Believed] = [:]
        for (path, hold) in oracle.holders where hold.client != program.client {
          guard path.hasPrefix(window.path + "/") || path.hasPrefix(window.path + "@") else {
            continue
          }
          expected[path] = Program.Believed(
            name: programs[hold.client]?.name ?? "", handles: hold.handles.rawValue,
            passes: hold.passes.rawValue)
        }
        let believed = program.believed[window.id.rawValue] ?? [:]
        if believed != expected {
          found("\(program.client) believes of \(window.path) \(believed), not \(expected)")
        }
      }
    }
  }

  /// Who reads knows how many of the views are there that it has added. Rule L7.
  private func compareAddedCounts() {
    let counts = settings.addedCounts
    for program in programs.all where !program.isGone && !program.isClosed && !program.isBad {
      for holder in oracle.holders.values where holder.client == program.client {
        let believed = Int(program.addedCounts[holder.id.rawValue] ?? 0)
        guard believed != counts[holder.id] ?? 0 else { continue }
        found(
          "\(program.client) believes that \(believed) of its views in \(holder.path) are there")
      }
    }
  }

  /// At the end a program has read all that it was to read, and was answered.
  func checkLast(_ program: Program) {
    program.stream.finish()
    if let bug = program.stream.bug { found("\(program.client): \(bug)") }
    if !program.asked.isEmpty { found("\(program.client) asked for \(program.asked) in vain") }
    if !program.trespasses.isEmpty { found("\(program.client) was not refused what it may not") }
    if program.hasBabbled { found("\(program.client) has broken the protocol, and is there") }
  }

  /// What the daemon counts is what the oracle does, and it adds up.
  func compare() {
    if isChanged {
      isChanged = false
      compareLayout()
      compareHolders()
      compareAddedCounts()
    }
    compareScreens()
    if let violation = exchange.pipeline.checker.latestViolation {
      found("violation: \(violation)")
    }
    let counters = exchange.pipeline.router.counters
    if counters != oracle.counters {
      found("counters: \(counters)\nexpected: \(oracle.counters)")
    }
    if exchange.pipeline.router.nextDeadline != oracle.nextDeadline {
      found(
        "deadline: \(String(describing: exchange.pipeline.router.nextDeadline)), "
          + "expected \(String(describing: oracle.nextDeadline))")
    }
    let over = counters[.ended] + counters[.cancelled] + counters[.orphaned]
    if counters[.began] != over + UInt64(exchange.pipeline.router.pendingTouchCount) {
      found("began is not ended + cancelled + orphaned + pending: \(counters)")
    }
    let discarded = DiscardReason.allCases.filter { $0 != .declined }
      .compactMap(Wire.Counter.init).reduce(0) { $0 + counters[$1] }
    if counters[.began] != counters[.delivered] + discarded {
      found("began is not delivered + discarded: \(counters)")
    }
    if exchange.pipeline.router.liveTouchCount != oracle.touches.values.count(where: \.isLive) {
      found("live touches")
    }
  }
}
