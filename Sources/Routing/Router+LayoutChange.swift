public import Layout
public import TouchModel

extension Router {
  /// Puts another layout in force, between two frames. Rules L6 and R8.
  ///
  /// A touch lives on where its target is still there, by path, on the same screen and in a window
  /// of the same application, and where each responder that gets it is there too; otherwise it is
  /// cancelled as `targetRemoved` for everybody that had it. An attachment of which the responder
  /// is gone ends with `detached`. Then comes `layout` for every attachment of which the geometry
  /// is another: its place on the screen, or the views of its responder and their places.
  public mutating func replaceLayout(
    _ new: Layout, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    let change = LayoutChange(from: layout, to: new)
    let before = attachments.all
    let removed = before.filter { change.place(of: $0.responder) == nil }
    let lost = touchesLost(by: change, detaching: Set(removed.map(\.id)))
    cancel(.targetRemoved, at: time, into: &deliveries) { lost.contains($0.touch) }
    let removedIDs = Set(removed.map(\.id))
    for index in devices.indices {
      // Those that had a part were cancelled; what is left only waits for a decline.
      _ = devices[index].drop { removedIDs.contains($0.attachment) }
    }
    for attachment in removed {
      attachments.remove(attachment.id)
      deliveries.entries.append(.detached(attachment.client, attachment.id, .removed))
    }
    attachments.move(to: new) { change.place(of: $0) }
    layout = new
    generation += 1
    hitTester = HitTester(new)
    for index in devices.indices {
      devices[index].tapCounter.move { change.place(of: $0) }
      moveTouches(ofDeviceAt: index, by: change)
    }
    for attachment in before {
      guard let place = change.place(of: attachment.responder) else { continue }
      if change.isGeometryChanged(of: attachment.responder, nowAt: place) {
        deliveries.entries.append(.layout(attachment.client, attachment.id))
      }
    }
  }

  private func touchesLost(
    by change: LayoutChange, detaching removed: Set<AttachmentID>
  ) -> Set<TouchID> {
    var lost: Set<TouchID> = []
    for device in devices {
      for share in device.shares
      where share.isActive
        && (removed.contains(share.attachment) || !change.keepsTouches(of: share.target))
      {
        lost.insert(share.touch)
      }
    }
    return lost
  }

  private mutating func moveTouches(ofDeviceAt index: Int, by change: LayoutChange) {
    let layout = self.layout
    let attachments = self.attachments
    for place in devices[index].touches.indices {
      guard let target = devices[index].touches[place].target else { continue }
      if let new = change.place(of: target), devices[index].touches[place].fate == .delivered {
        devices[index].touches[place].place(in: new, of: layout)
      } else {
        devices[index].touches[place].target = change.place(of: target)
      }
    }
    for number in devices[index].shares.indices {
      let share = devices[index].shares[number]
      // What declined or was cut off is over, whatever the layout.
      guard share.isActive || share.standing == .waiting else { continue }
      guard let target = devices[index].touches[share.place].target,
        let attachment = attachments[share.attachment],
        let targetIndex = layout.targetIndex(of: target, in: attachment.responder)
      else { preconditionFailure("a share outlived its target or its attachment (rule R8)") }
      devices[index].shares[number].target = target
      devices[index].shares[number].targetIndex = targetIndex
    }
  }
}
