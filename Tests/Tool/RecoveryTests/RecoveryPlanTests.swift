import Foundation
import TestSupport
import Testing

@testable import Recovery

@Suite("When touchscreens are recovered")
struct RecoveryPlanTests {
  private let hour: UInt64 = 3_600_000_000

  @Test("a fault that is a reason is acted on once, until it is over and comes again (N11)")
  func once() {
    var plan = RecoveryPlan(["silent"], budget: RecoveryBudget(limit: 9))
    plan.heard("held", of: 1, isOver: false)
    #expect(plan.next(at: 5) == nil && plan.deadline == nil)
    plan.heard("silent", of: 1, isOver: false)
    #expect(plan.deadline != nil)
    #expect(plan.next(at: 5) == .recover(1, because: "silent"))
    plan.heard("silent", of: 1, isOver: false)
    #expect(plan.next(at: 6) == nil && plan.deadline == nil)
    plan.heard("silent", of: 1, isOver: true)
    plan.heard("silent", of: 1, isOver: false)
    plan.heard("silent", of: 2, isOver: false)
    #expect(plan.next(at: 7) == .recover(1, because: "silent"))
    plan.forget()
    #expect(plan.next(at: 8) == nil)
  }

  @Test("the folder of a unit that is named by a USB identifier has its colon (N11)")
  func folder() {
    let folder = "/run/touchroute-recover/0eef:0001"
    #expect(KeptRecoveries.folder(named: folder) == folder)
    #expect(KeptRecoveries.folder(named: "run") == nil)
    #expect(KeptRecoveries.folder(named: nil) == nil)
  }

  @Test("never more often than the limit within an hour, over 10,000 random faults (N11)")
  func limit() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...5, using: &random)
    var plan = RecoveryPlan(["silent"], budget: RecoveryBudget(limit: limit))
    var done: [UInt64] = []
    var time: UInt64 = 10 * hour
    for device in 1...10_000 as ClosedRange<UInt32> {
      time += UInt64.random(in: 0...(hour / 3), using: &random)
      plan.heard("silent", of: device, isOver: false)
      while case .recover? = plan.next(at: time) {
        _ = plan.spend(at: time)
        done.append(time)
      }
      if Bool.random(using: &random) { plan.heard("silent", of: device, isOver: true) }
    }
    #expect(done.count > 1_000, "seed \(seed)")
    for index in done.indices.dropFirst(limit) {
      #expect(done[index] - done[index - limit] >= hour, "seed \(seed)")
    }
  }

  @Test("beyond the limit that is said once, and the touchscreen's turn comes later (N11)")
  func exhausted() {
    var plan = RecoveryPlan(["silent"], budget: RecoveryBudget(limit: 2, times: [3, 1, 2]))
    plan.heard("silent", of: 1, isOver: false)
    #expect(plan.next(at: 10) == .exhausted(until: 2 + hour))
    #expect(plan.next(at: 11) == nil && plan.deadline == 2 + hour)
    #expect(plan.next(at: 2 + hour) == .recover(1, because: "silent"))
    #expect(plan.spend(at: 2 + hour) == [3, 2 + hour])
  }

  @Test("a restart that is refused does not count (N11)")
  func refused() {
    var plan = RecoveryPlan(["silent"], budget: RecoveryBudget(limit: 1))
    for device in 1...3 as ClosedRange<UInt32> {
      plan.heard("silent", of: device, isOver: false)
      #expect(plan.next(at: 10) == .recover(device, because: "silent"))
      #expect(plan.spend(at: 10) == [10] && plan.takeBack() == [])
    }
  }

  @Test("what is kept is read again; garbage, a link or a missing folder are nothing (N11)")
  func kept() throws {
    let folder = try TemporaryDirectory()
    let kept = KeptRecoveries(in: folder.url.path)
    #expect(kept.read(at: 7).times == [] && kept.read(at: 7).interruption == nil)
    let fake = try FakeSysfs()
    let off = try IllTouchscreen(node: "/dev/input/event4", in: fake.sysfs)
      .interruption(by: .driver)
    try kept.keep([1, 2], off)
    #expect(kept.read(at: 7).times == [1, 2] && kept.read(at: 7).interruption == off)
    try kept.keep([3], nil)
    #expect(kept.read(at: 7).times == [3] && kept.read(at: 7).interruption == nil)
    try Data("x\n-1\noff a b\n\u{0}\n7\n8\n\(UInt64.max)\n".utf8).write(
      to: folder.url.appendingPathComponent("recoveries"))
    #expect(kept.read(at: 7).times == [7] && kept.read(at: 7).interruption == nil)
    #expect(KeptRecoveries(in: nil).read(at: 7).times == [])
    #expect(throws: RecoveryError.self) {
      try KeptRecoveries(in: folder.url.path + "/none").keep([1], nil)
    }
  }
}
