import Testing
@testable import TouchInput
import TouchModel

@Suite("What waits for fingers to be lifted")
struct HeldAssignmentTests {
  private func assignment(_ rotation: Screen.Rotation, ignore: Bool = false) -> DeviceAssignment {
    let screen = Screen(name: "panel", size: Size(width: 800, height: 480), rotation: rotation)
    return DeviceAssignment(
      mapping: DeviceMapping(index: ScreenIndex(0), screen: screen), grab: false, ignore: ignore)
  }

  @Test("another mapping waits for the last finger to be lifted (T11)")
  func waits() {
    var held = HeldAssignment(assignment(.none))
    held.liveTouches = 2
    held.propose(assignment(.half))
    #expect(held.applyPending() == nil)
    held.liveTouches = 1
    #expect(held.applyPending() == nil)
    #expect(held.mapping == assignment(.none).mapping)
    held.liveTouches = 0
    #expect(held.applyPending() == assignment(.none))
    #expect(held.mapping == assignment(.half).mapping)
    #expect(held.assignment == assignment(.half))
    #expect(held.applyPending() == nil, "once")
  }

  @Test("of two changes that wait the later one holds, and none where it is as before (T11)")
  func latest() {
    var held = HeldAssignment(assignment(.none))
    held.liveTouches = 1
    held.propose(assignment(.half))
    held.propose(assignment(.quarter))
    #expect(held.pending == assignment(.quarter))
    held.propose(assignment(.none))
    held.liveTouches = 0
    #expect(held.applyPending() == nil && held.pending == nil)
  }

  @Test("a device that is no longer ignored is opened afresh, not changed")
  func ignored() {
    var held = HeldAssignment(assignment(.none, ignore: true))
    held.propose(assignment(.half))
    #expect(held.isToBeOpened && held.applyPending() == nil)
    held.propose(assignment(.half, ignore: true))
    #expect(!held.isToBeOpened && held.applyPending() == assignment(.none, ignore: true))
  }
}
