/// Why a touchscreen can't be recovered.
package struct RecoveryError: Error, Equatable {
  /// One sentence that names the file or the device, and says what to do.
  package let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
