/// What `touchroute idle` does when, as its words say.
package struct IdlePlan: Equatable, Sendable {
  /// A command for when nobody has touched anything for so long, and one for when somebody does
  /// again.
  package struct Timeout: Equatable, Sendable {
    /// How long.
    package var milliseconds: UInt32
    /// A line for /bin/sh.
    package var command: String
    /// Another one.
    package var resume: String?
  }

  /// Commands with their times, in the order of the words.
  package var timeouts: [Timeout] = []
  /// When the light is dimmed.
  package var dim: UInt32?
  /// How bright it is then, of what it was.
  package var percent = 30
  /// When the screen goes dark.
  package var blank: UInt32?
  /// The backlight's name; nil for the only one.
  package var light: String?
  /// What turns the light off in place of a backlight.
  package var off: String?
  /// What turns it on.
  package var on: String?
  /// Commands before the machine sleeps.
  package var beforeSleep: [String] = []
  /// Commands after that.
  package var afterResume: [String] = []

  /// A plan that does nothing.
  package init() {}

  /// Whether it is about the light of a screen.
  package var hasLight: Bool { dim != nil || blank != nil }
  /// Whether it has to hear that the machine sleeps.
  package var hearsSleep: Bool { !beforeSleep.isEmpty || !afterResume.isEmpty }

  /// Why it can't be carried out; nil where it can.
  package var problem: String? {
    if self == IdlePlan() {
      return "there is nothing to do: say timeout SECONDS COMMAND, dim SECONDS, blank SECONDS, "
        + "before-sleep COMMAND or after-resume COMMAND"
    }
    if let dim, let blank, dim >= blank {
      return "the screen is dark before it is dimmed: dim needs a shorter time than blank"
    }
    if (off == nil) != (on == nil) { return "off and on need each other" }
    if off != nil, light != nil { return "light can't be given together with off and on" }
    if off != nil, dim != nil { return "dim needs a backlight: off and on can't dim a light" }
    if off != nil, blank == nil { return "off and on need blank" }
    if light != nil, !hasLight { return "light needs dim or blank" }
    return nil
  }
}
