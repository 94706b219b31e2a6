import Glibc
import InspectorLink
import NIOCore
import NIOPosix

/// The socket to touchroute, which is this program's parent: what comes over it goes to the hub.
/// With its end the program ends.
final class Link: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let descriptor: CInt = 3
  private var reader = InspectorMessageReader()
  private var hub: Hub?

  /// Whether there is one.
  static var isThere: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Begins to read.
  static func open(on group: MultiThreadedEventLoopGroup) throws -> any Channel {
    // Nobody whom we start would have to have it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return try ClientBootstrap(group: group)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Link())
        }
      }
      .withConnectedSocket(descriptor).wait()
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    hub = Hub(channel.eventLoop) { message in
      channel.writeAndFlush(ByteBuffer(bytes: message.bytes), promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    reader.add(unwrapInboundIn(data).readableBytesView)
    do {
      while let message = try reader.next() { try hub?.take(message) }
    } catch {
      Complaint.end("touchroute has sent what is no message: are both of one version?")
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
