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
  ) -> AttachmentTable.Place? {
    switch target {
    case .nobody: return nil
    case .responder(let responder): return handler(responder, attachments, without: unresponsive)
    case .chain(let view):
      var next: ResponderID? = ResponderID(view)
      while let responder = next {
        if let place = handler(responder, attachments, without: unresponsive) { return place }
        next = layout.next(after: responder)
      }
      return nil
    }
  }

  private func handler(
    _ responder: ResponderID, _ attachments: AttachmentTable, without unresponsive: Set<ClientID>
  ) -> AttachmentTable.Place? {
    guard let place = attachments.place(ofHolderOf: responder), let attachment = attachments[place],
      attachment.handlesGestures,
      unresponsive.isEmpty || !unresponsive.contains(attachment.client)
    else { return nil }
    if let adder, attachments[adder]?.client != attachment.client { return nil }
    return place
  }

  /// Whether somebody handles gestures who would hear of it, though unresponsive now. Rule G13.
  func isHeard(in layout: Layout, _ attachments: AttachmentTable) -> Bool {
    recipient(in: layout, attachments, without: []) != nil
  }

}

extension GestureTable {
  /// Why nobody hears of a recognizer, in words; empty where there is none of that number.
  func lackOfHearers(
    of id: RecognizerID, in layout: Layout, _ attachments: AttachmentTable
  ) -> String {
    guard let member = self[id], let spec = spec(of: id) else { return "" }
    let silent = member.recipient(in: layout, attachments, without: []).flatMap { attachments[$0] }
    if let silent {
      return "the program that holds \(layout.path(of: silent.responder)) is unresponsive"
    }
    return layout.lackOfHearers(
      from: spec.owningView(in: layout), to: spec.to, isAdded: spec.adder != nil)
  }
}

extension RecognizerSpec {
  fileprivate func owningView(in layout: Layout) -> ViewIndex? {
    guard case .view(let path) = owner else { return nil }
    return layout.responder(at: path).flatMap { layout.view(of: $0) }
  }
}
