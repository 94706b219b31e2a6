import EventLoop
import Routing
import Server

/// Tells the holders of windows of others that hold something in them, at the end of each turn.
/// Rule F6.
final class HolderNotifier {
  private let server: Server
  private let loop: EventLoop
  private var notices = HolderNotices()
  /// Whether there may be something to tell; a flag, as it is looked at in every turn.
  private var mayHaveNotices = false
  /// Makes a further turn for notices that one turn did not send.
  private let timer: DeadlineTimer

  init(_ server: Server, on loop: EventLoop) throws(EventLoopError) {
    self.server = server
    self.loop = loop
    timer = try DeadlineTimer(on: loop) {}
  }

  /// Takes note of an attachment that was granted.
  func attached(_ attachment: Attachment, to path: String) {
    guard let peer = server.credentials(of: attachment.client) else { return }
    let holder = HolderNotice.Holder(
      pid: peer.pid, uid: peer.uid, name: server.programName(of: attachment.client),
      handles: attachment.handles, passes: attachment.passes)
    mayHaveNotices = true
    notices.attached(attachment.id, to: path, of: attachment.client, holder)
  }

  /// Takes note of an attachment's end, however it came.
  func ended(_ attachment: AttachmentID, of client: ClientID) {
    mayHaveNotices = true
    notices.ended(attachment, of: client)
  }

  /// Takes note that a client is gone, with all that it held.
  func wentAway(_ client: ClientID) {
    mayHaveNotices = true
    notices.wentAway(client)
  }

  /// Tells those who have been sent all that was queued for them. Others are told once their queue
  /// has drained, which is a turn of its own.
  func endTurn() {
    guard mayHaveNotices else { return }
    notices.take(where: server.hasSentAll) { notice, client in server.send(notice, to: client) }
    server.endTurn()
    mayHaveNotices = !notices.isEmpty
    if notices.isDue(server.hasSentAll) { timer.include(loop.now) }
  }

  // MARK: - Handover

  /// What a window's holder was told, for the next daemon.
  func believed(by attachment: AttachmentID, of client: ClientID) -> [HolderNotice] {
    notices.believed(by: attachment, of: client)
  }

  /// Takes note of what a window's holder was told by the daemon before.
  func resume(_ believed: [HolderNotice], by attachment: AttachmentID, of client: ClientID) {
    mayHaveNotices = true
    notices.resume(believed, by: attachment, of: client)
  }
}
