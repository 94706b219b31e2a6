import EventLoop
import Layout
import Logging
import Routing
import Server

/// Keeps the editor of the layout in force, and has a thread do what takes long with it. Rule F1.
///
/// One at a time changes the layout: the loop, or a thread. While a thread does, no other layout
/// comes in force, so what it finds out by the one in force still holds as it ends; and whoever
/// wants another change waits until the editor is home.
final class LayoutDesk {
  /// What is done with the editor, which is nil before anything was set.
  typealias Work<Made> = @Sendable (inout LayoutEditor?) -> Made
  /// Takes what was made, the layout that is to be in force, and what was made ahead for that.
  typealias Finish<Made> = (Made, Layout, PreparedLayout?) -> Void

  /// What a thread brings home.
  private struct BackgroundChange<Made> {
    let editor: LayoutEditor?
    let made: Made
    let layout: Layout
    let prepared: PreparedLayout?
  }

  /// That of the layout in force, with all that is set; a thread has a copy of its own.
  private(set) var editor: LayoutEditor? {
    didSet { core.addedCounts = editor?.addedCounts ?? [:] }
  }
  /// Whether a thread makes a change.
  private(set) var isAway = false
  /// Does what follows from a change that was not made in the turn in which it was asked for.
  var settle: () -> Void = {}

  private let core: Core
  private var task: BackgroundTask?
  private var waiting: [() -> Void] = []
  /// Those of whom nothing more is carried out before they were answered, and how many of their
  /// requests that takes.
  private var held: [ClientID: Int] = [:]
  private var isStopping = false

  init(_ core: Core) { self.core = core }

  // MARK: - Changes

  /// Has something done with the editor, which is home: at once where that is quick, else by a
  /// thread.
  ///
  /// - Parameters:
  ///   - microseconds: An estimate of what it takes.
  ///   - base: The layout in force where nothing is set.
  ///   - clients: Those who wait for it.
  func perform<Made>(
    taking microseconds: Int, over base: Layout, for clients: Set<ClientID> = [],
    _ work: @escaping Work<Made>, then finish: @escaping Finish<Made>
  ) {
    precondition(!isAway, "who wants the editor waits until it is home")
    guard microseconds > core.quickMicroseconds else {
      let made = work(&editor)
      return finish(made, editor?.layout ?? base, nil)
    }
    leave(for: clients)
    let (known, inForce) = (editor, core.layout)
    let change: @Sendable () -> BackgroundChange<Made> = {
      var editor = known
      let made = work(&editor)
      let layout = editor?.layout ?? base
      let prepared = layout === inForce ? nil : PreparedLayout(layout, replacing: inForce)
      return BackgroundChange(editor: editor, made: made, layout: layout, prepared: prepared)
    }
    do throws(EventLoopError) {
      task = try core.loop.inBackground(change) { [self] in finishChange($0, to: clients, finish) }
    } catch {
      core.logger.warning("\(error): touches wait for a change of the layout")
      finishChange(change(), to: clients, finish)
    }
  }

  /// Has something done at once, however long it takes: before the first turn.
  func performInPlace<Made>(_ work: (inout LayoutEditor?) -> Made) -> Made {
    finishAll()
    return work(&editor)
  }

  private func leave(for clients: Set<ClientID>) {
    isAway = true
    core.server.holdChanges(true)
    for client in clients { hold(client) }
  }

  private func finishChange<Made>(
    _ change: BackgroundChange<Made>, to clients: Set<ClientID>, _ finish: Finish<Made>
  ) {
    let began = core.loop.present
    task = nil
    isAway = false
    core.discarded.add(editor)
    editor = change.editor
    finish(change.made, change.layout, change.prepared)
    for client in clients { release(client) }
    settle()
    core.server.layoutChanged(took: core.loop.present - began)
    serve()
  }

  // MARK: - Waiting

  /// Does something once the editor is home: at once where it is. Once all has stopped, what ends
  /// changes nothing any more.
  ///
  /// - Parameter client: Who waits for it, if somebody does.
  func whenIdle(for client: ClientID? = nil, _ work: @escaping () -> Void) {
    if isStopping, !isAway { return }
    guard isAway else { return work() }
    if let client { hold(client) }
    waiting.append { [self] in
      work()
      if let client { release(client) }
    }
  }

  /// Waits until all that is to be done is done.
  func finishAll() { while let task { task.wait() } }

  /// The same for the last time: clients whose requests were not carried out so far keep them.
  func stop() {
    isStopping = true
    finishAll()
  }

  private func serve() {
    while !isAway, !waiting.isEmpty {
      waiting.removeFirst()()
      settle()
    }
    if !isAway, !isStopping { core.server.holdChanges(false) }
  }

  private func hold(_ client: ClientID) {
    held[client, default: 0] += 1
    if held[client] == 1 { core.server.hold(client, true) }
  }

  private func release(_ client: ClientID) {
    held[client, default: 1] -= 1
    guard held[client] == 0 else { return }
    held[client] = nil
    core.server.hold(client, false)
  }
}

extension LayoutEditor {
  /// Has an editor changed, which is made where there is none.
  static func edit<Result>(
    _ editor: inout LayoutEditor?, or make: @autoclosure () -> LayoutEditor,
    _ change: (inout LayoutEditor) -> Result
  ) -> Result {
    var now = editor ?? make()
    // The only reference, so that nothing is copied that changes.
    editor = nil
    defer { editor = now }
    return change(&now)
  }
}
