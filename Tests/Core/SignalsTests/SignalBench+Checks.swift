import TouchModel

extension SignalBench {
  /// What is wrong with what came out; nil where nothing is.
  var mistake: String? {
    var live: Set<Int32> = []
    var former: Set<Int32> = []
    var latest = Timestamp(microseconds: 0)
    var inReport = false
    for event in events {
      switch event {
      case .down(_, let slot, _, _, let time):
        if !former.insert(slot).inserted { return "\(slot) begins twice" }
        live.insert(slot)
        if time < latest { return "\(slot) begins before \(latest)" }
        inReport = true
      case .motion(_, let slot, _, let time):
        if former.contains(slot), !live.contains(slot) { return "\(slot) moves after its end" }
        if former.contains(slot), time < latest { return "\(slot) moves before \(latest)" }
        inReport = true
      case .up(_, let slot, let time), .cancel(_, let slot, _, let time):
        if former.contains(slot), live.remove(slot) == nil { return "\(slot) ends twice" }
        if former.contains(slot), time < latest { return "\(slot) ends before \(latest)" }
        inReport = true
      case .frame(_, let time):
        if time < latest { return "a report before \(latest)" }
        latest = time
        inReport = false
      case .lost:
        live = []
        former = []
        latest = Timestamp(microseconds: 0)
        inReport = false
      }
    }
    if inReport { return "a report without a mark" }
    return live.isEmpty ? nil : "\(live) never end"
  }
}
