import Configuration
import Layout
import Routing
import Wire

/// Why a change was refused, in words for its client.
struct ChangeRefusal: Error, Sendable {
  let code: Wire.ErrorCode
  let text: String
}

/// What came of a job, beside the layout.
struct LayoutOutcome {
  /// For each request why it is refused; nil where it is done.
  var answers: [ChangeRefusal?] = []
  /// What is to be set of recognizers.
  var recognizers: [SetChange] = []
  /// By which rights things are set, where that has changed.
  var setters: Setters?
  /// What was dropped beside what was asked for.
  var dropped: DroppedPaths
}

/// A change of the layout with all that it takes to make it, so that any thread may.
enum LayoutJob: Sendable {
  case set(SetJob)
  case views(ViewsJob)
  case end(EndJob)
  case move(MoveJob)

  /// The layout where nothing is set.
  var base: Layout {
    switch self {
    case .set(let job): job.policy.configuration.layout
    case .views(let job): job.policy.configuration.layout
    case .end(let job): job.configuration.layout
    case .move(let job): job.new.configuration.layout
    }
  }

  /// Makes it with an editor of the layout in force, which is nil where nothing is set.
  func make(on editor: inout LayoutEditor?) -> LayoutOutcome {
    switch self {
    case .set(let job): job.make(on: &editor)
    case .views(let job): job.make(on: &editor)
    case .end(let job): job.make(on: &editor)
    case .move(let job): job.make(on: &editor)
    }
  }
}

/// A job for a background thread, with a copy of the editor.
struct BackgroundChange: Sendable {
  let job: LayoutJob
  let editor: LayoutEditor?
  let inForce: Layout

  /// Makes the layout, and what it takes to put it in force.
  func make() -> MadeChange {
    var editor = editor
    let outcome = job.make(on: &editor)
    let layout = editor?.layout ?? job.base
    let prepared = layout === inForce ? nil : PreparedLayout(layout, replacing: inForce)
    return MadeChange(
      job: job, editor: editor, inForce: inForce, outcome: outcome, layout: layout,
      prepared: prepared)
  }
}

/// What a thread has made.
struct MadeChange {
  let job: LayoutJob
  let editor: LayoutEditor?
  let inForce: Layout
  let outcome: LayoutOutcome
  let layout: Layout
  let prepared: PreparedLayout?
}
