import Logging
package import TouchModel

extension LibinputSeat {
  /// Opens one touchscreen for an examination, which needs no log.
  package convenience init(
    examining node: String, rules: [DeviceRule], screens: [Screen]
  ) throws(TouchInputError) {
    try self.init(
      source: .nodes([node]), matcher: DeviceMatcher(rules: rules, screens: screens, known: []),
      logger: Logger(label: "examination") { _ in SwiftLogNoOpLogHandler() })
  }
}
