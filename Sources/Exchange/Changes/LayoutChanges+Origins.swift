import Configuration
import Layout
import Routing
import Server
import TouchModel

extension LayoutChanges {
  /// Who has made of a view of the layout in force what it is: costs the same however much is set
  /// of others. Rules L6 and L7.
  func origin(of view: ViewIndex) -> DescribedOrigin {
    let configuration = core.configuration
    let origin =
      desk.editor.flatMap { editor in
        editor.layout.hasSameTree(as: core.layout) ? ViewOrigin(of: view, in: editor) : nil
      } ?? ViewOrigin(of: view, in: core.layout, of: configuration.layoutDescription)
    return DescribedOrigin(origin) { setter in
      switch setter {
      case .administrator: .control
      case .named: .rule
      case .attachment(let number):
        .client(core.pipeline.router.attachments[AttachmentID(number)]?.client)
      }
    }
  }
}
