package import TouchModel

extension RecordedTouch {
  /// Whether its screen was dark or locked when it began, which nothing in a record ends. Rules D3
  /// and D9.
  package var isOfBlindScreen: Bool { discard_reason == "dark" || discard_reason == "locked" }

  /// Why the device, or who injected it, took the contact back; nil where it was cancelled for
  /// another reason, which has to come of the same again.
  package var cause: CancelReason? {
    let causes: [CancelReason] = [
      .deviceRemoved, .suspended, .palm, .stopping, .requested, .stuck, .ghost, .dark, .locked,
    ]
    return causes.first { $0.word == cancel_reason }
  }
}
