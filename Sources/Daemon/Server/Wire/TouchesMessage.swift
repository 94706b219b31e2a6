import CTouchroute
import Glibc

/// A message with touches as it lies in a queue, of which it owns nothing.
struct TouchesMessage {
  private let start: UnsafeMutableRawPointer

  init(at start: UnsafeMutableRawPointer) { self.start = start }

  /// The bytes of a message with paths of so many bytes.
  @inline(__always)
  static func size(touches: Int, samples: Int, paths: Int = 0) -> Int {
    MemoryLayout<touchroute_touches>.size + touches * MemoryLayout<touchroute_touch>.stride
      + samples * MemoryLayout<touchroute_sample>.stride + paths
  }

  /// Whether it is one.
  var hasTouches: Bool {
    start.load(as: touchroute_header.self).opcode == UInt16(TOUCHROUTE_TOUCHES.rawValue)
  }

  /// What comes before its touches.
  var fixed: touchroute_touches {
    get { start.load(as: touchroute_touches.self) }
    nonmutating set { start.storeBytes(of: newValue, as: touchroute_touches.self) }
  }

  /// How many touches it has.
  var count: Int { Int(fixed.touch_count) }

  subscript(index: Int) -> touchroute_touch {
    get { pointer(to: index).load(as: touchroute_touch.self) }
    nonmutating set { pointer(to: index).storeBytes(of: newValue, as: touchroute_touch.self) }
  }

  /// Where a touch is; of the index behind the last, where the samples and paths begin.
  func pointer(to index: Int) -> UnsafeMutableRawPointer {
    start + Self.size(touches: index, samples: 0)
  }

  /// Takes out the moves that fulfil the condition, with their samples, but for those that name
  /// their target: nobody says that again. Returns what is left, in bytes: 0 where it then says
  /// nothing new.
  func removeMoves(where isMeant: (touchroute_touch) -> Bool) -> Int {
    let count = self.count
    var kept = 0
    var samples = 0
    var hasChanged = false
    var source = pointer(to: count)
    var target = source
    for index in 0..<count {
      let touch = self[index]
      let trailing = touch.trailingSize
      defer { source += trailing }
      if touch.isMove, touch.path_size == 0, isMeant(touch) { continue }
      memmove(target, source, trailing)
      target += trailing
      self[kept] = touch
      kept += 1
      samples += Int(touch.sample_count)
      hasChanged = hasChanged || !touch.isStationary || touch.path_size > 0
    }
    guard hasChanged else { return 0 }
    let trailing = target - pointer(to: count)
    memmove(pointer(to: kept), pointer(to: count), trailing)
    let size = pointer(to: kept) + trailing - start
    fixed.header.size = UInt32(size)
    fixed.touch_count = UInt16(kept)
    fixed.sample_count = UInt16(samples)
    return size
  }
}

extension touchroute_touch {
  /// Whether it has not changed in its frame.
  var isStationary: Bool { UInt32(phase) == TOUCHROUTE_PHASE_STATIONARY.rawValue }

  /// Whether it neither begins nor ends in its frame.
  var isMove: Bool { isStationary || UInt32(phase) == TOUCHROUTE_PHASE_MOVED.rawValue }

  /// The bytes of its path, padded.
  var pathSpace: Int { padded(Int(path_size)) }

  /// The bytes of its samples and its path.
  fileprivate var trailingSize: Int {
    Int(sample_count) * MemoryLayout<touchroute_sample>.stride + pathSpace
  }
}
