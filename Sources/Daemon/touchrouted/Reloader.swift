import Configuration
import EventLoop
import Exchange
import Logging

/// Reloads the configuration on a background thread, once for all requests that have come until it
/// begins. The result is put in force in a turn of the loop. Rule F1.
///
/// Until then the configuration in force stays, and touches are routed. A request that comes during
/// the reading may be newer than what is read, so it gets a reading of its own.
final class Reloader {
  typealias Answer = (Exchange.Reload) -> Void

  /// The files.
  var source: ConfigurationSource
  /// Reading is about to begin.
  var began: () -> Void = {}
  /// Puts a configuration in force, then calls the closure with a text of what has changed.
  var apply: (PreparedConfiguration, @escaping (String) -> Void) -> Void = { $1("") }
  /// The reload is over, whether or not a configuration was put in force.
  var ended: () -> Void = {}

  private let exchange: Exchange
  private let loop: EventLoop
  private let logger: Logger
  /// The requests that wait for the next reading.
  private var asking: [Answer] = []
  private var isBusy = false

  init(_ source: ConfigurationSource, for exchange: Exchange, on loop: EventLoop, logger: Logger) {
    self.source = source
    self.exchange = exchange
    self.loop = loop
    self.logger = logger
  }

  /// Reloads the configuration, and calls the closure with the outcome.
  func reload(_ answer: @escaping Answer) {
    asking.append(answer)
    begin()
  }

  private func begin() {
    guard !isBusy, !asking.isEmpty else { return }
    let answers = asking
    asking = []
    isBusy = true
    began()
    let old = exchange.configuration
    run(source.reading(replacing: old)) { [self] in take($0, replacing: old, answers) }
  }

  private func take(
    _ reading: ConfigurationSource.Reading, replacing old: Configuration, _ answers: [Answer]
  ) {
    switch reading {
    case .unchanged:
      logger.notice("the configuration was reloaded: nothing changed")
      end(.applied("nothing changed"), answers)
    case .refused(let error): end(.refused(source.refusal(of: error)), answers)
    case .changed(let new, let text, let fingerprint):
      source.take(new.configuration, text: text, fingerprint)
      apply(new) { [self] changes in
        logger.notice("the configuration was reloaded: \(changes)")
        keep { [self] in end(.applied(changes), answers) }
      }
    }
  }

  /// Keeps the configuration in force, for a start with invalid files.
  private func keep(then done: @escaping () -> Void) {
    guard let keeping = source.keeping() else { return done() }
    run(keeping) { [self] failure in
      source.noteKeeping(failure)
      done()
    }
  }

  private func end(_ outcome: Exchange.Reload, _ answers: [Answer]) {
    isBusy = false
    for answer in answers { answer(outcome) }
    ended()
    begin()
  }

  /// Works on a background thread. If none can be started, the loop waits.
  private func run<Made>(
    _ work: @escaping @Sendable () -> Made, then finish: @escaping (Made) -> Void
  ) {
    do throws(EventLoopError) {
      try loop.inBackground(work, then: finish)
    } catch {
      logger.warning("\(error): touches wait for the configuration")
      finish(work())
    }
  }
}
