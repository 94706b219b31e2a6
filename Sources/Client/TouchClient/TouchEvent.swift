/// An event of a connection.
public enum TouchEvent: Equatable, Sendable {
  /// Touches of one frame.
  case touches(RoutedFrame)
  /// An attachment is in force: after attach, after each reconnection, and when it no longer waits.
  case attached(AttachmentGeometry)
  /// An attachment's geometry changed. Comes before the first touch that the change affects.
  case layout(AttachmentGeometry)
  /// An attachment has ended, not by detach. Its live touches are cancelled first.
  case detached(Detachment)
  /// An attachment made with `wait` waits in the queue for its responder. Its live touches are
  /// cancelled first.
  case waiting(Waiting)
  /// A gesture, for an attachment that handles gestures.
  case gesture(Gesture)
  /// Another program holds a view or controller in this program's window, or no longer holds it.
  case holder(ResponderHolder)
  /// A screen is dark, waking or on: for its blanker, and for who watches screens.
  case screen(ScreenNotice)
  /// A screen is locked, or no longer: for who watches screens.
  case lock(LockNotice)
  /// Nobody has touched what a watch is about for so long, or somebody does again.
  case idle(IdleChange)
  /// Something was hit: for who watches feedback.
  case feedback(FeedbackNotice)
  /// The daemon answers: after each connection, and after a change of its screens.
  case welcome(Welcome)
  /// A request was refused. If it was to attach, that attachment has ended.
  case failed(RequestFailure)
  /// The daemon is about to end the connection.
  case closing(ClosingNotice)
  /// The connection has ended, for this reason. Live touches are cancelled first. With
  /// ``ConnectOptions/reconnect`` the library now reconnects.
  case lost(String)
  /// An item of describe.
  case view(Serial, DescribedView)
  /// An item of describe, after its view.
  case viewDetails(Serial, ViewDetails)
  /// An item of describe, after its view.
  case viewProperty(Serial, DescribedProperty)
  /// An item of describe, after the views.
  case describedGesture(Serial, DescribedGesture)
  /// The answer to ping.
  case pong(Serial)
  /// An item of status.
  case status(Serial, StatusItem)
  /// The end of an answer.
  case done(Completion)
  /// A frame as it was routed, for observers.
  case observed(Observation)
  /// What happened to a recognizer, for observers.
  case observedGesture(ObservedGesture)
  /// What a filter of a device did, for observers.
  case observedSignal(ObservedSignal)
  /// What else decides where touches go, for observers that ask for it.
  case observedChange(ObservedChange)

  /// The request that it answers; nil if it answers none.
  public var serial: Serial? {
    switch self {
    case .view(let serial, _), .viewDetails(let serial, _), .viewProperty(let serial, _),
      .describedGesture(let serial, _), .pong(let serial), .status(let serial, _):
      serial
    case .done(let completion): completion.serial
    case .failed(let failure): failure.serial.rawValue == 0 ? nil : failure.serial
    case .touches, .gesture, .attached, .layout, .detached, .waiting, .holder, .screen, .lock,
      .idle, .feedback, .welcome, .closing, .lost, .observed, .observedGesture, .observedSignal,
      .observedChange:
      nil
    }
  }
}
