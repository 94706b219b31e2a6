import CLinux
import Configuration
import DaemonLog
import Glibc
import Logging
import TouchModel

/// The daemon's entry point: does what the command line says.
@main
struct Touchrouted {
  /// The exit status of a wrong command line, sysexits' EX_USAGE.
  static let wrongUsage: Int32 = 64
  /// How long the process waits at its end for the last log lines to be read.
  static let lastLinesMilliseconds: Int32 = 500

  static func main() {
    // A closed pipe behind stderr is no reason to die; sockets are written to with MSG_NOSIGNAL.
    signal(SIGPIPE, SIG_IGN)
    exit(run(CommandLine.arguments))
  }

  /// Does what the arguments say. Returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    let options: Options
    do throws(Options.Mistake) {
      options = try Options(arguments: arguments)
    } catch {
      write("touchrouted: \(error.sentence); see touchrouted --help", to: STDERR_FILENO)
      return wrongUsage
    }
    switch options.action {
    case .help:
      write(Options.help, to: STDOUT_FILENO)
      return EXIT_SUCCESS
    case .version:
      write("touchrouted \(Release.version)", to: STDOUT_FILENO)
      return EXIT_SUCCESS
    case .check:
      return check(options.configuration)
    case .run:
      return serve(options)
    }
  }

  private static func check(_ path: String) -> Int32 {
    do throws(ConfigurationError) {
      let configuration = try Configuration.load(path)
      for line in configuration.warnings.lines { write(line, to: STDERR_FILENO) }
      let files = configuration.files.joined(separator: ", ").printable()
      write("\(files): good", to: STDOUT_FILENO)
      return EXIT_SUCCESS
    } catch {
      write(error.description, to: STDERR_FILENO)
      return EXIT_FAILURE
    }
  }

  private static func serve(_ options: Options) -> Int32 {
    let log = StandardErrorLog(logLevel: options.logLevel)
    defer { log.output.finish(milliseconds: lastLinesMilliseconds) }
    LoggingSystem.bootstrap { _ in log }
    let logger = Logger(label: "touchrouted")
    clinux_set_up_allocator(arenas)
    do throws(StartError) {
      return try Daemon(options, logger: logger, log: log.output).run()
    } catch {
      log.report(error.description)
      return EXIT_FAILURE
    }
  }

  /// The loop's, and one for each kind of background thread: a change of the layout, what it has
  /// replaced, a reload.
  private static let arenas: Int32 = 4

  private static func write(_ text: String, to descriptor: Int32) {
    // The text contains names of files and parts of their content.
    let shown = text.printable(keepingLines: true)
    var line = shown.hasSuffix("\n") ? shown : shown + "\n"
    line.withUTF8 { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
