import Glibc

/// What ends the program with exit status 1, in a sentence on standard error.
enum Complaint {
  static func end(_ sentence: String) -> Never {
    let text = Array("touchroute-inspect: \(sentence)\n".utf8)
    _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
  }
}
