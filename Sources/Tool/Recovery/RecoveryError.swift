/// Why a touchscreen can't be recovered.
package struct RecoveryError: Error, Equatable {
  /// One sentence that names the file or the device, and says what to do.
  package let sentence: String
  /// Whether the touchscreen was not taken from the system either.
  package let hasDoneNothing: Bool

  init(_ sentence: String, hasDoneNothing: Bool = false) {
    self.sentence = sentence
    self.hasDoneNothing = hasDoneNothing
  }
}
