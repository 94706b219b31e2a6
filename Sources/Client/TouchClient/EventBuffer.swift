import CTouchroute

/// What the C library's listener was told and the program was not yet. C holds it as the listener's
/// data without owning it; ``TouchConnection`` owns both, and ends the connection first.
final class EventBuffer {
  /// In the order in which they came.
  var events: [TouchEvent] = []

  /// The functions that fill a buffer. The corresponding C struct is touchroute_listener.
  static func listener() -> touchroute_listener {
    var listener = touchroute_listener()
    listener.size = MemoryLayout<touchroute_listener>.size
    listenForTouches(&listener)
    listenForConnection(&listener)
    listenForAnswers(&listener)
    listenForDescriptions(&listener)
    listenForStatus(&listener)
    listenForScreens(&listener)
    return listener
  }

  private static func listenForTouches(_ listener: inout touchroute_listener) {
    listener.touches = { data, _, frame in
      append(data, .touches(RoutedFrame(value(frame))))
    }
    listener.attached = { data, _, attached in
      append(data, .attached(AttachmentGeometry(value(attached))))
    }
    listener.layout = { data, _, attached in
      append(data, .layout(AttachmentGeometry(value(attached))))
    }
    listener.detached = { data, _, attachment, reason, sentence in
      let detachment = Detachment(
        attachment: AttachmentID(attachment), reason: Detachment.Reason(rawValue: reason),
        text: text(sentence))
      append(data, .detached(detachment))
    }
    listener.waiting = { data, _, attachment, reason, sentence in
      let waiting = Waiting(
        attachment: AttachmentID(attachment),
        reason: reason == 0 ? nil : Detachment.Reason(rawValue: reason), text: text(sentence))
      append(data, .waiting(waiting))
    }
    listener.holder = { data, _, holder, path, name in
      append(data, .holder(ResponderHolder(value(holder), path: text(path), name: text(name))))
    }
    listener.gesture = { data, _, gesture, path in
      if let gesture = Gesture(value(gesture), path: text(path)) { append(data, .gesture(gesture)) }
    }
    listener.observed_gesture = { data, _, gesture, path, words in
      let gesture = ObservedGesture(value(gesture), path: text(path), text: text(words))
      if let gesture { append(data, .observedGesture(gesture)) }
    }
    listener.observed_signal = { data, _, signal, words in
      let signal = ObservedSignal(value(signal), text: text(words))
      if let signal { append(data, .observedSignal(signal)) }
    }
    listener.observed_change = { data, _, change, path, name in
      let change = ObservedChange(value(change), path: text(path), name: text(name))
      if let change { append(data, .observedChange(change)) }
    }
    listener.observed = { data, _, observation in
      append(data, .observed(Observation(value(observation))))
    }
  }

  private static func listenForScreens(_ listener: inout touchroute_listener) {
    listener.screen_state = { data, _, state, name in
      if let notice = ScreenNotice(value(state), name: text(name)) { append(data, .screen(notice)) }
    }
    listener.idle = { data, _, idle in
      let idle = value(idle)
      append(data, .idle(IdleChange(watch: idle.watch, isIdle: idle.is_idle != 0)))
    }
    listener.status_screen = { data, _, status, name, blanker in
      let status = value(status)
      let item = ScreenStatus(status, name: text(name), blanker: text(blanker))
      append(data, .status(Serial(status.serial), .screen(item)))
    }
    listener.lock_state = { data, _, state, name in
      append(data, .lock(LockNotice(value(state), name: text(name))))
    }
    listener.feedback = { data, _, feedback, name, target in
      let notice = FeedbackNotice(value(feedback), name: text(name), target: text(target))
      append(data, .feedback(notice))
    }
    listener.status_lock = { data, _, status, name in
      let status = value(status)
      append(data, .status(Serial(status.serial), .lock(LockStatus(status, name: text(name)))))
    }
    listener.status_inhibitor = { data, _, status, path in
      let status = value(status)
      let item = AttachmentStatus(status, path: text(path))
      append(data, .status(Serial(status.serial), .inhibitor(item)))
    }
  }

  private static func listenForConnection(_ listener: inout touchroute_listener) {
    listener.welcome = { data, _, welcome, screens in
      guard let screens else { return }
      append(data, .welcome(Welcome(value(welcome), screens: screens)))
    }
    listener.closing = { data, _, reason, sentence in
      let notice = ClosingNotice(
        reason: ClosingNotice.Reason(rawValue: reason), text: text(sentence))
      append(data, .closing(notice))
    }
    listener.lost = { data, _, sentence in append(data, .lost(text(sentence))) }
  }

  private static func listenForAnswers(_ listener: inout touchroute_listener) {
    listener.error = { data, _, error, sentence in
      append(data, .failed(RequestFailure(value(error), text: text(sentence))))
    }
    listener.pong = { data, _, serial in append(data, .pong(Serial(serial))) }
    listener.done = { data, _, done, sentence in
      append(data, .done(Completion(value(done), text: text(sentence))))
    }
  }

  private static func listenForDescriptions(_ listener: inout touchroute_listener) {
    listener.view = { data, _, view, path, controller in
      let view = value(view)
      let described = DescribedView(view, path: text(path), controller: text(controller))
      append(data, .view(Serial(view.serial), described))
    }
    listener.described_gesture = { data, _, gesture, path, to, after, simultaneous in
      let gesture = value(gesture)
      let described = DescribedGesture(
        gesture, path: text(path), to: text(to), after: text(after),
        simultaneous: text(simultaneous))
      if let described { append(data, .describedGesture(Serial(gesture.serial), described)) }
    }
    listener.view_details = { data, _, details, application in
      let details = value(details)
      append(
        data,
        .viewDetails(
          Serial(details.serial), ViewDetails(details, application: text(application))))
    }
    listener.view_property = { data, _, item, property in
      let item = value(item)
      if let described = DescribedProperty(item, value(property)) {
        append(data, .viewProperty(Serial(item.serial), described))
      }
    }
  }

  private static func listenForStatus(_ listener: inout touchroute_listener) {
    listener.status_daemon = { data, _, status, counters, latencies, version, configuration in
      guard let counters, let latencies else { return }
      let status = value(status)
      let item = DaemonStatus(
        status, counters: counters, latencies: latencies, version: text(version),
        configuration: text(configuration))
      append(data, .status(Serial(status.serial), .daemon(item)))
    }
    listener.status_client = { data, _, status, name in
      let status = value(status)
      let item = ClientStatus(status, name: text(name))
      append(data, .status(Serial(status.serial), .client(item)))
    }
    listener.status_attachment = { data, _, status, path in
      let status = value(status)
      let item = AttachmentStatus(status, path: text(path))
      append(data, .status(Serial(status.serial), .attachment(item)))
    }
    listener.status_waiting = { data, _, status, path in
      let status = value(status)
      let item = AttachmentStatus(status, path: text(path))
      append(data, .status(Serial(status.serial), .waiting(item)))
    }
    listener.status_device = { data, _, status, name, node, phys in
      let status = value(status)
      let item = DeviceStatus(
        status, name: text(name), node: text(node), physicalPath: text(phys))
      append(data, .status(Serial(status.serial), .device(item)))
    }
    listener.status_signal = { data, _, status, words in
      let status = value(status)
      guard let item = SignalStatus(status, text: text(words)) else { return }
      append(data, .status(Serial(status.serial), .signal(item)))
    }
  }
}

// Free functions, because a C function pointer can't hold the type that a static one needs.

/// The buffer behind the data of a callback.
private func append(_ data: UnsafeMutableRawPointer?, _ event: TouchEvent) {
  guard let data else { preconditionFailure("the listener was registered without its buffer") }
  Unmanaged<EventBuffer>.fromOpaque(data).takeUnretainedValue().events.append(event)
}

/// What a callback points at, which C's contract says is there.
private func value<Value>(_ pointer: UnsafePointer<Value>?) -> Value {
  guard let pointer else { preconditionFailure("a callback without its \(Value.self)") }
  return pointer.pointee
}

/// A string of a callback, which C's contract says is there.
private func text(_ pointer: UnsafePointer<CChar>?) -> String {
  pointer.map { String(cString: $0) } ?? ""
}
