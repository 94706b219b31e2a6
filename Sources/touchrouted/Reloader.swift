import Configuration
import EventLoop
import Exchange
import Logging

/// Reads the configuration again beside the loop, once for all who ask until it begins, and has it
/// put in force in a turn. Rule F1.
///
/// Until then that in force stays, and touches go on. What is read while somebody asks again may be
/// older than that, so it is read again for them.
final class Reloader {
  typealias Answer = (Exchange.Reload) -> Void

  /// The files.
  var source: ConfigurationSource
  /// Reading is about to begin.
  var began: () -> Void = {}
  /// A configuration is to be put in force; it is told what has changed, in words, once it is.
  var apply: (PreparedConfiguration, @escaping (String) -> Void) -> Void = { $1("") }
  /// It is in force, or stays out of it, and all is done.
  var ended: () -> Void = {}

  private let exchange: Exchange
  private let loop: EventLoop
  private let logger: Logger
  /// Those for whom it is yet to be read.
  private var asking: [Answer] = []
  private var isBusy = false

  init(_ source: ConfigurationSource, for exchange: Exchange, on loop: EventLoop, logger: Logger) {
    self.source = source
    self.exchange = exchange
    self.loop = loop
    self.logger = logger
  }

  /// Reads the configuration again, and says what that came to.
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

  /// Keeps what is in force, for a start at which the files are wrong.
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

  /// Has a thread do it; where there can't be one, the loop waits.
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
