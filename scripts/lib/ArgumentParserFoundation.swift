// Takes the place of swift-argument-parser's Utilities/Foundation.swift in what is installed. That file is
// all for which the parser needs Foundation, which would make the installed tool twice as large.

extension Error {
  func describe() -> String { String(describing: self) }
}

/// For --experimental-dump-help alone.
enum JSONEncoder {
  static func encode<T: Encodable>(_ value: T) -> String {
    "the installed touchroute does not write its help as JSON"
  }
}
