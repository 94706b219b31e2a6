import Layout
import TouchModel

/// The devices that have reported touches, and the rules that concern the touches of all of them.
struct DeviceTable {
  /// Nobody tells of devices that are gone: where there are as many as this, the oldest that has
  /// nothing on the glass is forgotten for a new one.
  private static let rememberedDevices = 64

  /// Few, so that a search from the front is the fastest.
  private(set) var devices: [DeviceTouches] = []

  /// The touches of a device, which is known from its first frame on.
  @inline(__always)
  mutating func touches(of device: DeviceID) -> DeviceTouches {
    for index in devices.indices where devices[index].device == device { return devices[index] }
    return add(device)
  }

  private mutating func add(_ device: DeviceID) -> DeviceTouches {
    if devices.count >= Self.rememberedDevices,
      let idle = devices.indices.filter({ devices[$0].isEmpty }).min(by: {
        devices[$0].device < devices[$1].device
      })
    {
      devices.remove(at: idle)
    }
    let touches = DeviceTouches(device: device)
    devices.append(touches)
    return touches
  }

  /// When silence becomes consent for the first touch of which it makes a difference. Rule R5.
  @inline(__always)
  var nextDeadline: Timestamp? {
    var next: Timestamp?
    for index in devices.indices {
      guard let deadline = devices[index].nextDeadline else { continue }
      next = min(next ?? deadline, deadline)
    }
    return next
  }

  /// The touches that somebody gets.
  var liveTouchCount: Int {
    var count = 0
    for index in devices.indices { devices[index].forEachLiveTouch { _ in count += 1 } }
    return count
  }

  /// The touches that do not live on in another layout. Rule R8.
  func touchesLost(by change: LayoutChange, without removed: Set<AttachmentID>) -> Set<TouchID> {
    devices.reduce(into: []) { lost, device in
      lost.formUnion(device.touchesLost(by: change, without: removed))
    }
  }

  /// Why a view gets no further touch for now, if it does not. Rule T13.
  func reasonToKeepOut(touchesOf target: ViewIndex, of layout: Layout) -> DiscardReason? {
    let view = layout[target]
    var isSingle = false
    var isExcluded = false
    for index in devices.indices {
      devices[index].forEachLiveTouch { touch in
        guard let other = touch.target else { return }
        if other == target {
          isSingle = isSingle || !view.multipleTouch
        } else if layout[other].windowIndex == view.windowIndex {
          isExcluded = isExcluded || view.exclusiveTouch || layout[other].exclusiveTouch
        }
      }
    }
    return isSingle ? .singleTouch : isExcluded ? .exclusive : nil
  }
}
