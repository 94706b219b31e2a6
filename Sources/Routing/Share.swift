import Layout
import TouchModel

/// One touch's way to one attachment: the answer to rule R4, found once when the touch begins.
struct Share {
  /// The touch's place in ``DeviceTouches/touches``, which changes when another one is over.
  var place: Int
  let touch: TouchID
  let client: ClientID
  let attachment: AttachmentID
  /// The view that was hit.
  var target: ViewIndex
  /// The target among the views of the attachment's responder.
  var targetIndex: UInt32
  /// The phases that the attachment gets.
  var phases: TouchPhases
  /// Why this share alone is cancelled with the frame at hand, if it is.
  var cancelReason: CancelReason?
}
