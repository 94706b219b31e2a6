import TouchModel

/// What a part of the server knows of each session: an entry by the slot of the session's number.
/// A part keeps its own, so nobody else can see or change them.
struct SessionEntries<Entry> {
  private let entries = ReusableList<Entry>()

  /// Begins the entry of a new session, in place of the one that had its slot before.
  func begin(_ entry: Entry, of session: Session) {
    while entries.count <= session.slot { entries.append(entry) }
    entries[session.slot] = entry
  }

  /// The entry of a session. What changes it must not begin another one.
  subscript(session: Session) -> Entry {
    @inline(__always) _read { yield entries[session.slot] }
    @inline(__always) nonmutating _modify { yield &entries[session.slot] }
  }
}
