import ArgumentParser
import Glibc
import TouchModel
import TouchScripts

/// The command line of touchroute: what a person uses to see, test and steer the daemon.
@main
struct Touchroute: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchroute",
    abstract: "Shows, tests and steers touchrouted, which gives each touch to the right program.",
    discussion: """
      check, tree --config, hit-test, rehearse, test --config, play --dry, record --device, \
      doctor, calibrate and list-devices need no daemon. listen, idle, output and hit-test --live \
      talk to the daemon as any program does; the others use its control socket.

      The exit status is 0 for success, 1 for a failure and 64 for a wrong command line. With tap, \
      press, swipe, pinch, rotate, inject and play it is 2 if a touch went to no program and to \
      no gesture, with test if something was not as expected, with play --compare if anything \
      differs, with doctor if a fault was found. listen, idle, monitor, top, record, inspect \
      and recover run until Ctrl-C. They end with the status of SIGINT, record FILE with 0.
      """,
    version: "touchroute \(Release.version)",
    subcommands: [
      Check.self, Tree.self, HitTest.self, ListDevices.self, Listen.self, Monitor.self, Status.self,
      Top.self, Metrics.self, Reload.self, SetViews.self, Tap.self, Press.self, Swipe.self,
      Pinch.self, Rotate.self, Inject.self, Cancel.self, SetScreen.self, Lock.self,
      Unlock.self, Idle.self, Rehearse.self, Test.self, Record.self, Play.self, Inspect.self,
      Doctor.self, Calibrate.self, Recover.self, OutputCommand.self,
    ])

  /// Of those that are closed the first would be our socket, to which we would then print.
  private static func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
  }

  private static func fail(_ failure: Failure) -> Never {
    failure.report()
    Glibc.exit(ExitCode.failure.rawValue)
  }

  /// Ends as the parser does.
  private static func end(
    _ error: any Error, _ words: [String], _ command: any ParsableCommand.Type
  ) -> Never {
    let code = exitCode(for: error)
    guard code == .validationFailure else { exit(withError: error) }
    let message = NegativeNumbers.shown(fullMessage(for: error))
    endUsage(
      OptionNames.failure(words, of: command, message: message) ?? Failure(parser: message))
  }

  private static func endUsage(_ failure: Failure) -> Never {
    failure.report()
    Glibc.exit(ExitCode.validationFailure.rawValue)
  }

  static func main() {
    openStandardDescriptors()
    // A reader that goes away is told by write, which then ends us quietly.
    signal(SIGPIPE, SIG_IGN)
    let words = Array(CommandLine.arguments.dropFirst())
    let named: any ParsableCommand.Type
    do throws(Failure) { named = try CommandNames.command(words) } catch { endUsage(error) }
    do {
      var command = try parseAsRoot(NegativeNumbers.escape(words))
      try command.run()
    } catch let failure as Failure {
      fail(failure)
    } catch let error as ScriptError {
      fail(Failure(error.sentence))
    } catch {
      end(error, words, named)
    }
  }
}
