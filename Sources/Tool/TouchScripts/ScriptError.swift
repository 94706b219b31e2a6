/// What is wrong with a file that a person wrote, or can't be played of it.
package struct ScriptError: Error {
  /// One sentence that names the file, the line and the column, where there are any, and says what
  /// to do.
  package let sentence: String
  /// Which word of a step is at fault, from 0, where the sentence doesn't name its line yet.
  package let word: Int

  /// An error that says this.
  package init(_ sentence: String, word: Int = 0) {
    self.sentence = sentence
    self.word = word
  }
}
