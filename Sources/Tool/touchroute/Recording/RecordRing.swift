/// The latest lines of a record, as many as are of some time and of some size, and what was so
/// before them: what is kept until somebody wants it.
struct RecordRing {
  /// Bytes that are kept at most.
  private let sizeLimit: Int
  /// Microseconds of the record that are kept.
  private let duration: UInt64
  private var items: [RecordedItem] = []
  /// The items before it are no longer kept.
  private var first = 0
  private var size = 0
  // What was so before the first item.
  private var layout: LayoutState
  private var holders: [UInt32: (client: UInt32, text: String)] = [:]
  private var time: UInt64

  /// A ring of so many microseconds, and of so many bytes at most.
  init(
    duration: UInt64, sizeLimit: Int = 64 << 20, _ layout: LayoutState, at time: UInt64
  ) {
    self.sizeLimit = sizeLimit
    self.duration = duration
    self.layout = layout
    self.time = time
  }

  /// Adds a line; those that are too old go.
  mutating func add(_ item: RecordedItem) {
    items.append(item)
    size += item.text.utf8.count
    let oldest = item.time - min(item.time, duration)
    while first < items.count - 1, items[first].time < oldest || size > sizeLimit {
      size -= items[first].text.utf8.count
      forget(items[first])
      first += 1
    }
    if first > items.count / 2, first > 1000 {
      items.removeFirst(first)
      first = 0
    }
  }

  /// What goes is only in what was so before.
  private mutating func forget(_ item: RecordedItem) {
    time = max(time, item.time)
    switch item.effect {
    case .nothing: break
    case .layout(let change): layout.apply(change)
    case .attached(let id, let client): holders[id] = (client, item.text)
    case .detached(let id): holders[id] = nil
    case .gone(let client): holders = holders.filter { $0.value.client != client }
    }
  }

  /// A record that begins now: the same without its lines, but for who holds what.
  var present: (time: UInt64, layout: LayoutState, lines: [String]) {
    var latest = self
    for item in items[first...] { latest.forget(item) }
    return (latest.time, latest.layout, latest.holderLines)
  }

  private var holderLines: [String] { holders.sorted { $0.key < $1.key }.map(\.value.text) }

  /// A record of what is kept: when it begins, with which layout, and its lines.
  var record: (time: UInt64, layout: LayoutState, lines: [String]) {
    (time, layout, holderLines + items[first...].map(\.text))
  }
}
