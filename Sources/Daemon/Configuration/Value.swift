import CToml

/// A value of a ``Document``, which must outlive it.
struct Value {
  /// What TOML distinguishes; every kind of date and time is one here, since no key takes any.
  enum Kind { case table, array, string, integer, float, boolean, date }

  /// A key of a table, with its value.
  struct Entry {
    var key: String
    var keyLocation: SourceLocation
    var value: Value
  }

  /// Borrowed from the document.
  private let node: OpaquePointer
  let file: Int32

  init(node: OpaquePointer, file: Int32) {
    self.node = node
    self.file = file
  }

  var kind: Kind {
    switch ctoml_kind_of(node) {
    case CTOML_TABLE: .table
    case CTOML_ARRAY: .array
    case CTOML_STRING: .string
    case CTOML_INTEGER: .integer
    case CTOML_FLOAT: .float
    case CTOML_BOOLEAN: .boolean
    default: .date
    }
  }

  var location: SourceLocation { SourceLocation(ctoml_place(node), file: file) }

  /// The elements of an array or the entries of a table; 0 for every other kind.
  var count: Int { ctoml_count(node) }

  subscript(index: Int) -> Value? {
    ctoml_element(node, index).map { Value(node: $0, file: file) }
  }

  /// The elements of an array; none for every other kind. Not lazily: the runtime would have to
  /// make that sequence's types first, which takes it longer than a file's whole reading.
  var elements: [Value] { (0..<count).compactMap { self[$0] } }

  func find(_ key: String) -> Value? {
    var key = key
    return key.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ctoml_find(node, $0.baseAddress, $0.count) }
    }.map { Value(node: $0, file: file) }
  }

  /// The entries of a table, in the order of the text; none for every other kind.
  var entries: [Entry] {
    guard kind == .table, count > 0 else { return [] }
    return withUnsafeTemporaryAllocation(of: ctoml_entry.self, capacity: count) { buffer in
      buffer.initialize(repeating: ctoml_entry())
      ctoml_entries(node, buffer.baseAddress)
      return buffer.compactMap { entry in
        entry.value.map {
          Entry(
            key: String(entry.key), keyLocation: SourceLocation(entry.position, file: file),
            value: Value(node: $0, file: file))
        }
      }
    }
  }

  var string: String? { kind == .string ? String(ctoml_string(node)) : nil }
  var integer: Int? { kind == .integer ? Int(ctoml_integer(node)) : nil }
  var boolean: Bool? { kind == .boolean ? ctoml_boolean(node) : nil }

  /// An integer or a float; TOML's floats may be infinite or not a number.
  var number: Double? {
    switch kind {
    case .integer: Double(ctoml_integer(node))
    case .float: ctoml_float(node)
    default: nil
    }
  }

  /// What a message says was found: the value where it is short, its kind otherwise.
  var summary: String {
    switch kind {
    case .table: count == 0 ? "an empty table" : "a table"
    case .array:
      switch count {
      case 0: "an empty array"
      case 1: "an array of one element"
      default: "an array of \(count) elements"
      }
    case .string: quoted(String(ctoml_string(node)))
    case .integer: "\(ctoml_integer(node))"
    case .float: "\(ctoml_float(node))"
    case .boolean: "\(ctoml_boolean(node))"
    case .date: "a date or time"
    }
  }
}

/// Text from a file as messages show it: in quotes, on one line, cut after 60 characters.
func quoted(_ text: String) -> String {
  let shown = String(text.prefix(60).map { $0.isNewline || $0 < " " ? "?" : $0 })
  return shown.count < text.count ? "\"\(shown)…\"" : "\"\(shown)\""
}

extension String {
  fileprivate init(_ text: ctoml_text) {
    let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.size)
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension SourceLocation {
  fileprivate init(_ position: ctoml_position, file: Int32) {
    self.init(file: file, line: position.line, column: position.column)
  }
}
