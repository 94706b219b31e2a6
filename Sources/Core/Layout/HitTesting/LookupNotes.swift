import TouchModel

/// What a lookup has been told by views already, so that it asks each in earnest once, whatever is
/// nested in what. Rule H8.
///
/// In one lookup a view is always asked for the same point, and whatever is found ends the lookup.
struct LookupNotes {
  /// For each view the number of the lookup that asked it last, and what that was told.
  private let words: UnsafeMutablePointer<UInt64>
  /// The number of this lookup; not 0.
  private let lookup: UInt64

  /// What views have said in a lookup.
  private struct Said: OptionSet {
    var rawValue: UInt64

    static let finding = Said(rawValue: 1 << 0)
    static let inside = Said(rawValue: 1 << 1)
    static let isInside = Said(rawValue: 1 << 2)
    static let shape = Said(rawValue: 1 << 3)
    static let isInShape = Said(rawValue: 1 << 4)

    static let bitCount: UInt64 = 5
    static let all = Said(rawValue: 1 << bitCount - 1)
  }

  init(_ words: LookupMemory<UInt64>, lookup: UInt64) {
    self.words = words.base
    self.lookup = lookup << Said.bitCount
  }

  /// Whether its hitTest found nothing.
  func foundNothing(in view: Int32) -> Bool { said(by: view).contains(.finding) }

  /// Its hitTest has found nothing.
  func noteNothing(in view: Int32) { note(.finding, of: view) }

  /// Its pointInside, which is asked once. Rule H5.
  @inline(__always)
  func pointInside(_ view: Int32, _ ask: () -> Bool) -> Bool {
    let said = said(by: view)
    if said.contains(.inside) { return said.contains(.isInside) }
    let answer = ask()
    note(answer ? [.inside, .isInside] : .inside, of: view)
    return answer
  }

  /// Whether it is touchable there itself, by rules H3 and H4, which is asked once.
  @inline(__always)
  func regionContains(_ view: Int32, _ ask: () -> Bool) -> Bool {
    let said = said(by: view)
    if said.contains(.shape) { return said.contains(.isInShape) }
    let answer = ask()
    note(answer ? [.shape, .isInShape] : .shape, of: view)
    return answer
  }

  private func said(by view: Int32) -> Said {
    let word = words[Int(view)]
    return word & ~Said.all.rawValue == lookup ? Said(rawValue: word).intersection(.all) : []
  }

  private func note(_ said: Said, of view: Int32) {
    words[Int(view)] = lookup | self.said(by: view).union(said).rawValue
  }
}
