import TouchModel

/// A line of a record, and what it changes of what is so.
struct RecordedItem {
  /// What it changes.
  enum Effect {
    case nothing
    case layout(LayoutState.Change)
    /// An attachment, and its client.
    case attached(UInt32, UInt32)
    case detached(UInt32)
    case gone(UInt32)
  }

  let text: String
  /// In microseconds.
  let time: UInt64
  /// Why touches were cancelled with it.
  var cancels: [CancelReason] = []
  var effect = Effect.nothing
}
