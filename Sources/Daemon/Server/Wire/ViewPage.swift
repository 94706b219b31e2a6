import CTouchroute
import Layout
import Routing
import TouchModel
import Wire

/// A page of the answer to `describe`: views of a responder, or of all where it is nil. It ends
/// early where it has become long, after one view at least; the next one begins where it ended.
struct ViewPage {
  /// Each view as a message, and behind it what there is more to be said of it.
  private(set) var messages: [DescribedItem] = []
  /// How many views they are.
  private(set) var count = 0
  /// How many views there are in all.
  let total: Int
  /// How many bytes may follow them.
  let freeBytes: Int

  /// How many bytes make a page full.
  private static let fullSize = 49_152

  /// - Parameters:
  ///   - origin: Who has made of a view what it is.
  ///   - holder: The process of the client that holds a responder, or 0.
  init(
    of responder: ResponderID?, first: Int, count: Int, in layout: Layout, serial: UInt32,
    origin: (ViewIndex) -> DescribedOrigin, holder: (ResponderID) -> Int32,
    pid: (ClientID) -> Int32
  ) {
    total = responder.map(layout.viewCount(of:)) ?? layout.viewCount
    var size = 0
    for number in first..<max(first, min(first + count, total)) where size < Self.fullSize {
      let view = responder.map { layout.view(at: UInt32(number), in: $0) }
      guard let index = view ?? ViewIndex(Int32(number)) else { break }
      let parent = layout[index].parent.flatMap { parent in
        responder.map { layout.targetIndex(of: parent, in: $0) } ?? UInt32(parent.rawValue)
      }
      let message = Self.message(
        of: index, number: UInt32(number), parent: parent, in: layout, serial: serial,
        holder: holder)
      let details = ViewDetails(
        of: index, number: UInt32(number), in: layout, origin(index), serial: serial, pid: pid)
      messages.append(.view(message))
      messages += details.messages
      self.count += 1
      size += message.size + details.cost
    }
    freeBytes = Self.fullSize - size
  }

  private static func message(
    of index: ViewIndex, number: UInt32, parent: UInt32?, in layout: Layout, serial: UInt32,
    holder: (ResponderID) -> Int32
  ) -> FixedMessage<touchroute_view> {
    let view = layout[index]
    let controller = layout.controller(of: index)
    let path = pathOnWire(layout.path(of: index))
    let controllerName = controller.map(layout.name(of:)) ?? ""
    var fixed = touchroute_view()
    fixed.serial = serial
    fixed.index = number
    fixed.parent = parent ?? TOUCHROUTE_NONE
    fixed.flags = Wire.ViewFlags(view).rawValue
    fixed.holder = holder(ResponderID(index))
    fixed.controller_holder = controller.map(holder) ?? 0
    fixed.frame = view.frame.onWire
    fixed.bounds_origin = (view.boundsOrigin.x, view.boundsOrigin.y)
    fixed.transform = layout.transform(of: index).onWire
    fixed.alpha = view.alpha
    fixed.path_size = UInt32(path.utf8.count)
    fixed.controller_size = UInt32(controllerName.utf8.count)
    return FixedMessage(TOUCHROUTE_VIEW, fixed, path, controllerName)
  }
}

extension Wire.ViewFlags {
  /// Those of a view.
  fileprivate init(_ view: Layout.View) {
    self = []
    if view.isHidden { insert(.hidden) }
    if !view.interaction { insert(.noInteraction) }
    if !view.multipleTouch { insert(.singleTouch) }
    if view.exclusiveTouch { insert(.exclusiveTouch) }
    if view.isSecure { insert(.secure) }
  }
}
