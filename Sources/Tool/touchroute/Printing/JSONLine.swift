import FoundationEssentials

/// A value as one line of JSON, its keys in alphabetical order. The corresponding type is
/// Foundation's `JSONEncoder`.
///
/// - Throws: what can't be written: a number that JSON does not have, such as NaN.
func jsonLine(_ value: some Encodable) throws(Failure) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
    throw Failure("this can't be written as JSON: \(error)")
  }
}
