import CTouchroute
public import TouchModel

// Each request returns the serial that its answer bears, and throws: `.request` for an argument out
// of range, `.full` where the daemon does not read, `.away` while the connection is being made
// again, `.ended` once it is over.
extension TouchConnection {
  /// Attaches to a responder: a window, view, controller or application. Rules R2 and R3.
  ///
  /// - Parameters:
  ///   - path: the responder's. Rule L5.
  ///   - handles: the phases that this program wants; at least one.
  ///   - passes: of these, those that the next responder up gets too.
  ///   - options: whether to take it over, and whether to get merged samples.
  /// - Returns: what names the attachment in every event. ``TouchEvent/attached(_:)`` or
  ///   ``TouchEvent/failed(_:)`` follows. Never `.full` or `.away`: it is sent when it can be.
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

  /// Ends an attachment. Its touches still come until the answer, ``TouchEvent/done(_:)``; what is
  /// live then is cancelled first.
  ///
  /// - Returns: nil where the daemon does not have it, as there is no connection or attach was not
  ///   sent yet: it is over at once.
  ///
  /// The corresponding C function is touchroute_detach.
  @discardableResult
  public func detach(_ attachment: AttachmentID) throws(TouchClientError) -> Serial? {
    let result = touchroute_detach(connection, attachment.rawValue)
    return result == 0 ? nil : try serial(result)
  }

  /// Accepts a touch before the daemon's decision timeout does; has no answer, and no effect where
  /// the touch has ended meanwhile. Rule R5.
  ///
  /// The corresponding C function is touchroute_accept.
  public func accept(_ touch: TouchID, for attachment: AttachmentID) throws(TouchClientError) {
    _ = try serial(touchroute_accept(connection, attachment.rawValue, touch.rawValue))
  }

  /// Declines a touch: the next responder up gets all of it, from its beginning; has no answer.
  /// Possible for the daemon's decision timeout after `began`, unless the touch was accepted, and
  /// then even where it has ended; later the daemon ignores it. Either way nothing more of the
  /// touch comes for this attachment, not even its end. Rule R5.
  ///
  /// The corresponding C function is touchroute_decline.
  public func decline(_ touch: TouchID, for attachment: AttachmentID) throws(TouchClientError) {
    _ = try serial(touchroute_decline(connection, attachment.rawValue, touch.rawValue))
  }

  /// Adds a recogniser to the view of an attachment, or to one that lies in it; it lasts as long as
  /// the attachment, over reconnections too. Rule G1. The corresponding method is UIKit's
  /// addGestureRecognizer.
  ///
  /// - Returns: what names it in ``Gesture/recognizer``. Done follows, or failed, which ends it; it
  ///   is added once the attachment is in force.
  ///
  /// The corresponding C function is touchroute_add_gesture.
  @discardableResult
  public func addGesture(
    _ recognizer: GestureRecognizer, to attachment: AttachmentID
  ) throws(TouchClientError) -> GestureID {
    let result = recognizer.withWire { touchroute_add_gesture(connection, attachment.rawValue, $0) }
    guard let result else {
      throw TouchClientError(
        .request, "the gesture \(recognizer.name) has a number out of range, or a text with NUL")
    }
    return GestureID(try serial(result).rawValue)
  }

  /// Takes a recogniser away; what has begun with it is cancelled before the answer, done.
  ///
  /// - Returns: nil where the daemon does not have it: it is over at once.
  ///
  /// The corresponding C function is touchroute_remove_gesture.
  @discardableResult
  public func removeGesture(_ recognizer: GestureID) throws(TouchClientError) -> Serial? {
    let result = touchroute_remove_gesture(connection, recognizer.rawValue)
    return result == 0 ? nil : try serial(result)
  }

  /// Has a recogniser that this program has added take part, or not, over reconnections too.
  /// What has begun with one that is disabled is cancelled before the answer, done. Others are
  /// enabled with ``set(_:)``. The corresponding property is UIKit's isEnabled.
  ///
  /// - Returns: nil where the daemon does not have it yet: it is added so.
  ///
  /// The corresponding C function is touchroute_enable_gesture.
  @discardableResult
  public func enableGesture(
    _ recognizer: GestureID, _ isEnabled: Bool = true
  ) throws(TouchClientError) -> Serial? {
    let result = touchroute_enable_gesture(connection, recognizer.rawValue, isEnabled ? 1 : 0)
    return result == 0 ? nil : try serial(result)
  }

  /// Changes views and windows that this program holds, or that are in one that it holds; on the
  /// control socket any. The changes are made in their order and all at once, between two frames,
  /// or, where one cannot be made, none is.
  ///
  /// What is set outlasts a reload of the configuration and this connection, but not the daemon: a
  /// program that needs it sets it at ``TouchEvent/welcome(_:)``, which comes from each new daemon.
  ///
  /// - Returns: the serial of ``TouchEvent/done(_:)`` or ``TouchEvent/failed(_:)``. `.request` is
  ///   thrown where the changes do not fit into one request.
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

  /// Adds views of this program's own in the view of an attachment, changes them, and removes those
  /// that it has added: all steps at once, between two frames, or, where one cannot be made, none.
  /// First views come and go, in the order of the steps, then properties are set. Rule L7.
  ///
  /// The views go with the attachment; where the connection is made again they are added again, as
  /// many as can be: of one that can't, ``TouchEvent/failed(_:)`` says so, without a serial.
  ///
  /// - Returns: the serial of ``TouchEvent/done(_:)`` or ``TouchEvent/failed(_:)``, which names the
  ///   step. It is sent once the attachment is in force. `.request` is thrown where the steps do
  ///   not fit into one request: some thousand rows of a list do.
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

  /// Adds views in the view of an attachment, as ``changeViews(_:in:)`` does:
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

  /// Asks for the views of a responder, in the order that touches' targets count, and behind them
  /// for the recognisers that lie in them.
  ///
  /// - Parameters:
  ///   - path: the responder's; empty for every view of every window.
  ///   - first: where to begin: among the views, and from their number on among the recognisers.
  ///   - count: how many; 0 for as many as one answer holds.
  /// - Returns: the serial of each ``TouchEvent/view(_:_:)`` and
  ///   ``TouchEvent/describedGesture(_:_:)`` and of the ``TouchEvent/done(_:)`` that ends them,
  ///   whose total says how many views there are in all. A page without items is the end.
  ///
  /// The corresponding C function is touchroute_describe.
  public func describe(
    _ path: String = "", first: UInt32 = 0, count: UInt32 = 0
  ) throws(TouchClientError) -> Serial {
    try check(path)
    return try serial(touchroute_describe(connection, path, first, count))
  }

  /// Asks for ``TouchEvent/pong(_:)``, which comes after the answers to everything asked before.
  ///
  /// The corresponding C function is touchroute_ping.
  public func ping() throws(TouchClientError) -> Serial { try serial(touchroute_ping(connection)) }

  /// On the control socket: asks for the items of ``TouchEvent/status(_:_:)``; done follows.
  ///
  /// The corresponding C function is touchroute_status.
  public func status() throws(TouchClientError) -> Serial {
    try serial(touchroute_status(connection))
  }

  /// On the control socket: asks for every frame as it is routed, or ends that; done follows.
  ///
  /// - Returns: nil where it is to end and there is no connection: no answer comes.
  ///
  /// The corresponding C function is touchroute_observe.
  @discardableResult
  public func observe(_ enable: Bool = true) throws(TouchClientError) -> Serial? {
    let result = touchroute_observe(connection, enable ? 1 : 0)
    return result == 0 ? nil : try serial(result)
  }

  /// On the control socket: has the configuration read again. Done follows, with what changed, or
  /// ``TouchEvent/failed(_:)`` with every problem of it.
  ///
  /// The corresponding C function is touchroute_reload.
  public func reload() throws(TouchClientError) -> Serial {
    try serial(touchroute_reload(connection))
  }

  /// On the control socket: a frame of a touchscreen that there is not, at the time at which the
  /// daemon reads it. The touchscreen is this connection's, and when that ends, or is lost, its
  /// touches are cancelled: device removed. Done, whose total is the device of the touches, or
  /// failed follows; for who observes, the frame comes before it.
  ///
  /// - Parameters:
  ///   - contacts: the fingers that change in this frame.
  ///   - screen: counted among those of ``Welcome``; another one than before only with no finger
  ///     down.
  ///
  /// The corresponding C function is touchroute_inject.
  @discardableResult
  public func inject(
    _ contacts: [InjectedContact], screen: UInt32 = 0
  ) throws(TouchClientError) -> Serial {
    let contacts = contacts.map(\.wire)
    return try serial(touchroute_inject(connection, screen, contacts, UInt32(contacts.count)))
  }

  /// On the control socket: cancels a touch for everybody who gets it, or with nil every touch that
  /// is live. Done follows, whose total says how many were.
  ///
  /// The corresponding C function is touchroute_cancel.
  @discardableResult
  public func cancel(_ touch: TouchID?) throws(TouchClientError) -> Serial {
    try serial(touchroute_cancel(connection, touch?.rawValue ?? 0))
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
