import CTouchroute
import Glibc
public import TouchModel
public import Wire

// Each request returns the serial of its answer. It throws `.request` for an argument out of range,
// `.full` if the daemon does not read, `.away` while the library reconnects, and `.ended` once the
// connection has ended.
extension TouchConnection {
  /// Attaches to a responder: a window, view, controller or application. Rules R2 and R3.
  ///
  /// - Parameters:
  ///   - path: The responder's. Rule L5.
  ///   - handles: The phases that this program wants; at least one.
  ///   - passes: Those of them that the next responder up gets too.
  ///   - options: Whether to take it over, to wait for it, to get merged samples and gestures.
  /// - Returns: What names the attachment in every event. ``TouchEvent/attached(_:)`` or
  ///   ``TouchEvent/failed(_:)`` follows. Never throws `.full` or `.away`: the request is sent as
  ///   soon as possible.
  ///
  /// The corresponding C function is touchroute_attach.
  public func attach(
    to path: String, handles: TouchPhases = .all, passes: TouchPhases = [],
    options: AttachOptions = []
  ) throws(TouchClientError) -> AttachmentID {
    try check(path)
    let result = touchroute_attach(
      connection, path, UInt32(handles.rawValue), UInt32(passes.rawValue), options.rawValue)
    return AttachmentID(try serial(result).rawValue)
  }

  /// Ends an attachment. Its touches still come until the answer, ``TouchEvent/done(_:)``; live
  /// ones are cancelled first.
  ///
  /// - Returns: nil if the daemon does not have it: there is no connection, or attach was not sent
  ///   yet. It has then ended at once.
  ///
  /// The corresponding C function is touchroute_detach.
  @discardableResult
  public func detach(_ attachment: AttachmentID) throws(TouchClientError) -> Serial? {
    let result = touchroute_detach(connection, attachment.rawValue)
    return result == 0 ? nil : try serial(result)
  }

  /// Accepts a touch, as otherwise happens at the decision timeout. Has no answer, and no effect if
  /// the touch has ended meanwhile. Rule R5.
  ///
  /// The corresponding C function is touchroute_accept.
  public func accept(_ touch: TouchID, for attachment: AttachmentID) throws(TouchClientError) {
    _ = try serial(touchroute_accept(connection, attachment.rawValue, touch.rawValue))
  }

  /// Declines a touch. The next responder up gets all of it, from its beginning. Has no answer.
  ///
  /// Decline within the decision timeout after `began`, and before you accept; the touch may have
  /// ended meanwhile. The daemon ignores a decline that comes later. Either way this attachment
  /// hears nothing more of the touch, not even its end. Rule R5.
  ///
  /// The corresponding C function is touchroute_decline.
  public func decline(_ touch: TouchID, for attachment: AttachmentID) throws(TouchClientError) {
    _ = try serial(touchroute_decline(connection, attachment.rawValue, touch.rawValue))
  }

  /// Adds a recognizer to the view of an attachment, or to a view in it. It lasts as long as the
  /// attachment, over reconnections too. Rule G1. The corresponding method is UIKit's
  /// addGestureRecognizer.
  ///
  /// - Returns: What names it in ``Gesture/recognizer``. Done follows, or failed, which ends it.
  ///   The library adds it once the attachment is in force.
  ///
  /// The corresponding C function is touchroute_add_gesture_with_feedback.
  @discardableResult
  public func addGesture(
    _ recognizer: GestureRecognizer, to attachment: AttachmentID
  ) throws(TouchClientError) -> GestureID {
    let result = recognizer.withWire {
      touchroute_add_gesture_with_feedback(connection, attachment.rawValue, $0, $1)
    }
    guard let result else {
      throw TouchClientError(
        .request, "the gesture \(recognizer.name) has a number out of range, or a text with NUL")
    }
    return GestureID(try serial(result).rawValue)
  }

  /// Removes a recognizer. A gesture that has begun with it is cancelled before the answer, done.
  ///
  /// - Returns: nil if the daemon does not have it: it is then removed at once.
  ///
  /// The corresponding C function is touchroute_remove_gesture.
  @discardableResult
  public func removeGesture(_ recognizer: GestureID) throws(TouchClientError) -> Serial? {
    let result = touchroute_remove_gesture(connection, recognizer.rawValue)
    return result == 0 ? nil : try serial(result)
  }

  /// Enables or disables a recognizer that this program has added, over reconnections too.
  ///
  /// If you disable it, a gesture that has begun with it is cancelled before the answer, done. For
  /// other recognizers use ``set(_:)``. The corresponding property is UIKit's isEnabled.
  ///
  /// - Returns: nil if the daemon does not have it yet: it is then added so.
  ///
  /// The corresponding C function is touchroute_enable_gesture.
  @discardableResult
  public func enableGesture(
    _ recognizer: GestureID, _ isEnabled: Bool = true
  ) throws(TouchClientError) -> Serial? {
    let result = touchroute_enable_gesture(connection, recognizer.rawValue, isEnabled ? 1 : 0)
    return result == 0 ? nil : try serial(result)
  }

  /// Overrides properties of views and windows that this program holds, and of views in them. Other
  /// views need an access rule that names this program's user, or the control socket. The changes
  /// take effect in their order and all at once, between two frames. If one is impossible, none
  /// takes effect.
  ///
  /// An override ends with the attachment through which it was set. One by a rule's right ends with
  /// the connection. One of the control socket stays. Rule L6. All survive a reload, and a restart
  /// by the service manager. None survives a daemon that dies, and the library does not repeat
  /// them. So set what you need after each ``TouchEvent/attached(_:)``, or after each
  /// ``TouchEvent/welcome(_:)`` if you need no attachment for it.
  ///
  /// - Returns: The serial of ``TouchEvent/done(_:)`` or ``TouchEvent/failed(_:)``.
  /// - Throws: `.request` if the changes do not fit into one request.
  ///
  /// The corresponding C function is touchroute_set.
  @discardableResult
  public func set(_ changes: [ViewChange]) throws(TouchClientError) -> Serial {
    for change in changes { try check(change.path) }
    let result = ViewChange.withWireChanges(changes) {
      touchroute_set(connection, $0.baseAddress, UInt32($0.count))
    }
    return try serial(result)
  }

  /// Adds, changes and removes views of this program's own in the view of an attachment. All steps
  /// take effect at once, between two frames. If one is impossible, none takes effect. The daemon
  /// first adds and removes views, in the order of the steps, then sets properties. Rule L7.
  ///
  /// The views end with the attachment. The library adds them again when it reconnects. If one is
  /// impossible, ``TouchEvent/failed(_:)`` says so, without a serial, and the others are added.
  ///
  /// - Returns: The serial of ``TouchEvent/done(_:)`` or ``TouchEvent/failed(_:)``, which names the
  ///   step. The request is sent once the attachment is in force.
  /// - Throws: `.request` if the steps do not fit into one request. About 1,100 rows with short
  ///   names do.
  ///
  /// The corresponding C function is touchroute_change_views.
  @discardableResult
  public func changeViews(
    _ steps: [ViewStep], in attachment: AttachmentID
  ) throws(TouchClientError) -> Serial {
    let result = ViewStep.withWireSteps(steps) {
      touchroute_change_views(connection, attachment.rawValue, $0.baseAddress, UInt32($0.count))
    }
    guard let result else {
      throw TouchClientError(.request, "the path of a view has to be text, without NUL")
    }
    return try serial(result)
  }

  /// Adds views in the view of an attachment, like ``changeViews(_:in:)``:
  ///
  ///     try connection.addViews(in: list) {
  ///       Subview("header", frame: Rect(x: 0, y: 0, width: 480, height: 60)) {
  ///         Subview("close", frame: Rect(x: 420, y: 0, width: 60, height: 60), .shape(.ellipse))
  ///       }
  ///       for row in rows { Subview("row-\(row.id)", frame: row.frame) }
  ///     }
  @discardableResult
  public func addViews(
    in attachment: AttachmentID, @SubviewBuilder _ views: () -> [Subview]
  ) throws(TouchClientError) -> Serial {
    try changeViews(views().map { .add($0) }, in: attachment)
  }

  /// Asks for the views of a responder, in the order in which a touch's target counts them, and for
  /// their recognizers after them.
  ///
  /// - Parameters:
  ///   - path: The responder's; empty for every view of every window.
  ///   - first: Where to start: among the views, and after the last view among the recognizers.
  ///   - count: How many; 0 for as many as one answer has room for.
  /// - Returns: The serial of each ``TouchEvent/view(_:_:)`` and
  ///   ``TouchEvent/describedGesture(_:_:)``, and of the ``TouchEvent/done(_:)`` that ends them.
  ///   Its total says how many views there are. An answer without items is the end.
  ///
  /// The corresponding C function is touchroute_describe.
  public func describe(
    _ path: String = "", first: UInt32 = 0, count: UInt32 = 0
  ) throws(TouchClientError) -> Serial {
    try check(path)
    return try serial(touchroute_describe(connection, path, first, count))
  }

  /// Says that a screen is about to be dark, before its light goes off, or that it is on again.
  /// Rules D1 to D6.
  ///
  /// The library does not ask again after a reconnection: do it after ``TouchEvent/welcome(_:)``.
  /// The same holds for what is watched and inhibited.
  ///
  /// - Parameters:
  ///   - screen: The screen's name.
  ///   - isOn: Whether it is on.
  ///   - asBlanker: Whether this program becomes the screen's blanker, which hears of each wake.
  /// - Returns: The serial of ``TouchEvent/done(_:)`` or ``TouchEvent/failed(_:)``.
  ///
  /// The corresponding C function is touchroute_set_screen.
  @discardableResult
  public func setScreen(
    _ screen: String, isOn: Bool, asBlanker: Bool = false
  ) throws(TouchClientError) -> Serial {
    try check(screen)
    let state: ScreenState = isOn ? .on : .dark
    let flags: Wire.SetScreenFlags = asBlanker ? .blanker : []
    return try serial(
      touchroute_set_screen(connection, screen, UInt32(state.rawValue), UInt32(flags.rawValue)))
  }

  /// Locks a screen: a child lock, or to clean it. Rule D9.
  ///
  /// It ends with its time, by ``unlock(_:)``, by what fingers do, and with the connection; one of
  /// the control socket outlives that. One of this program's replaces the one before.
  ///
  /// - Parameters:
  ///   - screen: The screen's name.
  ///   - milliseconds: How long; at least 1000, at most the limit `lock_seconds`.
  ///   - exit: What fingers do to end it.
  ///   - exceptions: The paths of the views that get touches all the same.
  /// - Returns: The serial of ``TouchEvent/done(_:)`` or ``TouchEvent/failed(_:)``.
  ///
  /// The corresponding C function is touchroute_lock.
  @discardableResult
  public func lock(
    _ screen: String, milliseconds: UInt32, exit: LockExit = [], except exceptions: [String] = []
  ) throws(TouchClientError) -> Serial {
    try check(screen)
    for exception in exceptions { try check(exception) }
    let copies = exceptions.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let result = copies.map { UnsafePointer($0) }.withUnsafeBufferPointer {
      touchroute_lock(
        connection, screen, milliseconds, exit.rawValue, $0.baseAddress, UInt32($0.count))
    }
    return try serial(result)
  }

  /// Ends the lock of a screen; done or failed follows.
  ///
  /// The corresponding C function is touchroute_unlock.
  @discardableResult
  public func unlock(_ screen: String) throws(TouchClientError) -> Serial {
    try check(screen)
    return try serial(touchroute_unlock(connection, screen))
  }

  /// Asks for ``TouchEvent/screen(_:)`` and ``TouchEvent/lock(_:)`` of every screen, or ends that;
  /// done follows, then the state of each.
  ///
  /// The corresponding C function is touchroute_watch_screens.
  @discardableResult
  public func watchScreens(_ enable: Bool = true) throws(TouchClientError) -> Serial {
    try serial(touchroute_watch_screens(connection, enable ? 1 : 0))
  }

  /// Asks for ``TouchEvent/feedback(_:)`` of what is hit on a screen, or ends that; done or failed
  /// follows. Rule D11.
  ///
  /// The corresponding C function is touchroute_watch_feedback.
  @discardableResult
  public func watchFeedback(
    _ screen: String, _ enable: Bool = true
  ) throws(TouchClientError) -> Serial {
    try check(screen)
    return try serial(touchroute_watch_feedback(connection, screen, enable ? 1 : 0))
  }

  /// Asks for ``TouchEvent/idle(_:)`` once nobody has touched something for so long, and once
  /// somebody does again. Rule D7.
  ///
  /// - Parameters:
  ///   - milliseconds: From 1000, a second, to 86400000, a day.
  ///   - flags: What the watch leaves out.
  /// - Returns: The serial of ``TouchEvent/done(_:)``, whose total is the watch's number, or of
  ///   ``TouchEvent/failed(_:)``.
  ///
  /// The corresponding C function is touchroute_watch_idle.
  @discardableResult
  public func watchIdle(
    _ scope: IdleScope, milliseconds: UInt32, _ flags: Wire.IdleFlags = []
  ) throws(TouchClientError) -> Serial {
    let (number, name) = scope.wire
    if let name { try check(name) }
    return try serial(
      touchroute_watch_idle(
        connection, UInt32(number.rawValue), name, milliseconds, UInt32(flags.rawValue)))
  }

  /// Ends a watch, by its number; done or failed follows.
  ///
  /// The corresponding C function is touchroute_unwatch_idle.
  @discardableResult
  public func unwatchIdle(_ watch: UInt32) throws(TouchClientError) -> Serial {
    try serial(touchroute_unwatch_idle(connection, watch))
  }

  /// Inhibits idle for an attachment's window, its screen and the seat, or no longer; it ends with
  /// the attachment. Rule D8.
  ///
  /// The corresponding C function is touchroute_inhibit_idle.
  @discardableResult
  public func inhibitIdle(
    _ attachment: AttachmentID, _ enable: Bool = true
  ) throws(TouchClientError) -> Serial {
    try serial(touchroute_inhibit_idle(connection, attachment.rawValue, enable ? 1 : 0))
  }

  /// Asks for ``TouchEvent/pong(_:)``, which comes after the answers to all earlier requests.
  ///
  /// The corresponding C function is touchroute_ping.
  public func ping() throws(TouchClientError) -> Serial { try serial(touchroute_ping(connection)) }

  /// On the control socket: asks for ``TouchEvent/status(_:_:)`` items; done follows.
  ///
  /// The corresponding C function is touchroute_status.
  public func status() throws(TouchClientError) -> Serial {
    try serial(touchroute_status(connection))
  }

  /// On the control socket: asks for every frame as it is routed, or ends that; done follows.
  ///
  /// - Returns: nil if you end it while there is no connection: no answer comes.
  ///
  /// The corresponding C function is touchroute_observe.
  @discardableResult
  public func observe(_ enable: Bool = true) throws(TouchClientError) -> Serial? {
    try observe(enable ? TOUCHROUTE_OBSERVE_TOUCHES : TOUCHROUTE_OBSERVE_NOTHING)
  }

  /// On the control socket: as ``observe(_:)``, with ``TouchEvent/observedChange(_:)`` for what
  /// else decides where touches go. First come, before done, those that say what is so now. If this
  /// connection does not read, the daemon drops what it observes, and says how much.
  ///
  /// The corresponding C function is touchroute_observe.
  @discardableResult
  public func observeChanges() throws(TouchClientError) -> Serial? {
    try observe(TOUCHROUTE_OBSERVE_CHANGES)
  }

  /// On the control socket: asks for ``TouchEvent/observedSignal(_:)`` of what is wrong with
  /// touchscreens, and for nothing of touches; done follows. ``observe(_:)`` ends it. Rule N10.
  ///
  /// The corresponding C function is touchroute_observe.
  @discardableResult
  public func observeHealth() throws(TouchClientError) -> Serial? {
    try observe(TOUCHROUTE_OBSERVE_HEALTH)
  }

  private func observe(_ what: touchroute_observing) throws(TouchClientError) -> Serial? {
    let result = touchroute_observe(connection, CInt(what.rawValue))
    return result == 0 ? nil : try serial(result)
  }

  /// On the control socket: makes the daemon read its configuration again. Done follows, with what
  /// changed, or ``TouchEvent/failed(_:)`` with every problem of the configuration.
  ///
  /// The corresponding C function is touchroute_reload.
  public func reload() throws(TouchClientError) -> Serial {
    try serial(touchroute_reload(connection))
  }

  /// On the control socket: plays one frame of a synthetic touchscreen that belongs to this
  /// connection. The frame has the time at which the daemon reads it. When the connection ends or
  /// is lost, the touchscreen's touches are cancelled: device removed.
  ///
  /// Done follows, whose total is the device number of the touches, or failed. If this connection
  /// observes, the frame comes before that.
  ///
  /// - Parameters:
  ///   - contacts: The fingers that change in this frame.
  ///   - screen: An index into ``Welcome/screens``. It may change only while no finger is down.
  ///
  /// The corresponding C function is touchroute_inject.
  @discardableResult
  public func inject(
    _ contacts: [InjectedContact], screen: UInt32 = 0
  ) throws(TouchClientError) -> Serial {
    let contacts = contacts.map(\.wire)
    return try serial(touchroute_inject(connection, screen, contacts, UInt32(contacts.count)))
  }

  /// On the control socket: cancels a touch for every client that gets it, or with nil every live
  /// touch. Done follows, whose total says how many were live.
  ///
  /// The corresponding C function is touchroute_cancel.
  @discardableResult
  public func cancel(_ touch: TouchID?) throws(TouchClientError) -> Serial {
    try serial(touchroute_cancel(connection, touch?.rawValue ?? 0))
  }

  /// On the control socket: lets other programs read a touchscreen that the daemon has grabbed,
  /// until this connection ends or is lost. Touches go on. Done follows, whose total is 1 if the
  /// daemon had grabbed it, else 0.
  ///
  /// The corresponding C function is touchroute_ungrab.
  @discardableResult
  public func ungrab(_ device: DeviceID) throws(TouchClientError) -> Serial {
    try serial(touchroute_ungrab(connection, device.rawValue))
  }

  /// C's strings end at NUL: the path would be another one.
  private func check(_ path: String) throws(TouchClientError) {
    guard path.utf8.contains(0) else { return }
    throw TouchClientError(.request, "a responder's path has to be text, without NUL")
  }

  private func serial(_ result: CInt) throws(TouchClientError) -> Serial {
    guard result > 0 else { throw failure(result) }
    return Serial(UInt32(result))
  }
}
