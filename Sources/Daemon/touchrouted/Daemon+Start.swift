import Configuration
import EventLoop
import Exchange
import Glibc
import Logging
import Server
import TouchInput
import TouchModel

extension Daemon {
  /// Takes over the sockets that the service manager has passed, and opens the missing ones.
  ///
  /// - Returns: The other descriptors that the service manager has kept.
  static func openSockets(
    of exchange: Exchange, _ options: Options, _ logger: Logger
  ) throws(StartError) -> KeptDescriptors {
    var (listeners, kept) = try passedSockets()
    for (kind, path) in [(SocketKind.client, options.socket), (.control, options.controlSocket)]
    where !listeners.contains(where: { $0.kind == kind }) {
      listeners.append(try makeSocket(kind, path))
    }
    for listener in listeners {
      do throws(EventLoopError) { try exchange.server.listen(on: listener) } catch {
        throw StartError(error)
      }
      logger.info("\(listener.kind.rawValue) socket: \(listener.path)")
    }
    return kept
  }

  private static func passedSockets() throws(StartError) -> ([Listener], KeptDescriptors) {
    let passed: [ServiceManager.ListenDescriptor]
    do throws(EventLoopError) { passed = try ServiceManager.listenDescriptors() } catch {
      throw StartError(error)
    }
    var listeners: [Listener] = []
    var kept = KeptDescriptors()
    for socket in passed {
      if socket.name == KeptDescriptors.sessionName {
        kept.sessions.append(socket.descriptor)
        continue
      }
      if socket.name == KeptDescriptors.stateName {
        kept.states.append(socket.descriptor)
        continue
      }
      guard let kind = SocketKind(rawValue: socket.name) else {
        throw StartError(
          "the service manager passed a socket named \"\(socket.name)\": FileDescriptorName= must "
            + "be client or control")
      }
      do throws(ServerError) {
        listeners.append(try Listener(kind, adopting: socket.descriptor))
      } catch { throw StartError(error) }
    }
    return (listeners, kept)
  }

  private static func makeSocket(_ kind: SocketKind, _ path: String) throws(StartError) -> Listener
  {
    do throws(ServerError) {
      return try Listener(kind, path: path, group: kind == .client ? clientGroup : nil)
    } catch { throw StartError(error) }
  }

  /// The group of the client socket: touchroute, if the daemon runs as root and that group exists.
  /// Another user may only give the socket its own group.
  private static var clientGroup: UInt32? {
    guard geteuid() == 0, let file = fopen("/etc/group", "re") else { return nil }
    defer { fclose(file) }
    while let entry = fgetgrent(file) {
      if String(cString: entry.pointee.gr_name) == "touchroute" { return entry.pointee.gr_gid }
    }
    return nil
  }

  /// Raises the limit of descriptors, so that it suffices for all clients that the limits allow,
  /// for the touchscreens and for the daemon itself.
  static func raiseDescriptorLimit(for configuration: Configuration, logger: Logger) {
    let limits = ServerLimits(configuration)
    let needed = rlim_t(limits.clients + limits.controlClients + 96)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < needed
    else { return }
    limit.rlim_cur = min(needed, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if limit.rlim_max < needed {
      logger.warning(
        "LimitNOFILE= allows \(limit.rlim_max) descriptors, [limits] clients needs \(needed)")
    }
  }
}

extension DeviceStatus {
  init(_ device: TouchDeviceStatus) {
    let described = device.description
    self.init(
      id: device.id, screen: device.assignment.mapping.screen, isGrabbed: device.isGrabbed,
      isIgnored: device.assignment.ignore,
      identity: (described.bus, described.vendor, described.product, described.version),
      touchCount: described.touchCount ?? 0, liveTouches: device.liveTouches,
      name: described.name, node: described.node, phys: described.phys)
    findings = device.filterCounts.map { DeviceFinding($0.finding, count: $0.count) }
    findings += device.faults.map { DeviceFinding($0.finding, since: $0.since, $0.sentence) }
  }
}
