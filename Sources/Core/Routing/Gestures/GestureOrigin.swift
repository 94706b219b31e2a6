package import Gestures

/// What a recognizer is, as far as who hears of its gesture is told.
package struct GestureOrigin {
  /// Its kind, and what that asks for.
  package let kind: GestureKind
  /// Its path; empty where nobody knows it any more.
  package let path: String

  /// What a recognizer is.
  init(_ spec: RecognizerSpec) {
    kind = spec.description.kind
    path = spec.path
  }

  private init() {
    kind = .tap(GestureKind.Tap())
    path = ""
  }

  /// That of a recognizer that nobody knows any more.
  static let unknown = GestureOrigin()
}
