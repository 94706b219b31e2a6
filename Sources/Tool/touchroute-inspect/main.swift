import Glibc
import InspectorLink
import NIOCore
import NIOPosix

// The web server of `touchroute inspect`, which starts it with a socket as descriptor 3. It knows
// browsers, and neither the daemon nor a layout: what it is asked it passes on.

signal(SIGPIPE, SIG_IGN)
// A Unix socket is for its maker alone.
umask(0o177)
guard CommandLine.arguments == [CommandLine.arguments[0], "--link"], Link.isThere else {
  Complaint.end("touchroute inspect starts this program: run that")
}
let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
do {
  let link = try Link.open(on: group)
  try link.closeFuture.wait()
} catch {
  Complaint.end("the link to touchroute can't be used: \(error)")
}
