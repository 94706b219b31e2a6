/// A recognizer where it is: with its number, its place among the others, and those that it names.
package struct RecognizerEntry: Sendable {
  /// Its number.
  package var id: RecognizerID
  /// Where its owner keeps it, as long as it is there: nobody else's then, and one of few.
  package var index: Int
  /// What it is.
  package var description: RecognizerDescription
  /// Tells the views, and the screens, from each other.
  package var owner: Int
  /// How many superviews its view has; -1 for a screen's.
  package var depth: Int
  /// How its view lies in the layout in force.
  package var orientation: Orientation
  /// Those that must fail before it recognizes. Rule G7.
  package var after: [RecognizerID] = []
  /// Those that it must fail for before they recognize, of those that were there before it.
  package var before: [RecognizerID] = []
  /// Those that may recognize beside it; one of two is enough. Rule G6.
  package var simultaneous: [RecognizerID] = []

  /// A recognizer that names no others.
  package init(
    _ description: RecognizerDescription, id: RecognizerID, at index: Int, owner: Int, depth: Int,
    orientation: Orientation
  ) {
    self.description = description
    self.id = id
    self.index = index
    self.owner = owner
    self.depth = depth
    self.orientation = orientation
  }
}
