package import Configuration

/// A configuration that was read, with how it differs from the one in force. Made beside the loop.
/// Rule F1.
package struct PreparedConfiguration: Sendable {
  /// What was read.
  package let configuration: Configuration
  let changes: ConfigurationChanges

  /// Prepares a configuration that is to take the place of another.
  package init(_ new: Configuration, replacing old: Configuration) {
    configuration = new
    changes = ConfigurationChanges(from: old, to: new)
  }
}
