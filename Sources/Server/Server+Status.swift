public import Routing

extension Server {
  /// To `status`: the daemon, the clients, their attachments and the devices, then `done`.
  ///
  /// - Parameter liveTouches: How many touches a client gets.
  public func answer(
    _ token: RequestToken, status daemon: DaemonStatus, attachments: [AttachmentStatus],
    devices: [DeviceStatus], liveTouches: (ClientID) -> Int
  ) {
    reviewUnresponsive()
    let clients = sessions.all.filter { $0.stage == .open }.map { session in
      (session, queued: session.output.count, unread: unread(of: session))
    }
    send(to: token.client) { queue in
      queue.appendStatus(of: daemon, serial: token.serial)
      for (session, queued, unread) in clients {
        queue.appendStatus(
          of: session, liveTouches: liveTouches(session.id), queued: queued, unread: unread,
          serial: token.serial)
      }
      for item in attachments { queue.appendStatus(of: item, serial: token.serial) }
      for device in devices { queue.appendStatus(of: device, serial: token.serial) }
      queue.appendDone(
        serial: token.serial, total: 1 + clients.count + attachments.count + devices.count,
        generation: daemon.generation, text: "")
    }
  }
}
