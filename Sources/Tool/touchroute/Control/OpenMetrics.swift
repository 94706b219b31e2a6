import TouchModel

/// Metrics as OpenMetrics 1.0 has them in text.
struct OpenMetrics {
  /// What a metric counts or measures.
  enum Kind: String {
    /// Only grows while the daemon runs; its samples end in `_total`.
    case counter
    case gauge
    /// Labels alone; its one sample ends in `_info` and is 1.
    case info
    case histogram
  }

  /// Labels and their values, in the order in which they are written.
  typealias Labels = KeyValuePairs<String, String>

  /// Lines, each with its end.
  private(set) var text = ""

  /// Adds a metric, whose samples follow at once.
  ///
  /// - Parameter unit: such as `seconds`; the name ends in it.
  mutating func add(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
    text += "# TYPE \(name) \(kind.rawValue)\n"
    if let unit { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(Self.escaped(help))\n"
  }

  /// Adds a sample of the metric that was added last.
  ///
  /// - Parameter name: the metric's, with what its kind asks for behind it.
  mutating func sample(_ name: String, _ value: some BinaryInteger, _ labels: Labels = [:]) {
    let list = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
  }

  /// Adds a metric of one number without labels.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
    add(name, kind, help)
    sample(kind == .counter ? "\(name)_total" : name, value)
  }

  /// Nothing follows.
  mutating func end() { text += "# EOF\n" }

  /// A text as a label's value or a help. Names come from programs and devices: none ends a line or
  /// a label, nor steers a terminal.
  private static func escaped(_ text: String) -> String {
    text.printable().escaping { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil }
  }
}
