import CChildProcess
package import Foundation
import Glibc

/// A process that a test has started. It gets the descriptors that it is given, and no other: tests
/// start processes side by side, and who has another's pipe or socket by accident keeps it open.
///
/// Foundation's `Process` is not for tests that run side by side: it hears of an end by a socket,
/// which a process started in the same moment inherits, and then waits for both.
package final class ChildProcess {
  package let identifier: Int32
  /// How it has ended: the exit status, or minus the signal; nil while it was never seen ended.
  private var status: Int32?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - directory: where it runs; nil for where the test does.
  ///   - environment: all variables that it has.
  ///   - input: its standard input; nil for one that is at its end.
  ///   - output: its standard output; nil for the test's.
  ///   - errors: its standard error; nil for the test's.
  ///   - passed: what it gets as 3 and so on.
  package init(
    _ program: URL, _ arguments: [String], in directory: URL? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment, input: Int32? = nil,
    output: Int32? = nil, errors: Int32? = nil, passing passed: [Int32] = []
  ) throws {
    // Above all that it gets, so that none is replaced before it is passed.
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let copies = ([input ?? null, output, errors] + passed)
      .map { $0.map { fcntl($0, F_DUPFD_CLOEXEC, 128) } ?? -1 }
    defer { for descriptor in copies + [null] where descriptor >= 0 { close(descriptor) } }
    let words = ([program.path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in words + variables { free(string) } }
    var pid: pid_t = 0
    let result = child_process_start(
      &pid, program.path, words, variables, directory?.path, copies, copies.count)
    guard result == 0 else {
      throw Missing("\(program.path) can't be run: \(String(cString: strerror(result)))")
    }
    identifier = pid
  }

  deinit {
    signal(SIGKILL)
    waitForExit()
  }

  /// Whether it runs, or is stopped.
  package var isRunning: Bool {
    collect(WNOHANG)
    return status == nil
  }

  /// Sends a signal, where it has not ended.
  package func signal(_ number: Int32) {
    if isRunning { kill(identifier, number) }
  }

  /// Waits for its end: its exit status, or minus the signal that it died of.
  @discardableResult
  package func waitForExit() -> Int32 {
    while true {
      if let status { return status }
      collect(0)
    }
  }

  private func collect(_ options: Int32) {
    guard status == nil else { return }
    var raw: Int32 = 0
    guard waitpid(identifier, &raw, options) == identifier else { return }
    let signal = raw & 0x7f
    status = signal == 0 ? (raw >> 8) & 0xff : -signal
  }
}
