import EventLoop
import Layout
import Routing
import Server

/// What the holders of windows are told of others that attach beneath them. Rule F6.
extension Exchange {
  /// Takes note of an attachment that was granted.
  func noteAttached(_ attachment: Attachment) {
    guard let peer = server.credentials(of: attachment.client) else { return }
    let holder = HolderNotice.Holder(
      pid: peer.pid, uid: peer.uid, name: server.programName(of: attachment.client),
      handles: attachment.handles, passes: attachment.passes)
    notices.attached(
      attachment.id, to: pipeline.router.layout.path(of: attachment.responder),
      of: attachment.client, holder)
  }

  /// Tells those who have been sent all that was queued for them. Others are told once their queue
  /// has drained, which is a turn of its own.
  func sendNotices() {
    notices.take(where: server.hasSentAll) { notice, client in server.send(notice, to: client) }
    server.endTurn()
    if notices.isDue(server.hasSentAll) { noticeTimer?.include(loop.now) }
  }
}
