import CToml

/// A parsed text; its ``Value``s are valid while it lives.
final class Document {
  /// Why a text is not TOML.
  struct Failure: Error {
    var line: UInt32
    var column: UInt32
    var message: String
  }

  private let handle: OpaquePointer
  private let file: Int32

  /// Parses UTF-8 text.
  init(_ text: UnsafeRawBufferPointer, file: Int32) throws(Failure) {
    var failure = ctoml_failure()
    let bytes = text.assumingMemoryBound(to: CChar.self)
    guard let handle = ctoml_parse(bytes.baseAddress, bytes.count, &failure) else {
      let message = withUnsafeBytes(of: &failure.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let raw = Failure(
        line: failure.position.line, column: failure.position.column, message: message)
      throw SyntaxDiagnosis(text).betterFailure(than: raw)
        ?? Failure(line: raw.line, column: raw.column, message: SyntaxSentence.of(message))
    }
    self.handle = handle
    self.file = file
  }

  deinit { ctoml_free(handle) }

  var root: Value { Value(node: ctoml_root(handle), file: file) }
}
