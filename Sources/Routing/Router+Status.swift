public import Layout
public import TouchModel

extension Router {
  /// Every attachment there is, oldest first.
  public var allAttachments: [Attachment] { attachments.all }

  /// The attachment of that number.
  public func attachment(_ id: AttachmentID) -> Attachment? { attachments[id] }

  /// The attachment that holds a responder of the layout in force.
  public func holder(of responder: ResponderID) -> Attachment? { attachments[holderOf: responder] }

  /// The touches that somebody gets.
  public var liveTouchCount: Int { Self.liveTouchCount(of: devices) }

  // Of the type, as the whole router would be copied for a call that does not change it.
  static func liveTouchCount(of devices: [DeviceTouches]) -> Int {
    // By index: a touch that begins asks for it, and copying a device retains all its arrays.
    var count = 0
    for index in devices.indices { count += devices[index].liveTouchCount }
    return count
  }

  /// The touches of a device that somebody gets.
  public func liveTouchCount(of device: DeviceID) -> Int {
    devices.first { $0.device == device }?.touches.count { $0.isLive } ?? 0
  }

  /// The touches that an attachment gets.
  public func liveTouchCount(of attachment: AttachmentID) -> Int {
    devices.reduce(0) { count, device in
      count + device.shares.count { $0.attachment == attachment && !$0.hears.isEmpty }
    }
  }

  /// The touches that a client gets, each counted once however many attachments it comes through.
  public func liveTouchCount(of client: ClientID) -> Int {
    devices.reduce(0) { count, device in
      count + device.touchCount(of: client)
    }
  }

  /// The touches on the glass that were neither cancelled for everybody nor orphaned; discarded
  /// ones are among them. `began = ended + cancelled + orphaned + pending`.
  public var pendingTouchCount: Int {
    devices.reduce(0) { count, device in
      count + device.touches.count { $0.fate != .dead && !$0.isLifted }
    }
  }
}
