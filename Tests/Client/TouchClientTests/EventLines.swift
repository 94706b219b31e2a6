import DaemonSupport
import TouchClient
import TouchModel

// Events as the vectors write them.

func quoted(_ text: String) -> String { "\"\(text)\"" }

private func moment(_ time: Timestamp) -> String {
  time.microseconds < 1_000_000 ? "\(time.microseconds)" : "now"
}

private func place(_ point: Point) -> String { "[\(point.x), \(point.y)]" }

private func box(_ rect: Rect) -> String {
  "[\(rect.x), \(rect.y), \(rect.width), \(rect.height)]"
}

private func numbers(_ map: AffineTransform) -> String {
  "[\(map.a), \(map.b), \(map.c), \(map.d), \(map.tx), \(map.ty)]"
}

private func number(_ value: some Any) -> String { "\(value)" }

private func number(_ value: UInt32?) -> String { value.map { "\($0)" } ?? "none" }

private func name(_ reason: CancelReason?) -> String {
  switch reason {
  case nil: "none"
  case .deviceRemoved: "device removed"
  case .suspended: "suspended"
  case .palm: "palm"
  case .targetRemoved: "target removed"
  case .clientUnresponsive: "unresponsive"
  case .takenOver: "taken over"
  case .stopping: "stopping"
  case .requested: "requested"
  case .connectionLost: "connection lost"
  case .gesture: "gesture"
  case .stuck: "stuck"
  case .ghost: "ghost"
  case .dark: "dark"
  case .locked: "locked"
  }
}

extension TouchEvent {
  /// The event as the vectors write it.
  var lines: String {
    switch self {
    case .touches(let frame): frame.lines
    case .attached(let geometry): "attached \(geometry.line)"
    case .layout(let geometry): "layout \(geometry.line)"
    case .detached(let detachment):
      "detached \(detachment.attachment.rawValue) reason=\(detachment.reason?.rawValue ?? 99) "
        + "text=\(quoted(detachment.text))"
    case .waiting(let waiting):
      "waiting \(waiting.attachment.rawValue) reason=\(waiting.reason?.rawValue ?? 0) "
        + "text=\(quoted(waiting.text))"
    case .gesture(let gesture): "gesture \(gesture.line)"
    case .holder(let holder):
      "holder \(holder.attachment.rawValue) path=\(quoted(holder.path)) "
        + "held=\(holder.isHeld ? 1 : 0) pid=\(holder.pid) uid=\(holder.uid) "
        + "name=\(quoted(holder.name)) handles=\(holder.handles.rawValue) "
        + "passes=\(holder.passes.rawValue)"
    case .screen(let notice):
      "screen \(notice.screen) name=\(quoted(notice.name)) power=\(notice.state.rawValue) "
        + "cause=\(notice.cause?.rawValue ?? 0)"
    case .lock(let notice):
      "lock \(notice.screen) name=\(quoted(notice.name)) "
        + "remaining=\(notice.remainingMilliseconds) cause=\(notice.cause?.rawValue ?? 0)"
    case .idle(let change): "idle \(change.watch) is_idle=\(change.isIdle ? 1 : 0)"
    case .feedback(let notice):
      "feedback \(notice.screen) time=\(notice.time) cause=\(notice.cause?.rawValue ?? 0) "
        + "name=\(quoted(notice.name)) target=\(quoted(notice.target ?? ""))"
    case .welcome(let welcome): welcome.lines
    case .failed(let failure):
      "error \(failure.serial.rawValue) "
        + "code=\(failure.code == .other ? 999 : failure.code.rawValue) "
        + "text=\(quoted(failure.text))"
    case .closing(let notice):
      "closing reason=\(notice.reason?.rawValue ?? 99) text=\(quoted(notice.text))"
    case .lost: "lost"
    case .view(let serial, let view): "view \(serial.rawValue) \(view.line)"
    case .viewDetails(let serial, let details):
      "view_details \(serial.rawValue) view=\(details.view) screen=\(number(details.screen)) "
        + "flags=\(details.flags.rawValue) pid=\(details.program ?? 0) "
        + "application=\(quoted(details.application))"
    case .viewProperty(let serial, let item):
      "view_property \(serial.rawValue) view=\(item.view) "
        + "property=\(item.property.kind.rawValue) setter=\(item.setter.rawValue) "
        + "pid=\(item.program ?? 0) values=\(item.property.values) "
        + "words=\(quoted(item.property.words)) "
        + "points=\(item.property.points.flatMap { [$0.x, $0.y] })"
    case .describedGesture(let serial, let gesture):
      "described_gesture \(serial.rawValue) \(gesture.line)"
    case .pong(let serial): "pong \(serial.rawValue)"
    case .status(let serial, let item): "status \(serial.rawValue) \(item.line)"
    case .done(let completion):
      "done \(completion.serial.rawValue) total=\(completion.total) "
        + "generation=\(completion.generation) text=\(quoted(completion.text))"
    case .observed(let observation): observation.lines
    case .observedGesture(let gesture):
      "observed_gesture \(gesture.recognizer) path=\(quoted(gesture.path)) "
        + "kind=\(gesture.kind?.rawValue ?? 0) "
        + "state=\(gesture.isPassedBy ? 8 : gesture.state.rawValue) "
        + "reason=\(quoted(name(gesture.cancelReason))) time=\(moment(gesture.time)) "
        + "touch=\(gesture.touch?.rawValue ?? 0) pid=\(gesture.pid ?? 0) "
        + "text=\(quoted(gesture.text))"
    case .observedSignal(let signal):
      "observed_signal \(signal.device.rawValue) finding=\(signal.finding.rawValue) "
        + "touch=\(signal.touch?.rawValue ?? 0) time=\(moment(signal.time)) "
        + "screen=\(number(signal.screen)) "
        + "place=\(signal.screenLocation.map { "\($0.x),\($0.y)" } ?? "secure") "
        + "over=\(signal.isOver ? 1 : 0) text=\(quoted(signal.text))"
    case .observedChange(let change): change.line
    }
  }
}

extension ObservedChange {
  fileprivate var line: String {
    func shown(_ number: UInt32?) -> String { number.map { "\($0)" } ?? "-" }
    return "observed_change \(kind.rawValue) time=\(moment(time)) value=\(value) "
      + "client=\(shown(client)) attachment=\(shown(attachment)) pid=\(pid ?? 0) "
      + "handles=\(handles.rawValue) passes=\(passes.rawValue) "
      + "gestures=\(handlesGestures ? 1 : 0) path=\(quoted(path)) name=\(quoted(name))"
  }
}

extension DescribedGesture {
  fileprivate var line: String {
    let what = recognizer
    func shown<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "-" }
    let times = [what.durationMilliseconds, what.intervalMilliseconds, what.gatherMilliseconds]
    let lengths = [what.slop, what.distance, what.margin, what.slopDegrees]
    let fingers = what.touches ?? 0...0
    return "number=\(number) index=\(index) view=\(shown(view)) screen=\(shown(screen)) "
      + "pid=\(program ?? 0) path=\(quoted(path)) kind=\(what.kind.rawValue) "
      + "fingers=\(fingers.lowerBound)-\(fingers.upperBound) taps=\(what.taps ?? 0) "
      + "direction=\(what.direction.rawValue) edge=\(what.edge.rawValue) "
      + "flags=\(what.options.rawValue | (isHeard ? 0 : 32)) "
      + "times=\(times.map(shown).joined(separator: ",")) "
      + "lengths=\(lengths.map(shown).joined(separator: ",")) to=\(quoted(what.responder ?? "")) "
      + "after=\(quoted(what.after.joined(separator: ","))) "
      + "simultaneous=\(quoted(what.simultaneous.joined(separator: ",")))"
  }
}

extension RoutedFrame {
  fileprivate var lines: String {
    let head =
      "touches time=\(moment(time)) sequence=\(sequence) device=\(device.rawValue) "
      + "more=\(continues ? 1 : 0)"
    return ([head] + touches.map(\.lines)).joined(separator: "\n")
  }
}

extension RoutedTouch {
  fileprivate var lines: String {
    let head =
      "  \(phase) \(id.rawValue) attachment=\(attachment.rawValue) target=\(target) "
      + "path=\(quoted(targetPath)) time=\(moment(time)) reason=\(quoted(name(cancelReason))) "
      + "flags=\(flags.rawValue) taps=\(tapCount) screen=\(screen) at=\(place(location)) "
      + "previous=\(place(previousLocation)) window=\(place(windowLocation)) "
      + "panel=\(place(screenLocation))"
    let rest = samples.map { "    sample time=\(moment($0.time)) at=\(place($0.location))" }
    return ([head] + rest).joined(separator: "\n")
  }
}

extension AttachmentGeometry {
  fileprivate var line: String {
    "\(attachment.rawValue) generation=\(generation) screen=\(number(screen)) views=\(viewCount) "
      + "added=\(addedCount) frame=\(box(frame)) bounds=\(box(bounds)) "
      + "transform=\(numbers(transform))"
  }
}

extension Welcome {
  fileprivate var lines: String {
    let head =
      "welcome version=\(version) attachments=\(maximumAttachments) "
      + "decision=\(decisionTimeoutMilliseconds) unresponsive=\(unresponsiveAfterMilliseconds) "
      + "control=\(isControl ? 1 : 0)"
    let rest = screens.map {
      "  screen \(quoted($0.name)) size=[\($0.size.width), \($0.size.height)] "
        + "rotation=\($0.rotation)"
    }
    return ([head] + rest).joined(separator: "\n")
  }
}

extension DescribedView {
  fileprivate var line: String {
    "index=\(index) parent=\(number(parent)) path=\(quoted(path)) "
      + "controller=\(quoted(controller)) flags=\(flags.rawValue) holder=\(holder ?? 0) "
      + "controller_holder=\(controllerHolder ?? 0) frame=\(box(frame)) "
      + "origin=\(place(boundsOrigin)) transform=\(numbers(transform)) alpha=\(alpha)"
  }
}

extension StatusItem {
  fileprivate var line: String {
    switch self {
    case .daemon(let it):
      "daemon pid=\(it.pid) started=\(moment(it.started)) generation=\(it.generation) "
        + "windows=\(it.windowCount) views=\(it.viewCount) live=\(it.liveTouches) "
        + "version=\(quoted(it.version)) configuration=\(quoted(it.configuration)) "
        + "counters=\(it.counters) latencies=\(it.latencies)"
    case .client(let it):
      "client \(it.client) name=\(quoted(it.name)) pid=\(it.pid) uid=\(it.uid) gid=\(it.gid) "
        + "flags=\(it.flags.rawValue) queued=\(it.queuedBytes) unread=\(it.unreadBytes) "
        + "messages=\(it.messages) coalesced=\(it.coalesced) dropped=\(it.droppedSamples) "
        + "live=\(it.liveTouches)"
    case .attachment(let it):
      "attachment \(it.attachment) client=\(it.client) path=\(quoted(it.path)) "
        + "handles=\(it.handles.rawValue) passes=\(it.passes.rawValue) live=\(it.liveTouches)"
    case .waiting(let it):
      "waiting \(it.attachment) client=\(it.client) path=\(quoted(it.path)) "
        + "handles=\(it.handles.rawValue) passes=\(it.passes.rawValue) live=\(it.liveTouches)"
    case .screen(let it):
      "screen \(it.screen) name=\(quoted(it.name)) power=\(it.state?.rawValue ?? 99) "
        + "pid=\(it.pid ?? 0) blanker=\(quoted(it.blanker))"
    case .lock(let it):
      "lock \(it.screen) name=\(quoted(it.name)) remaining=\(it.remainingMilliseconds) "
        + "pid=\(it.pid ?? 0)"
    case .inhibitor(let it):
      "inhibitor \(it.attachment) client=\(it.client) path=\(quoted(it.path)) "
        + "handles=\(it.handles.rawValue) passes=\(it.passes.rawValue) live=\(it.liveTouches)"
    case .device(let it):
      "device \(it.device.rawValue) name=\(quoted(it.name)) node=\(quoted(it.node)) "
        + "phys=\(quoted(it.physicalPath)) id=\(it.bus):\(it.vendor):\(it.product):\(it.version) "
        + "screen=\(number(it.screen)) flags=\(it.flags.rawValue) "
        + "touches=\(number(it.touchCount)) live=\(it.liveTouches)"
    case .signal(let it):
      "signal \(it.device.rawValue) finding=\(it.finding.rawValue) count=\(it.count) "
        + "since=\(it.since.map { "\($0.microseconds)" } ?? "none") text=\(quoted(it.text))"
    }
  }
}

extension Observation {
  fileprivate var lines: String {
    let head =
      "observed time=\(moment(time)) sequence=\(sequence) device=\(device.rawValue) "
      + "more=\(continues ? 1 : 0)"
    return ([head] + records.map(\.lines)).joined(separator: "\n")
  }
}

extension Observation.Record {
  fileprivate var lines: String {
    let head =
      "  \(phase) \(id.rawValue) reason=\(quoted(name(cancelReason))) "
      + "discarded=\(discardReason?.rawValue ?? 0) flags=\(flags.rawValue) taps=\(tapCount) "
      + "screen=\(screen) panel=\(screenLocation.map(place) ?? "none") path=\(quoted(targetPath)) "
      + "total=\(chainTotal)"
    let rest = chain.map {
      "    asked \(quoted($0.path)) pid=\($0.pid ?? 0) outcome=\($0.outcome?.rawValue ?? 99) "
        + "phases=\($0.phases.rawValue) attachment=\(number($0.attachment))"
    }
    return ([head] + rest).joined(separator: "\n")
  }
}

extension Gesture {
  fileprivate var line: String {
    let values = [
      location.x, location.y, translation.x, translation.y, velocity.x, velocity.y, scale,
      scaleVelocity, rotation, rotationVelocity,
    ]
    let moment = time.microseconds < 1_000_000 ? "\(time.microseconds)" : "now"
    return "\(attachment.rawValue) recognizer=\(recognizer?.rawValue ?? 0) path=\(quoted(path)) "
      + "kind=\(kind.rawValue) state=\(state.rawValue) reason=\(quoted(name(cancelReason))) "
      + "time=\(moment) touches=\(touches) taps=\(taps) direction=\(direction.rawValue) "
      + "values=\(values)"
  }
}
