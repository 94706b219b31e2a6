import Logging
package import TouchModel

extension LibinputSeat {
  /// Opens one touchscreen for an examination, which needs no log.
  package convenience init(
    examining node: String, rules: [DeviceRule], screens: [Screen]
  ) throws(TouchInputError) {
    try self.init(
      source: .nodes([node]), rules: rules, screens: screens,
      logger: Logger(label: "examination") { _ in SwiftLogNoOpLogHandler() })
  }
}
