/// A table that is being read: what messages call it, and where its problems go.
struct Scope {
  /// What a message begins with.
  enum Title {
    /// Nothing: the keys' paths say it all, as in `limits.views`.
    case none
    /// A kind and a name, as in `screen "panel"`.
    case named(String, String)
    /// An element of an array of tables, named by one of its keys, as in `view "home/toolbar"`; by
    /// its kind alone where it lacks the key.
    case element(String, nameKey: String)
  }

  let table: Value
  let title: Title
  /// What precedes a key in a message that begins with the title, such as `transform.`.
  var inner = ""
  /// What precedes a key in its full path, such as `view.transform.`.
  var full = ""
  let problems: ProblemList

  /// The beginning of every message about this table.
  var prefix: String {
    switch title {
    case .none: return ""
    case .named(let kind, let name): return "\(kind) \(quoted(name)): "
    case .element(let kind, let nameKey):
      // Looked up only now: most tables have nothing wrong.
      guard let root = root.find(nameKey)?.string else { return "\(kind): " }
      return "\(kind) \(quoted(root)): "
    }
  }

  /// The element that the title is about, for tables inside of it.
  let root: Value

  init(
    _ table: Value, _ title: Title, inner: String = "", full: String = "", root: Value? = nil,
    problems: ProblemList
  ) {
    self.table = table
    self.title = title
    self.inner = inner
    self.full = full
    self.root = root ?? table
    self.problems = problems
  }

  /// Hands every key to `body` in the order of the text, and reports those that it does not know.
  func read(known: [String], _ body: (Field) -> Bool) {
    for entry in table.entries {
      if problems.hasMore { return }
      let field = Field(scope: self, entry)
      if !body(field) { reportUnknown(field, known) }
    }
  }

  /// Says that a key is missing, at the table itself, unless it is there with a mistake in it.
  func requires(_ key: String, _ what: String) {
    if isMisspelt(key) { return }
    problems.add(table.location, "\(prefix)\(inner)\(key) is missing: \(what)")
  }

  /// Whether an unknown key of the table was taken for this one.
  func isMisspelt(_ key: String) -> Bool { problems.isMeant(key, in: table.location) }

  private func reportUnknown(_ field: Field, _ known: [String]) {
    problems.add(field.keyLocation, unknown(field, known))
  }

  private func unknown(_ field: Field, _ known: [String]) -> String {
    var message = "\(prefix)unknown key \(quoted(full + field.key))"
    if let nearest = otherName(of: field.key, among: known)
      ?? nearestKey(to: field.key, among: known)
    {
      problems.noteMeant(nearest, in: table.location)
      message += "; did you mean \"\(nearest)\"?"
    } else {
      message += ";"
    }
    return message + " known here: \(known.sorted().joined(separator: ", "))"
  }
}
