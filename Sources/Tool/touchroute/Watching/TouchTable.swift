import TouchClient
import TouchModel

/// The touches that are live, and the latest of those that are over, as they are observed.
struct TouchTable {
  /// What is known of a touch.
  struct Touch {
    let id: TouchID
    /// Empty where nothing was hit.
    let target: String
    /// The processes that get it.
    fileprivate(set) var programs: [Int32] = []
    fileprivate(set) var phase: TouchPhase
    /// Nil in a secure view.
    fileprivate(set) var location: Point?
    fileprivate(set) var discardReason: DiscardReason?

    var isLive: Bool { phase != .ended && phase != .cancelled }
  }

  /// The latest last.
  private var touches: [Touch] = []

  /// How many of those that are over are kept.
  private static let most = 64

  /// Those that are live first, then the latest of the others.
  var all: [Touch] {
    touches.filter(\.isLive) + touches.filter { !$0.isLive }.reversed()
  }

  /// Takes in what a frame says.
  mutating func take(_ frame: Observation) {
    for record in frame.records { take(record) }
    let over = touches.indices.filter { !touches[$0].isLive }
    for index in over.dropLast(Self.most).reversed() { touches.remove(at: index) }
  }

  private mutating func take(_ record: Observation.Record) {
    let index = touches.lastIndex { $0.id == record.id }
    var touch =
      index.map { touches[$0] }
      ?? Touch(id: record.id, target: record.targetPath, phase: record.phase)
    touch.phase = record.phase
    touch.location = record.screenLocation
    // That it is over says nothing of where it went.
    if record.discardReason != .over { touch.discardReason = record.discardReason }
    if record.phase == .began {
      touch.programs = record.chain.filter { !$0.phases.isEmpty }.compactMap(\.pid)
    }
    if let index { touches[index] = touch } else { touches.append(touch) }
  }

  /// Forgets what it takes for live, as the daemon has no live touch.
  mutating func removeLive() { touches.removeAll(where: \.isLive) }
}
