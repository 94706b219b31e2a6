package import Configuration
import Layout

/// A configuration that was read, with what takes long to find out before it is put in force: how
/// it differs from the one that is, and its layout compiled. Made beside the loop. Rule F1.
package final class PreparedConfiguration {
  /// What was read.
  package let configuration: Configuration
  let changes: ConfigurationChanges
  /// Nil where the layout is the one in force.
  let compiled: CompiledLayout?

  /// Prepares a configuration that is to take the place of another.
  package init(_ new: Configuration, replacing old: Configuration) {
    configuration = new
    changes = ConfigurationChanges(from: old, to: new)
    compiled = changes.hasNewLayout ? CompiledLayout(new.layout) : nil
  }
}
