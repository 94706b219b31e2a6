/// What a fuzz target found wrong, as a sentence.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }
}
