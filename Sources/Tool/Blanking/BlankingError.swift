/// Why a light or a line of words is of no use, as a sentence.
package struct BlankingError: Error, Equatable {
  /// What is wrong, and what to do.
  package let sentence: String

  /// Says what is wrong.
  package init(_ sentence: String) { self.sentence = sentence }
}
