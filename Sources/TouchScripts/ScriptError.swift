/// What is wrong with a file that a person wrote, or can't be played of it.
package struct ScriptError: Error {
  /// One sentence that names the file and the line, where there is one, and says what to do.
  package let sentence: String

  /// An error that says this.
  package init(_ sentence: String) { self.sentence = sentence }
}
