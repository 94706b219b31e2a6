/// What a connection brings, in the order in which it came.
public enum TouchEvent: Equatable, Sendable {
  /// Touches of one frame.
  case touches(RoutedFrame)
  /// An attachment is in force: after it was asked for, after each reconnection, and once it need
  /// not wait any longer.
  case attached(AttachmentGeometry)
  /// An attachment's geometry changed; comes before the first touch that the change affects.
  case layout(AttachmentGeometry)
  /// An attachment ended though nobody asked; its live touches have been cancelled before.
  case detached(Detachment)
  /// An attachment that was made with `wait` stands in line for its responder; its live touches
  /// have been cancelled before.
  case waiting(Waiting)
  /// What a gesture has come to.
  case gesture(Gesture)
  /// Another program holds something in this one's window, or has let go of it.
  case holder(ResponderHolder)
  /// The daemon answers: after each connection, and when its screens have changed.
  case welcome(Welcome)
  /// A request was refused. Where it made an attachment, that is no more.
  case failed(RequestFailure)
  /// The daemon is about to end the connection.
  case closing(ClosingNotice)
  /// The connection ended, for this reason; live touches have been cancelled before. With
  /// ``ConnectOptions/reconnect`` it is being made again.
  case lost(String)
  /// An item of describe.
  case view(Serial, DescribedView)
  /// An item of describe, behind its view.
  case viewDetails(Serial, ViewDetails)
  /// An item of describe, behind its view.
  case viewProperty(Serial, DescribedProperty)
  /// An item of describe, behind the views.
  case describedGesture(Serial, DescribedGesture)
  /// The answer to ping.
  case pong(Serial)
  /// An item of status.
  case status(Serial, StatusItem)
  /// The end of an answer.
  case done(Completion)
  /// A frame as it was routed, for those who observe.
  case observed(Observation)
  /// What a recogniser came to, for those who observe.
  case observedGesture(ObservedGesture)

  /// The request that it answers, where it answers one.
  public var serial: Serial? {
    switch self {
    case .view(let serial, _), .viewDetails(let serial, _), .viewProperty(let serial, _),
      .describedGesture(let serial, _), .pong(let serial), .status(let serial, _):
      serial
    case .done(let completion): completion.serial
    case .failed(let failure): failure.serial.rawValue == 0 ? nil : failure.serial
    case .touches, .gesture, .attached, .layout, .detached, .waiting, .holder, .welcome, .closing,
      .lost, .observed, .observedGesture:
      nil
    }
  }
}
