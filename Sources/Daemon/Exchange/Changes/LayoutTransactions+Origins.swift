import Configuration
import Layout
import Routing
import Server
import TouchModel

extension LayoutTransactions {
  /// Who has made of a view of the layout in force what it is: costs the same however much is set
  /// of others. Rules L6 and L7.
  func origin(
    of view: ViewIndex, in layout: Layout, of configuration: Configuration,
    _ attachments: AttachmentTable
  ) -> DescribedOrigin {
    let origin =
      editor.flatMap { editor in
        editor.layout.hasSameTree(as: layout) ? ViewOrigin(of: view, in: editor) : nil
      } ?? ViewOrigin(of: view, in: layout, of: configuration.layoutDescription)
    return DescribedOrigin(origin) { setter in
      switch setter {
      case .administrator: .control
      case .named: .rule
      case .attachment(let number): .client(attachments[AttachmentID(number)]?.client)
      }
    }
  }
}
