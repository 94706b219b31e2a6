/// Which of several sources that are ready at once is dispatched first.
public enum SourcePriority: Int64, Sendable {
  /// Before all others: the touch devices. The loop looks for new events between any two sources,
  /// so a device waits for one handler at most, however many clients have something to say (rule
  /// F1); and where devices never stop, the others are served in between.
  case input = -100
  /// Before all others but those: what tells the service manager that the loop turns.
  case watchdog = -50
  /// In turn with all others of this priority.
  case normal = 0
  /// Behind those: clients that ask for much.
  case busy = 40
  /// Behind those too: clients that ask for all they can get, and those that are yet to come in.
  case flooding = 60
  /// When nothing else is ready.
  case idle = 100
}
