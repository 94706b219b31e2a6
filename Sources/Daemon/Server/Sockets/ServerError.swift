import CLinux

/// Why a socket of the daemon can't be had: a sentence that names its path, and what to do.
public struct ServerError: Error, Equatable, CustomStringConvertible {
  /// The sentence.
  public let description: String

  init(_ sentence: String) { description = sentence }

  /// A system call on a socket path failed. `code` is an errno.
  package init(_ action: String, _ path: String, code: Int32) {
    description = "\(action) \(path): \(errorText(code))"
  }
}

/// What an errno means, in English.
func errorText(_ code: Int32) -> String { String(cString: clinux_error_text(code)) }
