import Configuration
import Layout
import Server
import TouchModel

/// What a job takes, in microseconds, before it is made. Rule F1.
struct JobEstimate {
  /// What changes take, in microseconds.
  private enum Cost {
    /// A property that is set, or a right that is looked at.
    static let ofChange = 5
    /// A view that is laid out, and compiled.
    static let ofView = 2
    /// A right to a secure view that is looked at.
    static let ofSecureView = 1
    /// A view that is looked at as to whether it takes touches from a secure one.
    static let ofTaker = 4
    /// So many views are entered into a new editor in one.
    static let entered = 20
    /// No matter how long.
    static let long = 1_000_000
  }

  /// Nil where nothing is set.
  let editor: LayoutEditor?
  let inForce: Layout
  /// An estimate that is beyond that may be too low.
  let limit: Int

  /// What a job takes; nil where it has nothing to do.
  func microseconds(for job: LayoutJob) -> Int? {
    switch job {
    case .set(let job): ofSetting(job.batches.flatMap(\.changes), job.rights)
    case .views(let job): of(job)
    case .end(let job): of(job)
    case .move(let job):
      (inForce.viewCount + job.new.configuration.layout.viewCount) * Cost.ofView
    }
  }

  /// What changes of views take; of recognizers nothing that a thread could do.
  private func ofSetting(_ changes: [ViewChange], _ rights: SetterRights) -> Int {
    let changes = changes.filter { $0.recognizerOwner == nil }
    if changes.isEmpty { return 0 }
    let reach = editor?.reach ?? EditReach(inForce)
    var estimate = changes.count * Cost.ofChange + ofSparingSecureViews(from: changes.count, rights)
    if editor == nil { estimate += inForce.viewCount / Cost.entered }
    for change in changes where estimate <= limit {
      estimate += reach.views(changedBy: change) * Cost.ofView
    }
    return estimate
  }

  /// What it takes to see that so many changes take nothing from secure views: each change by
  /// itself, and all that is in force then and was set or added by those who may not have them.
  private func ofSparingSecureViews(from count: Int, _ rights: SetterRights) -> Int {
    let secureViews = inForce.secureViews
    if secureViews.isEmpty { return 0 }
    let looks = secureViews.count * (1 + (editor?.setterCount ?? 0)) * Cost.ofSecureView
    var estimate = looks + secureViews.count * count * Cost.ofTaker
    guard let editor else { return estimate }
    for secure in secureViews where estimate <= limit {
      let securePath = inForce.path(of: secure)
      estimate += editor.count { !rights.mayHave($0, securePath) } * Cost.ofTaker
    }
    return estimate
  }

  private func of(_ job: ViewsJob) -> Int {
    var changes: [ViewChange] = []
    let path = inForce.path(of: job.held)
    for step in job.request.steps {
      guard case .change(let name, let properties) = step else {
        let count = job.request.steps.count
        return (inForce.viewCount + count) * Cost.ofView + count * Cost.ofChange
          + ofSparingSecureViews(from: count, job.rights)
      }
      let whole = name.isEmpty ? path : path + "/" + name
      changes += properties.map { ViewChange(whole, $0) }
      if changes.count * Cost.ofChange > limit { return Cost.long }
    }
    return ofSetting(changes, job.rights)
  }

  /// What it takes to take back what has ended, and what then takes touches from secure views; nil
  /// where there is nothing to be done.
  private func of(_ job: EndJob) -> Int? {
    guard let editor, case let reach = editor.reach, reach.entryCount > 0 else { return nil }
    let look = reach.entryCount * Cost.ofChange + ofSparingSecureViews(from: 0, job.rights)
    if look > limit, limit > 0 { return look }
    let ended = reach.views(changedByEnd: job.ended.contains)
    if ended == nil, !editor.coversSecureViews(for: job.rights.mayHave) { return nil }
    return look + (ended ?? 0) * Cost.ofView
  }
}
