package import Gestures

/// A recognizer's kind and path, which its client is told with each gesture.
package struct GestureOrigin {
  /// Its kind, and what that asks for.
  package let kind: GestureKind
  /// Its path; empty if the recognizer is not known any more.
  package let path: String

  /// The kind and the path of a recognizer.
  init(_ spec: RecognizerSpec) {
    kind = spec.description.kind
    path = spec.path
  }

  private init() {
    kind = .tap(GestureKind.Tap())
    path = ""
  }

  /// Of a recognizer that is not known any more. Its client is told nothing.
  static let unknown = GestureOrigin()
}
