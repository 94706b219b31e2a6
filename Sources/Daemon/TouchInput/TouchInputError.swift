/// What failed in the room TouchInput.
package struct TouchInputError: Error, Equatable, CustomStringConvertible {
  /// One sentence that names the device, node or seat, and what to do.
  package let description: String

  init(_ description: String) { self.description = description }
}
