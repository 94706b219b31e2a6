import Gestures

/// Holds what recognizers tell to rule G12: after `began` come `changed` and once `ended` or
/// `cancelled`; `recognized` comes alone.
struct GestureStreams {
  /// A gesture that has begun.
  private struct Lasting {
    let recognizer: RecognizerID
    let attachment: AttachmentID
    let client: ClientID
  }

  private var lasting: [Lasting] = []

  /// Takes an event in; what is wrong with it.
  @inline(__always)
  mutating func take(_ gesture: Deliveries.Gesture) -> Violation.Kind? {
    // The numbers themselves: the compiler does not inline == of another module's type.
    let (recognizer, attachment) = (gesture.event.recognizer.rawValue, gesture.attachment)
    let index = lasting.firstIndex {
      $0.recognizer.rawValue == recognizer && $0.attachment == attachment
    }
    switch gesture.event.change {
    case .failed, .recognized: return index == nil ? nil : .gestureOutOfOrder
    case .began:
      guard index == nil else { return .gestureOutOfOrder }
      lasting.append(
        Lasting(
          recognizer: gesture.event.recognizer, attachment: gesture.attachment,
          client: gesture.client))
    case .changed: return index == nil ? .gestureOutOfOrder : nil
    case .ended, .cancelled:
      guard let index else { return .gestureOutOfOrder }
      lasting.remove(at: index)
    }
    return nil
  }

  /// Forgets an attachment; whether one of its gestures lasts.
  mutating func remove(_ attachment: AttachmentID) -> Bool {
    let count = lasting.count
    lasting.removeAll { $0.attachment == attachment }
    return lasting.count < count
  }

  /// Forgets a client, to which nothing can be said any more.
  mutating func removeAll(of client: ClientID) { lasting.removeAll { $0.client == client } }
}
