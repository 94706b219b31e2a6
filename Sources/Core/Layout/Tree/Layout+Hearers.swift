extension Layout {
  /// Why nobody hears of a recognizer, in words: whose programs would have to handle gestures.
  /// Rule G13.
  ///
  /// - Parameters:
  ///   - view: Its view; nil of a screen's.
  ///   - target: The path that its events go to; nil where they go up the chain of its view.
  ///   - isAdded: Whether a program has added it, which alone can hear of it.
  package func lackOfHearers(from view: ViewIndex?, to target: String?, isAdded: Bool) -> String {
    var paths: [String] = []
    if let target {
      guard responder(at: target) != nil else { return "there is no \(target) to hear of it" }
      paths = [target]
    } else if let view {
      paths = chain(of: view).prefix(Self.mostHearers).map(path(of:))
    }
    let last = paths.popLast() ?? "it"
    let words = paths.isEmpty ? last : "\(paths.joined(separator: ", ")) or \(last)"
    return isAdded
      ? "the program that has added it handles no gestures at \(words)"
      : "no program that holds \(words) handles gestures"
  }

  /// How many responders are named, the nearest ones.
  private static let mostHearers = 8
}
