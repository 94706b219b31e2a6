import Wire
import CTouchroute
import Layout
import Routing
import TouchModel

extension OutgoingQueue {
  /// Appends a page of the views of a responder, or of all where it is nil, and the `done` that
  /// says how many there are; a page ends early where it has reached `pageBytes`, after one view at
  /// least. `holder` gives the process of the client that holds a responder, or 0.
  mutating func appendViews(
    of responder: ResponderID?, first: Int, count: Int, layout: Layout, generation: UInt32,
    serial: UInt32, holder: (ResponderID) -> Int32
  ) {
    let total = responder.map(layout.viewCount(of:)) ?? layout.viewCount
    let page = first..<max(first, min(first + count, total))
    let before = self.count
    for number in page where number == first || self.count - before < Self.pageBytes {
      let index = ViewIndex(Int32(number))
      guard
        let view = responder.map({ layout.view(at: UInt32(number), in: $0) }) ?? index
      else { break }
      let parent = layout[view].parent.flatMap { parent in
        responder.map { layout.targetIndex(of: parent, in: $0) } ?? UInt32(parent.rawValue)
      }
      appendView(
        view, index: UInt32(number), parent: parent ?? TOUCHROUTE_NONE, layout: layout,
        serial: serial, holder: holder)
    }
    appendDone(serial: serial, total: total, generation: generation, text: "")
  }

  /// How many bytes of views make a page full.
  private static let pageBytes = 49_152

  private mutating func appendView(
    _ index: ViewIndex, index number: UInt32, parent: UInt32, layout: Layout, serial: UInt32,
    holder: (ResponderID) -> Int32
  ) {
    let view = layout[index]
    let controller = layout.controller(of: index)
    let path = pathOnWire(layout.path(of: index))
    let controllerName = controller.map(layout.name(of:)) ?? ""
    var message = touchroute_view()
    message.serial = serial
    message.index = number
    message.parent = parent
    message.flags = Wire.ViewFlags(view).rawValue
    message.holder = holder(ResponderID(index))
    message.controller_holder = controller.map(holder) ?? 0
    message.frame = wireRect(view.frame)
    message.bounds_origin = (view.boundsOrigin.x, view.boundsOrigin.y)
    message.transform = wireTransform(layout.transform(of: index))
    message.alpha = view.alpha
    message.path_size = UInt32(path.utf8.count)
    message.controller_size = UInt32(controllerName.utf8.count)
    append(TOUCHROUTE_VIEW, message, path, controllerName)
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
