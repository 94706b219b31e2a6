import TouchModel

extension String {
  /// The text as XML 1.0 has it between tags and in attributes. What XML has no way to write stands
  /// there as U+FFFD.
  package var xmlEscaped: String {
    escaping { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      case "\t", "\n", "\r", "\u{20}"..."\u{d7ff}", "\u{e000}"..."\u{fffd}",
        "\u{10000}"..."\u{10ffff}":
        nil
      default: "\u{fffd}"
      }
    }
  }
}
