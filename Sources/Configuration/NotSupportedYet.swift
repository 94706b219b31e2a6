/// The keys whose behaviour is not there yet. They are read and checked like every other, and
/// refused where they say anything but their default, so that nobody believes that they work.
enum NotSupportedYet {
  /// The keys by their full path; a window's would be those of `view`.
  static let keys: Set<String> = [
    "access", "touch.decision_timeout_ms",
  ]
}

extension Field {
  /// Refuses a value that was read well but would have no effect.
  func refuseIfNotSupportedYet(_ path: String, isDefault: Bool) {
    guard !isDefault, NotSupportedYet.keys.contains(path) else { return }
    refuse("\(name) is not supported yet: leave it out, or at its default")
  }
}
