import TouchModel

/// What a ``Layout`` is made of.
struct LayoutParts: Sendable {
  var windows: [Layout.Window] = []
  var views: [Layout.View] = []
  var paths = ViewPaths()
  var extras: [Layout.ViewExtras] = []
  var feedbacks: [String] = []
  var controllers: [Layout.Controller] = []
}
