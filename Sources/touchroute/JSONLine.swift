/// A value as one line of JSON, its keys in alphabetical order.
func jsonLine(_ value: some Encodable) throws(Failure) -> String {
  do { return try JSONNode(value).text } catch {
    throw Failure("this can't be written as JSON: \(error)")
  }
}
