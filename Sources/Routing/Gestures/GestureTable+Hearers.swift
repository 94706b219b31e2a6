import Gestures
import Layout
import TouchModel
import Wire

extension GestureTable.Member {
  /// The attachment that gets its events, if somebody does who handles gestures and reads: that of
  /// the responder named, else the nearest up the chain of its view. Of one that a client has added
  /// it is an attachment of that client. Rule G13.
  func recipient(
    in layout: Layout, _ attachments: AttachmentTable, without unresponsive: Set<ClientID>
  ) -> AttachmentID? {
    func handler(_ responder: ResponderID) -> AttachmentID? {
      guard let attachment = attachments[holderOf: responder], attachment.handlesGestures,
        !unresponsive.contains(attachment.client)
      else { return nil }
      if let adder = spec.adder, attachments[AttachmentID(adder)]?.client != attachment.client {
        return nil
      }
      return attachment.id
    }
    switch target {
    case .nobody: return nil
    case .responder(let responder): return handler(responder)
    case .chain(let view):
      var next: ResponderID? = ResponderID(view)
      while let responder = next {
        if let attachment = handler(responder) { return attachment }
        next = layout.next(after: responder)
      }
      return nil
    }
  }

  /// Whether somebody handles gestures who would hear of it, though unresponsive now. Rule G13.
  func isHeard(in layout: Layout, _ attachments: AttachmentTable) -> Bool {
    recipient(in: layout, attachments, without: []) != nil
  }

  /// Why nobody hears of it, in words.
  func lackOfHearers(in layout: Layout, _ attachments: AttachmentTable) -> String {
    let silent = recipient(in: layout, attachments, without: []).flatMap { attachments[$0] }
    if let silent {
      return "the program that holds \(layout.path(of: silent.responder)) is unresponsive"
    }
    return layout.lackOfHearers(
      from: owningView(in: layout), to: spec.to, isAdded: spec.adder != nil)
  }

  private func owningView(in layout: Layout) -> ViewIndex? {
    guard case .view(let path) = spec.owner else { return nil }
    return layout.responder(at: path).flatMap { layout.view(of: $0) }
  }
}
