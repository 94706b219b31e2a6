/// A recognizer by its path, with those that it names by theirs: what a configuration or a client
/// says of it. Rule G1.
package struct RecognizerSpec: Equatable, Sendable {
  /// Where it lies.
  package enum Owner: Equatable, Sendable {
    /// In the view of that path.
    case view(String)
    /// On the screen of that name.
    case screen(String)
  }

  /// Its view, or its screen.
  package var owner: Owner { didSet { path = Self.path(owner, name) } }
  /// Its name, which no other one there has.
  package var name: String { didSet { path = Self.path(owner, name) } }
  /// Its path: `home/list#scroll`, `screen:panel#back`.
  package private(set) var path: String
  /// What it is.
  package var description: RecognizerDescription
  /// The paths of those that must fail before it recognizes. Rule G7.
  package var after: [String] = []
  /// The paths of those that may recognize beside it. Rule G6.
  package var simultaneous: [String] = []
  /// The path of the responder that its events go to; nil for the chain of its view. Rule G13.
  package var to: String?
  /// The number of the attachment through which a client has added it: its events go to that client
  /// alone. Nil of one of the configuration. Rule G13.
  package var adder: UInt32?
  /// The name of the feedback that its success gives; empty for none. Rule D10.
  package var feedback = ""
  /// Of a screen's: whether it takes touches on secure views too. Rule F8.
  package var seesSecure = false
  /// Of a screen's: it takes no touch on a window of a higher level. Rule G2.
  package var level = RecognizerSpec.screenLevel

  /// The level of a screen's recognizer that says none: above applications and bars, beneath locks.
  package static let screenLevel = 999

  /// A recognizer that names no others.
  package init(_ owner: Owner, _ name: String, _ description: RecognizerDescription) {
    self.owner = owner
    self.name = name
    self.description = description
    path = Self.path(owner, name)
  }

  /// The name of the feedback that its success gives; nil for none. Rule D10.
  package var feedbackName: String? { ["", "none"].contains(feedback) ? nil : feedback }

  private static func path(_ owner: Owner, _ name: String) -> String {
    switch owner {
    case .view(let view): "\(view)#\(name)"
    case .screen(let screen): "screen:\(screen)#\(name)"
    }
  }
}
